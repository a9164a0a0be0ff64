// What a batch's units and a team's tasks have made, with the built program: each is listed, and can be taken in order with the commands that
// the reports print.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { type Place, teamPlace } from "../team-kit.ts";

type Listed = { id: string; by: string; into: string; evidence: string; files: { path: string }[] };

function person({ env, repository, piped }: Place) {
  const shell = (line: string) => execFileSync("sh", ["-c", line], { cwd: repository, env: { ...process.env, ...env }, encoding: "utf8" });
  const run = async (args: string[], more: Record<string, string> = {}) => {
    const program = piped(args, { input: "", env: more });
    const { code } = await program.ended;
    return { code, said: program.stderr() + program.stdout() };
  };
  const listed = () => {
    const { changes } = JSON.parse(shell("tool changes --json")) as { changes: Listed[] };
    return changes.map(({ id, by, into, evidence, files }) => ({ id, by, into, evidence, paths: files.map(({ path }) => path) }));
  };
  return { shell, run, listed, subjects: () => shell("git log --first-parent --format=%s -2").trim().split("\n") };
}

it("takes two units of a batch in order, with the commands of its report, and goes back", async () => {
  const place = teamPlace();
  const { repository } = place;
  const fixture = batchFixture(place, [made("a"), made("b"), made("c", " the wrong way"), ...waitingFor("c", ["d", "e"])]);
  const { shell, run, listed, subjects } = person(place);
  const args = ["--plan", fixture.plan, "--yes", "--no-pr", "--script", fixture.script, "--allow", "Bash(node --test:*)"];
  const { said } = await run(["batch", ...args]);
  const batch = /batch (\w{6}):/.exec(said)?.[1] ?? "";
  const of = (unit: string) => ({ id: `${batch}/${unit}`, by: "", into: "merges", paths: [`src/new/${unit}.js`] });
  expect(listed()).toEqual([
    { ...of("a"), evidence: "✓ 1 passed" },
    { ...of("b"), evidence: "✓ 1 passed" },
    { ...of("c"), evidence: expect.stringMatching(/^✗ 1 failed/) },
  ]);
  const [take = ""] = /tool take .+/.exec(said) ?? [];
  expect(take).toBe(`tool take ${["a", "b"].map((unit) => `${batch}/${unit}`).join(" ")}`);
  const taken = shell(`tool take b ${batch}/a`);
  expect([subjects(), listed().map(({ into }) => into)]).toEqual([
    [`Merge ${batch}/a: Make a`, `Merge ${batch}/b: Make b`],
    ["taken", "taken", "merges"],
  ]);
  const [, back = ""] = /To undo it: (.+)/.exec(taken) ?? [];
  shell(back);
  expect([existsSync(join(repository, "src/new/a.js")), shell("git status --porcelain")]).toEqual([false, "?? notes.txt\n"]);
  expect(shell(take)).toMatch(/^Taken: .+\/a, .+\/b, merged into main\.\n/);
});

it("takes two tasks of a team in order, and then the rest of what it has made", async () => {
  const place = teamPlace();
  const { repository } = place;
  const { shell, run, listed, subjects } = person(place);
  shell("git config user.name Test && git config user.email test@localhost && git commit --quiet --allow-empty --message First");
  const completed = (id: string) => call("TaskUpdate", { id, status: "completed", summary: `${id} is done.` });
  const task = (title: string) => call("TaskCreate", { title, assignee: "ada" });
  const write = (path: string) => call("Write", { path, content: `${path}\n` });
  const api = await provider({
    lead: [[call("SpawnTeammate", { name: "ada" })], [task("One"), task("Two"), task("Three")], text("She is at work."), text("Done.")],
    ada: ["one", "two", "three"].flatMap((name, at) => [write(`${name}.txt`), completed(`task-${at + 1}`), text("Done.")]),
  });
  const flags = ["--print", "--display", "in-process", "--worktrees", "--allow", "Write", "Do it."];
  const { said } = await run(["team", ...flags], api.env);
  const own = (id: string, paths: string[]) => ({ id: `atlas${id}`, by: "ada", into: "merges", evidence: expect.anything(), paths });
  expect(listed(), said).toEqual([
    own("/task-1", ["one.txt"]),
    own("/task-2", ["two.txt"]),
    own("/task-3", ["three.txt"]),
    own("", ["one.txt", "three.txt", "two.txt"]),
  ]);
  expect(shell("tool take task-1 task-2")).toMatch(/^Taken: atlas\/task-1, atlas\/task-2, merged into .+\nTo undo it: .+\n$/);
  expect(subjects()).toEqual(["Two", "One"]);
  const [take = ""] = /tool take .+/.exec(said) ?? [];
  shell(take);
  expect([subjects()[0], readFileSync(join(repository, "three.txt"), "utf8"), listed().map(({ into }) => into)]).toEqual([
    "Merge atlas: 3 tasks of team atlas",
    "three.txt\n",
    ["taken", "taken", "taken", "taken"],
  ]);
});
