// A team whose teammates work in worktrees: a conflict that its owner resolves, tests that fail on the merged work, and what remains at the
// end.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { killAll, type Place, teamPlace } from "../team-kit.ts";

const print = ["team", "--print", "--display", "in-process", "--worktrees", "--test", "node check.js"];
const rules = ["--allow", "Write", "--allow", "Bash(node check.js)", "Do it."];
const completed = (id: string) => call("TaskUpdate", { id, status: "completed", summary: `${id} is done.` });
const write = (path: string, content: string) => call("Write", { path, content });
const failsUnlessMended = 'process.exit(require("node:fs").existsSync("mended.txt") ? 0 : (console.log("mended.txt is missing"), 1));\n';

function committed({ repository }: Place) {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  writeFileSync(join(repository, "a.txt"), "one\n");
  writeFileSync(join(repository, "check.js"), failsUnlessMended);
  git("add", "--all");
  git("commit", "--quiet", "--message", "First");
  return git;
}

it("continues in its worktrees after SIGKILL of everything, merges completed tasks, leaves conflicts to owners and test failures to the team, and leaves one branch", async () => {
  const place = teamPlace({ asked: true });
  const refused = place.warm([...print, "Do it."], { env: { ANTHROPIC_API_KEY: "sk-test" } });
  expect([await refused.ended, refused.stderr()]).toMatchObject([
    { code: 2 },
    expect.stringMatching(
      /^tool: [Nn]o rule allows node check\.js, and nobody can be asked here: .*--allow 'Bash\(node check\.js\)'\n.*--worktrees cannot be used: /,
    ),
  ]);
  const git = committed(place);
  const api = await provider({
    lead: [
      ["ada", "bo"].map((name) => call("SpawnTeammate", { name })),
      [call("TaskCreate", { title: "One", assignee: "ada" }), call("TaskCreate", { title: "Two", assignee: "bo" })],
      text("Both are at work."),
      text("I go on."),
      text("All is well."),
    ],
    ada: [
      call("Read", { path: "a.txt" }),
      write("a.txt", "ada\n"),
      completed("task-1"),
      text("Done."),
      write("mended.txt", "y\n"),
      completed("task-3"),
      text("Done."),
    ],
    bo: [
      call("Read", { path: "a.txt" }),
      write("a.txt", "bo\n"),
      () => new Promise<never>(() => {}),
      completed("task-2"),
      call("Read", { path: "a.txt" }),
      write("a.txt", "ada and bo\n"),
      completed("task-2"),
      text("Done."),
      write("mended.txt", "y\n"),
      completed("task-3"),
      text("Done."),
    ],
  });
  const killed = place.tool([...print, ...rules], { env: api.env });
  await eventually(() => place.team().tasks()[0]?.status === "completed" && api.requests("bo").length === 3);
  await eventually(() => ["lead", "ada"].every((name) => place.team().status(name)?.state === "idle"));
  killAll(place); // bo's file exists only in its worktree
  await killed.ended;
  const run = place.tool(["team", "--print", "--display", "in-process", "--resume", "atlas"], { env: api.env });
  expect([await run.ended, run.output()]).toMatchObject([{ code: 0 }, expect.stringContaining("3 of 3 tasks")]);
  expect(run.output()).not.toContain("No rule allows");
  const bos = api.requests("bo").map(toolResults);
  expect(bos[4]?.[0]).toContain('Cannot complete "task-2" yet: others have changed the same places');
  expect(bos[5]?.[0]).toMatch(/<<<<<<< tool\/team-\w+\/bo\s+\d+\tbo\s[\s\S]*=======\s+\d+\tada\s[\s\S]*>>>>>>> tool\/team-\w+\/merged/);
  expect(place.team().tasks()[2]).toMatchObject({
    title: "Fix what node check.js finds in the merged work",
    description: expect.stringContaining("mended.txt is missing"),
  });
  expect(JSON.stringify(api.requests("lead").at(-1)?.body.messages)).toContain("There node check.js passes.");
  const [branch = ""] = git("branch", "--list", "tool/*", "--format=%(refname:short)").split("\n");
  expect(run.output()).toContain("To take it into your branch: tool take atlas");
  expect([git("show", `${branch}:a.txt`), git("show", `${branch}:mended.txt`)]).toEqual(["ada and bo", "y"]);
  expect([git("status", "--porcelain"), readFileSync(join(place.repository, "a.txt"), "utf8")]).toEqual(["", "one\n"]);
  expect(readdirSync(dirname(place.repository)).filter((name) => name.startsWith("repo-team-"))).toEqual([]);

  const id = branch.split("/")[1] ?? "";
  const [clean, half] = ["ada", "bo"].map((name) => `${place.repository}-${id}/${name}`);
  for (const [name, folder = ""] of [
    ["ada", clean],
    ["bo", half],
  ] as const)
    git("worktree", "add", "-q", "-b", `tool/${id}/${name}`, folder, branch);
  writeFileSync(join(half ?? "", "half.txt"), "half done\n");
  const gc = async (...args: string[]) => {
    const { ended, output } = place.warm(["team", "gc", ...args]);
    return [(await ended).code, ...output().trim().split("\n")];
  };
  const would = `would be removed if ${branch} has its work`;
  expect(await gc("--dry-run")).toEqual([0, `atlas: the worktree ${clean}: ${would}`, `atlas: the worktree ${half}: ${would}`]);
  const keptHalf = `atlas: the worktree ${half}, branch tool/${id}/bo: kept: it has files that are not committed: half.txt`;
  expect(await gc()).toEqual([0, `atlas: the worktree ${clean}: removed: ${branch} has its work`, keptHalf]);
  expect([await gc(), readdirSync(dirname(half ?? ""))]).toEqual([[0, keptHalf], ["bo"]]);
});
