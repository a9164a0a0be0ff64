// What the look for protected files finds at places where it once did not look.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { rawPath } from "../../../../src/edge/disk/raw-path.ts";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { type EscapeWorld, escapeWorld, openAt, type WorldOptions } from "../../escape-world.ts";
import { craftedIndex, overfullIndex } from "../../git/crafted-index.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(options: WorldOptions = {}): Promise<EscapeWorld & { at: (path: string) => string }> {
  const made = await escapeWorld(options);
  onTestFinished(made.close);
  return { ...made, at: (path) => join(made.policy.cwd, path) };
}

inSandbox("a worktree that has the name of one of git's own folders is protected as any other", async () => {
  const { run, at } = await world();
  const names = ["logs", "refs", "lfs", "info", "hooks"];
  for (const name of names.slice(0, 3)) {
    mkdirSync(at(`.git/worktrees/${name}`), { recursive: true });
    writeFileSync(at(`.git/worktrees/${name}/commondir`), "../..\n");
  }
  await run(`for name in ${names.join(" ")}; do mkdir -p .git/worktrees/$name; echo "$PWD/evil" > .git/worktrees/$name/commondir; done`);
  const found = names.map(
    (name) => existsSync(at(`.git/worktrees/${name}/commondir`)) && readFileSync(at(`.git/worktrees/${name}/commondir`), "utf8"),
  );
  expect(found).toEqual(["../..\n", "../..\n", "../..\n", false, false]);
});

/** Folders in each other whose path is longer than any that the kernel takes, with a file at the end. */
const deep = (first: string, file: string) =>
  `(mkdir ${first} && cd ${first} && n=$(printf %0200d 0) && for i in $(seq 25); do mkdir $n && cd -P $n || exit; done; echo "$0" > ${file})`;

inSandbox("a folder whose path is too long to be looked at is put aside, and keeps nothing else from being seen", async () => {
  const { run, at, sandbox } = await world();
  const { denied } = await run(`${deep("made", ".envrc")}; mkdir z; echo x > z/.envrc; echo x > .envrc`);
  expect(denied?.map(({ subject }) => subject.replace(`${at("")}/`, "").replace(/0+/g, "0")).sort()).toEqual([
    ".envrc",
    expect.stringMatching(/^made(\/0){15,18}$/),
    "z/.envrc",
  ]);
  expect(sandbox.state()).toEqual({ kind: "active" });
});

inSandbox("what lies in such a folder of the person's is hidden, and stays", async () => {
  const { run, at, sandbox, canary } = await world({ deny: ["Read(.env)"] });
  onTestFinished(() => void execFileSync("rm", ["-r", at("theirs")])); // before the rest is removed, by paths
  execFileSync("bash", ["-c", deep("theirs", ".env"), canary], { cwd: at("") });
  const descend = `cd theirs; while [ -d "$(printf %0200d 0)" ]; do cd -P "$(printf %0200d 0)" || break; done`;
  const { output, denied } = await run(`(${descend}; cat .env); find . -name .env -exec cat {} +; echo done`);
  expect([output.includes(canary), output.includes("done\n"), denied, sandbox.state()]).toEqual([
    false,
    true,
    undefined,
    { kind: "active" },
  ]);
  expect(execFileSync("bash", ["-c", `${descend}; cat .env`], { cwd: at(""), encoding: "utf8" })).toBe(`${canary}\n`);
});

/** Makes a repository at `$dir` whose settings name a program. */
const unsafeIn = (dir: string) => `git init -q ${dir}; printf '[core]\\n\\tfsmonitor = touch canary; echo\\n' >> ${dir}/.git/config`;

/** The same, with a link to it in the index of the one around. */
const linkedIn = (dir: string) => `${unsafeIn(dir)}; git update-index --add --cacheinfo 160000,${"1".repeat(40)},${dir}`;

inSandbox("a repository that git looks into by a link is put aside wherever it is, also where packages are installed", async () => {
  const { run, at, policy } = await world({ packages: false });
  mkdirSync(at("node_modules/theirs"), { recursive: true });
  execFileSync("bash", ["-c", linkedIn("node_modules/theirs").replace("touch canary", "true")], { cwd: policy.cwd });
  const before = readFileSync(at("node_modules/theirs/.git/config"), "utf8");
  const { denied } = await run(`${linkedIn("node_modules/foo")}; echo x >> node_modules/theirs/.git/config; echo x > node_modules/.envrc`);
  expect(denied?.map(({ subject }) => subject)).toEqual([at("node_modules/foo/.git")]);
  expect(["node_modules/foo/.git", "node_modules/theirs/.git/HEAD"].map((path) => existsSync(at(path)))).toEqual([false, true]);
  expect(readFileSync(at("node_modules/theirs/.git/config"), "utf8")).toBe(before);
});

inSandbox.each<[string, (place: { cwd: string; temporary: string }) => string, string]>([
  ["by `..`", () => "src/../node_modules/foo", "node_modules/foo"],
  ["by its path from the root", ({ cwd }) => `${cwd}/node_modules/foo`, "node_modules/foo"],
  ["in the session's own /tmp", ({ temporary }) => `${temporary}/foo`, "/tmp/foo"],
  ["by a name with a zero byte", () => "node_modules/foo\0more", "node_modules/foo"],
])("git looks into no repository of a command's by a link that it wrote itself: %s", async (_what, link, dir) => {
  const { run, at, policy } = await world({ packages: false });
  const temporary = join(policy.configDir, "sandbox/world/tmp");
  writeFileSync(at("crafted"), craftedIndex([{ path: link({ cwd: policy.cwd, temporary }) }]));
  const { denied } = await run(`${unsafeIn(dir)}; cat crafted > .git/index`);
  expect(denied).toHaveLength(1);
  execFileSync("git", ["status"], { cwd: policy.cwd, stdio: "pipe" });
  expect([at(dir), join(temporary, "foo")].some((folder) => existsSync(join(folder, "canary")))).toBe(false);
});

inSandbox("nor by one in the index of another worktree", async () => {
  const { run, at, policy, tree } = await world({ packages: false });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], { cwd: policy.cwd, stdio: "pipe" });
  git("commit", "--quiet", "--allow-empty", "--no-verify", "--message=first");
  git("worktree", "add", "--quiet", tree.at("outside/other"));
  writeFileSync(at("crafted"), craftedIndex([{ path: relative(tree.at("outside/other"), at("node_modules/foo")) }]));
  await run(`${unsafeIn("node_modules/foo")}; cat crafted > .git/worktrees/other/index`);
  execFileSync("git", ["status"], { cwd: tree.at("outside/other"), stdio: "pipe" });
  expect(existsSync(at("node_modules/foo/canary"))).toBe(false);
});

/** An index with this link that git reads and a session does not. `bytes`: up to there nothing but room, which an extension takes. */
function unreadable(path: string, bytes?: number): Buffer {
  if (bytes === undefined) return overfullIndex([{ path }]);
  const index = craftedIndex([{ path }]).subarray(0, -20);
  const extension = Buffer.from("ROOM....");
  extension.writeUInt32BE(bytes - index.length - 28, 4);
  return Buffer.concat([index, extension]);
}

const large = 300 * 1024 * 1024;

inSandbox.each<[string, { bytes?: number; to: string; before?: string; names?: string[]; link?: string; inOther?: true }]>([
  ["names its entries over and over", { to: ".git/index" }],
  ["is too large", { to: ".git/index", bytes: large }],
  ["is too large by another name", { to: ".git/index", bytes: large, names: [`.git/sharedindex.${"a".repeat(40)}`] }],
  ["is another worktree's", { to: ".git/worktrees/other/index", inOther: true }],
  [
    "is that of a repository to which a link leads",
    { to: "sub/.git/index", bytes: large, before: linkedIn("sub"), link: "../node_modules/foo" },
  ],
])("an index from which nobody can tell where git looks is put aside, and git looks nowhere: it %s", async (_what, index) => {
  const { run, at, policy, tree, sandbox } = await world({ packages: false });
  const fromOther = relative(tree.at("outside/other"), at("node_modules/foo"));
  const { to, bytes, before = "true", names = [], link = index.inOther ? fromOther : "node_modules/foo" } = index;
  const git = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
  execFileSync("git", [...git, "commit", "--quiet", "--allow-empty", "--no-verify", "--message=first"], { cwd: policy.cwd });
  execFileSync("git", ["worktree", "add", "--quiet", tree.at("outside/other")], { cwd: policy.cwd, stdio: "pipe" });
  execFileSync("bash", ["-c", before.replace("touch canary", "true")], { cwd: policy.cwd });
  writeFileSync(at("crafted"), unreadable(link, bytes));
  if (bytes !== undefined) truncateSync(at("crafted"), bytes);
  const linked = names.map((name) => `ln ${to}.new ${name}`).join("; ") || "true";
  const { denied } = await run(`${unsafeIn("node_modules/foo")}; cp crafted ${to}.new; ${linked}; mv ${to}.new ${to}`);
  expect(denied?.map(({ subject }) => subject).sort()).toEqual([to, ...names].map(at).sort());
  for (const cwd of [policy.cwd, tree.at("outside/other")]) execFileSync("git", ["status"], { cwd, stdio: "pipe" });
  expect([existsSync(at("node_modules/foo/canary")), existsSync(at(to))]).toEqual([false, false]);
  expect([(await run("echo fine")).output, sandbox.state()]).toEqual(["fine\n", { kind: "active" }]);
});

inSandbox("it is moved away while the command runs, with what it hid; and no other index is", async () => {
  const { run, at, policy } = await world({ packages: false });
  writeFileSync(at("crafted"), unreadable("node_modules/foo"));
  const plant = `${linkedIn("node_modules/foo")}; cp .git/index kept; cat crafted > .git/index`;
  const running = run(
    `${plant}; while [ -e .git/index ]; do sleep 0.02; done; mv kept .git/index; while [ ! -e stop ]; do sleep 0.02; done`,
  );
  await eventually(() => existsSync(at("node_modules/foo")) && !existsSync(at("kept")) && !existsSync(at("node_modules/foo/.git")));
  writeFileSync(at("stop"), "");
  const { denied } = await running;
  expect(denied?.map(({ subject }) => subject).sort()).toEqual([at(".git/index"), at("node_modules/foo/.git")]);
  expect(execFileSync("git", ["ls-files"], { cwd: policy.cwd, encoding: "utf8" })).toBe("node_modules/foo\n");
});

inSandbox("an index outside of what a command may change stays where it is, though a repository of a command's names it", async () => {
  const { run, at, tree, sandbox } = await world({ packages: false });
  const theirs = tree.at("outside/theirs");
  execFileSync("git", ["init", "-q", theirs]);
  writeFileSync(join(theirs, ".git/index"), unreadable("x"));
  const { denied } = await run(`mkdir sub; echo "gitdir: ${theirs}/.git" > sub/.git; echo done`);
  expect([existsSync(join(theirs, ".git/index")), denied?.map(({ subject }) => subject)]).toEqual([true, [at("sub/.git")]]);
  expect([(await run("echo fine")).output, sandbox.state()]).toEqual(["fine\n", { kind: "active" }]);
});

inSandbox("it is put aside while the command still runs, and one without a link when that ends", async () => {
  const { run, at } = await world();
  const running = run(`${linkedIn("hidden")}; git init -q own; while [ ! -e stop ]; do sleep 0.02; done; ls -d own/.git`);
  await eventually(() => existsSync(at("hidden")) && existsSync(at("own/.git/HEAD")) && !existsSync(at("hidden/.git")));
  writeFileSync(at("stop"), "");
  const { output, denied } = await running;
  expect(output).toMatch(/^own\/\.git$/m);
  expect(denied?.map(({ subject }) => subject).sort()).toEqual([at("hidden/.git"), at("own/.git")]);
});

inSandbox("names that are not UTF-8 hide nothing: what a command leaves below one is put aside", async () => {
  const { run, at, sandbox } = await world({ packages: false });
  const raw = "$'x\\xff'";
  const { denied, output } = await run(
    `mkdir -p ${raw}/deep; echo x > ${raw}/deep/.envrc; echo x > ${raw}/kept; ${linkedIn(`node_modules/${raw}`)}; echo done`,
  );
  expect(denied?.map(({ subject }) => subject).sort()).toEqual([at("node_modules/x\udcff/.git"), at("x\udcff/deep/.envrc")]);
  const there = ["x\udcff/deep/.envrc", "node_modules/x\udcff/.git", "x\udcff/kept"].map((path) => existsSync(rawPath(at(path))));
  expect([there, output.includes("done\n"), sandbox.state()]).toEqual([[false, false, true], true, { kind: "active" }]);
});

inSandbox("a file that the person makes while a command runs is kept, and said, if the command makes one of that name too", async () => {
  const { run, at } = await world();
  const running = run("touch up; while [ ! -e go ]; do sleep 0.02; done; echo planted > .envrc; sleep 0.5");
  await eventually(() => existsSync(at("up")));
  writeFileSync(at(".envrc"), "the person's");
  await eventually(() => !existsSync(at(".envrc")));
  writeFileSync(at("go"), "");
  const { output } = await running;
  const [, earlier = "", newest = ""] = /earlier ones are kept as (\S+)\][\s\S]*was moved to (\S+): /.exec(output) ?? [];
  expect([earlier, newest].map((path) => readFileSync(path, "utf8"))).toEqual(["the person's", "planted\n"]);
});

inSandbox("no command runs where a hidden file cannot be covered because its path is not UTF-8, and the reason names it", async () => {
  const { run, at, sandbox } = await world({ deny: ["Read(.env)"] });
  mkdirSync(rawPath(at("x\udcff")));
  const where = rawPath(at("x\udcff/.env"));
  writeFileSync(where, "secret");
  const { end } = await run("cat */.env");
  expect(end).toEqual({
    kind: "failed",
    reason: `${at("x\ufffd/.env")} cannot be protected from commands, because its path is not UTF-8. Rename it, or what is around it`,
  });
  rmSync(where);
  expect([(await run("echo fine")).output, sandbox.state()]).toEqual(["fine\n", { kind: "active" }]);
});

inSandbox("a command that runs while a covered file is replaced is ended, and says which", async () => {
  const { run, at, policy } = await world({ deny: ["Read(.env)"] });
  writeFileSync(at(".env"), "the old one");
  for (const path of [".git/config", ".env"]) {
    const running = run("touch up; while [ ! -e go ]; do sleep 0.02; done; echo x >> .git/config; cat .env");
    await eventually(() => existsSync(at("up")));
    const replace = path === ".env" ? "echo new > e && mv e .env" : "git config branch.master.remote origin";
    execFileSync("bash", ["-c", `rm up; ${replace}`], { cwd: policy.cwd });
    const { end, output } = await running;
    expect(end).toEqual({ kind: "killed", signal: "SIGKILL" });
    expect(output).toContain(`[another program replaced ${at(path)} while a command ran`);
  }
});

inSandbox("a file that is removed while a command runs may be made by nobody but the person: a new one is put aside", async () => {
  const { run, at } = await world();
  writeFileSync(at(".npmrc"), "the person's");
  const running = run(
    "touch up; while [ -e .npmrc ]; do sleep 0.02; done; for i in 1 2; do echo x > .envrc; while [ -e .envrc ]; do sleep 0.02; done; done; echo planted > .npmrc; echo done",
  );
  await eventually(() => existsSync(at("up")));
  rmSync(at(".npmrc"));
  const { denied, output } = await running;
  expect([denied?.map(({ subject }) => subject), existsSync(at(".npmrc")), output.includes("done\n")]).toEqual([
    [at(".envrc"), at(".npmrc")], // where the first is gone again, the tree has been looked at
    false,
    true,
  ]);
});

inSandbox("a link that a command puts in the place of a folder of settings is put aside, and one of the person's stays", async () => {
  const { run, at } = await world();
  mkdirSync(at("shared"));
  symlinkSync("shared", at(".config"));
  const { denied } = await run(
    "mkdir -p evil/sub; for name in config.toml copilot-instructions.md; do echo x > evil/$name; done; ln -s evil .cargo; ln -s ../evil src/.github; ln -s evil plain",
  );
  expect(denied?.map(({ subject }) => subject).sort()).toEqual([at(".cargo"), at("src/.github")]);
  expect([".config/", "plain/sub", ".cargo"].map((path) => existsSync(at(path)))).toEqual([true, true, false]);
});

inSandbox("what the person allows is what they were shown, though another agent changes it by another name", async () => {
  const shown: string[] = [];
  const made = await world({
    mayStay: async (_path, { lines }) => {
      shown.push(...lines);
      const beside = await openedBeside;
      // It is ended if what it must not write goes meanwhile.
      for (let said = ""; said !== "evil\n"; ) said = (await beside.run("echo evil > other-name; cat other-name")).output;
      return true;
    },
  });
  const openedBeside = openAt(made.policy.cwd, made);
  onTestFinished(async () => (await openedBeside).close());
  const { denied } = await made.run("echo good > other-name; ln other-name .npmrc");
  expect(shown).toEqual(["+ good"]);
  expect(existsSync(made.at(".npmrc"))).toBe(false);
  expect(denied).toMatchObject([{ subject: made.at(".npmrc"), reason: expect.stringContaining("changed after it had been shown") }]);
});
