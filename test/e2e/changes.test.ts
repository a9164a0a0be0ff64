// What isolated agents have made, looked at, taken and dropped with the built program, as a person does it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const apart = (name: string) => call("Agent", { description: `work of ${name}`, prompt: "Work.", subagent_type: "apart", name });

it("lists, shows, takes and drops the work of isolated agents, and stops at a conflict until it is resolved", async () => {
  const there = teamPlace();
  const { repository } = there;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trimEnd();
  const run = async (...args: string[]) => {
    const program = there.warm(args);
    const { code } = await program.ended;
    return { code, out: program.stdout(), error: program.stderr() };
  };
  const listed = async (...args: string[]) => JSON.parse((await run("changes", "--json", ...args)).out) as { changes: Listed[] };
  expect((await run("changes")).error).toContain("he repository has no commit yet");
  mkdirSync(join(repository, ".tool/agents"), { recursive: true });
  writeFileSync(join(repository, ".tool/agents/apart.md"), "---\nname: apart\ndescription: apart\nisolation: worktree\n---\nDo it.\n");
  writeFileSync(join(repository, "a.txt"), "committed\n");
  for (const [key, value] of [["name", "Test"] as const, ["email", "test@localhost"] as const]) git("config", `user.${key}`, value);
  git("add", ".");
  git("commit", "--quiet", "--message", "The first one");
  const api = await provider({
    tool: [[apart("ada"), apart("bo")], text("Done.")],
    ada: [
      call("Read", { path: "a.txt" }),
      call("Write", { path: "a.txt", content: "ada's\n" }),
      call("Write", { path: "new.txt", content: "new\n" }),
      text("ada is done."),
    ],
    bo: [call("Read", { path: "a.txt" }), call("Write", { path: "a.txt", content: "bo's\n" }), text("bo is done.")],
  });
  const session = there.warm(["--print", "--trust", "--permission-mode", "acceptEdits", "go on now"], { env: api.env });
  expect(await session.ended).toEqual({ code: 0 });

  const [ada, bo] = (await listed()).changes;
  const facts = ({ by, what, into, files, conflicts_with }: Listed) => ({
    by,
    what,
    into,
    paths: files.map(({ path }) => path),
    conflicts_with,
  });
  expect([ada, bo].map((each) => facts(each!))).toEqual([
    {
      by: "ada",
      what: "work of ada",
      into: "merges",
      paths: ["a.txt", "new.txt"],
      conflicts_with: [{ id: bo?.id, files: ["a.txt"] }],
    },
    { by: "bo", what: "work of bo", into: "merges", paths: ["a.txt"], conflicts_with: [{ id: ada?.id, files: ["a.txt"] }] },
  ]);
  const table = (await run("changes")).out;
  expect(table).toMatch(new RegExp(`${ada?.id} +work of ada +ada +2 {2}\\+2 −1 +no test was run +merges; not with ${bo?.id}: a\\.txt\n`));
  expect((await run("changes", ada?.id ?? "")).out).toContain("-committed\n+ada's\n");
  expect(await run("take", `${ada?.id}x`)).toMatchObject({ code: 2, error: expect.stringContaining(`Did you mean ${ada?.id}`) });

  expect(await run("take", ada?.id ?? "", bo?.id ?? "")).toMatchObject({
    code: 1,
    out: expect.stringContaining(`${bo?.id} is in conflict here:\n  a.txt\n`),
  });
  expect((await run("changes")).out).toContain("To undo the take: tool take --abort");
  writeFileSync(join(repository, "a.txt"), "both\n");
  const taken = await run("take", "--continue");
  expect(taken).toMatchObject({ code: 0, out: expect.stringContaining(`Taken: ${ada?.id}, ${bo?.id}, merged into`) });
  expect([
    readFileSync(join(repository, "a.txt"), "utf8"),
    git("status", "--porcelain"),
    git("log", "--first-parent", "--format=%s"),
  ]).toEqual(["both\n", "", `Merge ${bo?.id}: work of bo\nMerge ${ada?.id}: work of ada\nThe first one`]);
  expect((await listed()).changes.map(({ into }) => into)).toEqual(["taken", "taken"]);

  expect(await run("drop", ada?.id ?? "")).toMatchObject({ code: 2, error: expect.stringContaining(`${ada?.id}  taken`) });
  const dropped = await run("drop", "--yes", ada?.id ?? "", bo?.id ?? "");
  expect([dropped.code, existsSync(ada?.worktree ?? ""), git("branch", "--list", "tool/*")]).toEqual([0, false, ""]);
  const [, back = ""] = /To get it back, [^:]+: (.+)/.exec(dropped.out) ?? [];
  execFileSync("sh", ["-c", back]);
  expect(git("show", `${ada?.branch}:new.txt`)).toBe("new");
});

it("lets a session work apart in a worktree, go on there, and take its work as edits", async () => {
  const there = teamPlace();
  const { repository } = there;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trimEnd();
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  writeFileSync(join(repository, "a.txt"), "committed\n");
  writeFileSync(join(repository, ".toolignore"), "hidden.txt\n");
  git("add", "a.txt");
  git("commit", "--quiet", "--message", "The first one");
  const api = await provider({
    tool: [
      [call("Write", { path: "new.txt", content: "new\n" }), call("Write", { path: "hidden.txt", content: "x" })],
      [call("Write", { path: join(repository, "planted.txt"), content: "x" })],
      text("Done."),
      text("Went on."),
    ],
  });
  const start = (...args: string[]) => there.warm(["--print", "--trust", "--permission-mode", "acceptEdits", ...args], { env: api.env });
  const session = start("--worktree", "fix", "go on now");
  await session.ended;
  expect(session.stderr()).toContain("To take it into your branch: tool take worktree/fix\n");
  expect([existsSync(join(repository, "new.txt")), existsSync(join(repository, "planted.txt"))]).toEqual([false, false]);
  const again = start("--continue", "and now?");
  await again.ended;
  expect([again.stdout(), again.stderr()]).toEqual(["Went on.\n", expect.stringContaining("is in the worktree fix: it goes on there.\n")]);
  const taken = there.warm(["take", "fix", "--as", "edits"]);
  expect([await taken.ended, taken.stdout()]).toEqual([
    { code: 0 },
    expect.stringContaining("Taken: worktree/fix, as edits that are not committed.\n"),
  ]);
  expect(git("status", "--porcelain")).toBe("?? .toolignore\n?? new.txt");
  await start("--worktree", "idle", "look only").ended;
  const asked = there.warm(["drop", "fix", "idle"]);
  await asked.ended;
  expect(asked.stderr()).toMatch(/ worktree\/fix {2}taken\n +worktree\/idle {2}nothing in it\n/);
});

it("lets sessions that start at once in one repository each have its worktree", async () => {
  const there = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8" });
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  for (let file = 0; file < 200; file++) writeFileSync(join(there.repository, `${file}.txt`), "committed\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "The first one");
  const names = ["a", "b", "c", "d", "e", "f"];
  const api = await provider({ tool: names.map(() => text("Done.")) });
  const ran = names.map(async (name) => {
    const session = there.warm(["--print", "--worktree", name, "go on now"], { env: api.env });
    return { code: (await session.ended).code, said: session.stderr() };
  });
  expect((await Promise.all(ran)).filter(({ code }) => code !== 0)).toEqual([]);
  expect(git("worktree", "list").trimEnd().split("\n")).toHaveLength(1 + names.length);
});

it("shows what /rewind has undone, in the session with Enter, and brings it back", async () => {
  const there = teamPlace();
  const { repository } = there;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trimEnd();
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  writeFileSync(join(repository, "a.txt"), "committed\n");
  writeFileSync(join(repository, ".gitignore"), "*.log\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "The first one");
  const api = await provider({
    tool: [
      call("Read", { path: "a.txt" }),
      [["a.txt", "better\n"] as const, ["new.txt", "new\n"] as const, ["x.log", "x"] as const].map(([path, content]) =>
        call("Write", { path, content }),
      ),
      text("Written."),
    ],
  });
  const seat = personsTerminal([...tool, "--permission-mode", "acceptEdits"], {
    env: { ...there.env, ...api.env },
    cwd: repository,
    columns: 100,
    rows: 40,
  });
  await seat.shows("ready");
  seat.type("write them\r");
  await seat.shows("Written.");
  await seat.shows("ready");
  seat.type("/rewind\r");
  await seat.shows("❯ 1  write them");
  seat.type("\r");
  await seat.shows("Go back?");
  await choose(seat, "y");
  await seat.shows("What was undone: /changes rewind/");
  expect(git("status", "--porcelain")).toBe("");
  seat.type("\x15/changes\r"); // instead of the line that went back into the editor
  await seat.shows("Enter shows the diff");
  seat.type("\r");
  await seat.shows("+better");
  await seat.shows("q back");
  seat.type("q");
  await seat.shows("Enter shows the diff");
  seat.type("\x1b");
  await eventually(() => !seat.screen().join("\n").includes("Enter shows the diff"));
  expect(await seat.leave()).toBe(0);

  const run = async (...args: string[]) => {
    const program = there.warm(args);
    return { ...(await program.ended), out: program.stdout() };
  };
  const listed = async () => (JSON.parse((await run("changes", "--json")).out) as { changes: Listed[] }).changes;
  const [undone] = await listed();
  expect([undone?.what, undone?.into, undone?.files.map(({ path }) => path)]).toEqual([
    expect.stringMatching(/^undone by \/rewind .* ago$/),
    "merges",
    ["a.txt", "new.txt"],
  ]);
  expect(await run("take", undone?.id ?? "", "--as", "edits")).toMatchObject({ code: 0 });
  expect([git("status", "--porcelain"), readFileSync(join(repository, "a.txt"), "utf8")]).toEqual([" M a.txt\n?? new.txt", "better\n"]);
  expect(await listed()).toEqual([]);
});

type Listed = {
  id: string;
  by: string;
  what: string;
  into: string;
  files: { path: string }[];
  conflicts_with: { id: string; files: string[] }[];
  branch: string;
  worktree: string;
};
