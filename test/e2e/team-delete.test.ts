// `tool team delete` on teams without processes, and on one whose lead's claim this test holds.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { teamLayout } from "../../src/board/layout.ts";
import { teamWorktrees } from "../../src/edge/git/team-worktrees.ts";
import { lock } from "../../src/edge/lock/lock.ts";
import { testRepository } from "../edge/git/git-kit.ts";
import { type Place, teamPlace } from "../team-kit.ts";

async function ran(place: Place, args: string[], cwd = place.repository) {
  const run = place.tool(["team", ...args], { cwd });
  const { code } = await run.ended;
  return { code, output: run.output() };
}

it("deletes teams that have ended, by name and as a whole, and none that runs", async () => {
  const place = teamPlace();
  for (const name of ["one", "two", "damaged", "unrecorded"]) await ran(place, ["create", name, "--members", "lead,ada"]);
  const teams = join(place.configDir, "teams");
  const claim = lock().claimForLife(teamLayout(join(teams, "two")).claim("lead"));
  writeFileSync(join(teams, "damaged/team.json"), "{");
  rmSync(join(teams, "unrecorded/team.json"));
  expect(await ran(place, ["delete", "one", "nobody"])).toEqual({
    code: 2,
    output: 'tool: nothing was deleted. There is no team "nobody". The teams are damaged, one, two, unrecorded.\n',
  });
  expect(await ran(place, ["delete", "one", "two", "damaged"])).toEqual({
    code: 1,
    output: expect.stringMatching(
      new RegExp(
        `^Team one is deleted\\.\nCannot delete team two: lead is running as process ${process.pid}\\. Stop it first: tool team stop two\nCannot delete team damaged: .*team\\.json.* To delete it all the same: --force\n$`,
      ),
    ),
  });
  if (claim.ok) claim.release();
  const last = await ran(place, ["delete", "two", "damaged", "unrecorded", "--force", "--json"]);
  expect([last.code, JSON.parse(last.output), readdirSync(teams)]).toEqual([
    0,
    { ok: true, teams: ["two", "damaged", "unrecorded"].map((team) => ({ team, deleted: true, kept: [] })) },
    [],
  ]);
  mkdirSync(join(teams, ".deleted-one/mailbox"), { recursive: true });
  const left = `one: ${join(teams, ".deleted-one")}, which a killed deletion left`;
  expect([(await ran(place, ["gc", "--dry-run"])).output, (await ran(place, ["gc"])).output, readdirSync(teams)]).toEqual([
    `${left}: would be removed\n`,
    `${left}: removed\n`,
    [],
  ]);
});

it("keeps worktrees whose work is nowhere else, and names them; finished teams of folders that are gone share a line", async () => {
  const place = teamPlace();
  const repository = testRepository({ "a.txt": "a\n" });
  const root = repository.folder;
  await ran(place, ["create", "atlas", "--members", "lead,ada"], root);
  const path = join(place.configDir, "teams/atlas/team.json");
  const base = repository.say("rev-parse", "HEAD");
  const record = { ...JSON.parse(readFileSync(path, "utf8")), options: { worktrees: { id: "x1", root, base } } };
  writeFileSync(path, JSON.stringify(record));
  const home = join(dirname(root), `${basename(root)}-team-x1`);
  const git = { git: repository.git, repository: root, closed: async () => () => false, look: async () => undefined };
  await teamWorktrees({ ...git, home, id: "x1", base, within: "" }).add("ada");
  writeFileSync(join(home, "ada/new.txt"), "ada's\n");
  const refused = await ran(place, ["delete", "atlas"]);
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(
      /^Cannot delete team atlas: worktrees have work that is not merged\. .*--force\n {2}Kept: the worktree .*ada, branch tool\/team-x1\/ada: /,
    ),
  ]);
  expect((await ran(place, ["list"])).output).toContain("atlas: not running");
  const forced = await ran(place, ["delete", "atlas", "--force"]);
  expect([forced.code, forced.output, existsSync(join(home, "ada/new.txt")), existsSync(path)]).toEqual([
    0,
    expect.stringMatching(/^Team atlas is deleted\.\n {2}Kept: the worktree .*ada, /),
    true,
    false,
  ]);
  await ran(place, ["create", "done", "--members", "lead,ada"]);
  await ran(place, ["task", "create", "--title", "One", "--team", "done", "--as", "lead"]);
  for (const update of [["in_progress"], ["completed", "--summary", "Done."]])
    await ran(place, ["task", "update", "task-1", "--status", ...update, "--team", "done", "--as", "ada"]);
  const file = join(place.configDir, "teams/done/team.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(place.repository, "/repo/gone"));
  expect((await ran(place, ["list"])).output).toBe("Finished, and the folder is gone: done. Delete: tool team delete done\n");
});
