// What becomes of a command when another program changes what is hidden from it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { classifiedTree } from "../../../../src/edge/shell/sandbox/tree.ts";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { tree } from "../../../tools/tree.ts";
import { escapeWorld, openAt, type WorldOptions } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(options: WorldOptions = {}) {
  const made = await escapeWorld(options);
  onTestFinished(made.close);
  const at = (path: string) => join(made.policy.cwd, path);
  const beside = (script: string) => void execFileSync("bash", ["-c", script], { cwd: made.policy.cwd });
  return { ...made, at, beside };
}

/** Each is moved away at a look, so that after the second one there has been a look that began later. */
const twoLooks = "for i in 1 2; do echo x > .envrc; while [ -e .envrc ]; do sleep 0.02; done; done";

inSandbox.each([
  [".env", "rm .env", "echo new > .env"],
  [".env", "mv .env other", "echo new > .env"],
  ["secrets", "mv secrets other", "mkdir secrets; echo new > secrets/key"],
])("it is ended when %s has its name again, after `%s`", async (name, remove, remake) => {
  const { run, at, beside } = await world({ deny: ["Read(.env)", "Read(secrets/**)"] });
  mkdirSync(at("secrets"));
  for (const path of [".env", "secrets/key"]) writeFileSync(at(path), "old");
  const reads = "for i in $(seq 200); do cat .env secrets/key; sleep 0.02; done 2>/dev/null";
  const running = run(`touch up; while [ -e ${name} ]; do sleep 0.02; done; ${twoLooks}; touch gone; ${reads}`);
  await eventually(() => existsSync(at("up")));
  beside(remove);
  await eventually(() => existsSync(at("gone")));
  beside(remake);
  const { end, output } = await running;
  expect(end).toEqual({ kind: "killed", signal: "SIGKILL" });
  expect(output).toContain(`[${at(name)} was removed while a command ran`);
});

inSandbox("the person is told once of a hidden file that comes up while it runs on, and the next one does not see it", async () => {
  const told: string[][] = [];
  const { run, at } = await world({ deny: ["Read(*.key)"], onOpen: (paths) => void told.push(paths) });
  await run("echo own > own.key");
  const waits = "touch up; while [ ! -e done ]; do sleep 0.02; done; cat their.key";
  const running = [run(waits), run(waits)];
  await eventually(() => existsSync(at("up")));
  writeFileSync(at("their.key"), "theirs");
  await eventually(() => told.length > 0);
  writeFileSync(at("done"), "");
  expect((await Promise.all(running)).map(({ output }) => output)).toEqual(["theirs", "theirs"]);
  expect([told, (await run("cat their.key own.key 2>/dev/null")).output]).toEqual([[[at("their.key")]], ""]);
});

inSandbox("however long it makes a look at the tree, what it plants is moved away and what is replaced ends it", async () => {
  const slow = /\/src\/slow\d+$/;
  const { run, at, beside } = await world({
    deny: ["Read(.env)"],
    classifying: (byRules) => (entry) => {
      if (slow.test(entry.path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      return byRules(entry);
    },
  });
  writeFileSync(at(".env"), "old");
  const waits = (until: string) => `for i in $(seq 150); do mv src/slow$n src/slow$((++n)); [ ${until} ] && break; sleep 0.02; done`;
  const running = run(
    `n=1; echo x > src/slow1; ${waits("")}; echo x > .npmrc; ${waits("! -e .npmrc")}; [ -e .npmrc ] || touch up; ${waits("-e never")}`,
  );
  await eventually(() => existsSync(at("up")));
  beside("echo new > e; mv e .env");
  expect((await running).end).toEqual({ kind: "killed", signal: "SIGKILL" });
});

inSandbox.each([
  [".netrc", "echo new > n; mv n .netrc", "another program replaced"],
  [".netrc", "echo new > n; ln -s n m; mv m .netrc", "another program replaced"],
  [".npmrc", "echo new > .npmrc", "came up while a command ran"],
  [".config/gh", "mkdir -p .config/gh; echo new > .config/gh/hosts.yml", "came up while a command ran"],
])("it is ended when ~/%s is another file, by `%s`", async (name, change, said) => {
  const { run, at, policy } = await world();
  const running = run(`touch up; for i in $(seq 200); do cat ~/${name}; sleep 0.02; done 2>/dev/null`);
  await eventually(() => existsSync(at("up")));
  execFileSync("bash", ["-c", change], { cwd: policy.home });
  const { end, output } = await running;
  expect(end).toEqual({ kind: "killed", signal: "SIGKILL" });
  expect(output.split("\n").filter((line) => line.includes(said) && line.includes(join(policy.home, name)))).toHaveLength(1);
});

inSandbox("it is not ended by a shell that writes its history, or by another agent", async () => {
  const { run, at, policy } = await world();
  const running = run(`touch up; while [ ! -e changed ]; do sleep 0.02; done; ${twoLooks}; echo done`);
  await eventually(() => existsSync(at("up")));
  execFileSync("bash", ["-c", "for name in .bash_history .zsh_history .claude.json; do echo new > n; mv n $name; done"], {
    cwd: policy.home,
  });
  writeFileSync(at("changed"), "");
  expect((await running).end).toEqual({ kind: "exited", code: 0 });
});

inSandbox(
  "in a worktree of its own it commits there, moves nothing of the person's, and is not ended by what the person's git writes",
  async () => {
    const made = await world();
    const { at, beside } = made;
    const identity = "git config user.name t; git config user.email t@localhost";
    const own = made.tree.at("outside/own");
    beside(
      `${identity}; rm .git/hooks/pre-commit; git branch -M main; echo a > a.txt; git add a.txt; git commit -qm first; echo b > a.txt; git stash -q`,
    );
    beside(`git worktree add -q -b tool/agents-1/a '${own}'`);
    const agent = await openAt(own, made, { repository: { branch: "tool/agents-1/a" } });
    onTestFinished(() => agent.close());
    const person = "git rev-parse main stash@{0}; git for-each-ref --format='%(refname)' refs/tags; git status --short a.txt";
    const facts = () => execFileSync("bash", ["-c", person], { cwd: at(""), encoding: "utf8" });
    const before = facts();
    const running = agent.run(
      [
        "echo own > own.txt; git add own.txt; git commit -qm own; touch up; while [ ! -e changed ]; do sleep 0.02; done",
        twoLooks,
        'git update-ref refs/heads/main HEAD; git stash clear; git tag evil; git pack-refs --all; echo x > "$(git rev-parse --git-common-dir)/index"',
        "git log --format=%s",
      ].join("\n"),
    );
    await eventually(() => existsSync(join(own, "up")));
    beside("touch a.txt; git status >/dev/null");
    writeFileSync(join(own, "changed"), "");
    const { end, output } = await running;
    expect([end, output]).toEqual([{ kind: "exited", code: 0 }, expect.stringContaining("own\nfirst\n")]);
    expect(facts()).toBe(before);
  },
);

it("a near look finds what is new at the top and in git's folder, and visits no other folder", () => {
  const { path, at, remove } = tree({ ".git/HEAD": "", ".envrc": "", "a/.envrc": "", "b/c/.envrc": "", "d/e": "" });
  onTestFinished(remove);
  const classOf = ({ path }: { path: string }) =>
    /\.(git|envrc)$/.test(path) ? ({ visibility: "normal", rules: true } as const) : undefined;
  const found = classifiedTree([path], { classOf, packages: false, near: true, maxFolders: 2 })();
  expect(found.kind === "seen" && found.entries.map((entry) => entry.path).sort()).toEqual([at(".envrc"), at(".git")]);
});
