// Protected files that a person has let a command change: it can, and what it changes there beyond its words comes back with a question.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { LeftBehind } from "../../../src/permissions/call.ts";
import { lacks } from "../../needs.ts";
import { escapeWorld } from "../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

/** A repository with a remote that has a branch `main`; `stays`: the answer about what commands left. */
async function world({ stays = false } = {}) {
  const asked: { path: string; lines: string[] }[] = [];
  const mayStay = async (path: string, { lines }: LeftBehind) => {
    asked.push({ path, lines });
    return stays;
  };
  const made = await escapeWorld({ mayStay });
  onTestFinished(made.close);
  const at = (path: string) => join(made.policy.cwd, path);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: made.policy.cwd, stdio: "pipe" }).toString();
  git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--allow-empty", "-m", "one");
  git("branch", "-M", "main");
  git("init", "--quiet", "--bare", "far.git");
  git("remote", "add", "origin", at("far.git"));
  const config = () => readFileSync(at(".git/config"), "utf8");
  /** With the pass that a yes to this command gives. */
  const allowed = (command: string, paths = [at(".git/config")]) => made.run(command, { changes: { paths, words: command.split(" ") } });
  return { ...made, at, git, asked, config, allowed };
}

inSandbox("a push that a person lets set up tracking does, and the next command finds it unchanged and closed again", async () => {
  const { allowed, run, git, asked, config } = await world();
  const { end, output } = await allowed("git push -u origin main 2> /dev/null");
  expect({ end, output }).toEqual({ end: { kind: "exited", code: 0 }, output: expect.stringMatching(/^branch 'main' set up to track/) });
  expect(git("rev-parse", "--abbrev-ref", "main@{upstream}")).toBe("origin/main\n");
  const before = config();
  await run("git config a.b c; echo x >> .git/config");
  expect([asked, config()]).toEqual([[], before]);
});

inSandbox("settings that name no program, or that the command itself names, need no second answer", async () => {
  const { allowed, git, asked } = await world();
  await allowed("git remote add fork ../fork.git");
  await allowed("git checkout --quiet -b next --track main");
  await allowed("git config core.editor vim");
  await allowed("git branch -m later");
  expect([git("config", "remote.fork.url"), git("config", "core.editor"), git("config", "branch.later.merge"), asked]).toEqual([
    "../fork.git\n",
    "vim\n",
    "refs/heads/main\n",
    [],
  ]);
});

inSandbox.each([
  ["another key", "git remote add a b; git config core.fsmonitor ./x", "git remote add a b"],
  ["another value", "git config core.editor ./x", "git config core.editor vim"],
  ["a helper program as the address", "git remote add a ext::./x", "git remote add a b"],
  ["by hand", "printf '[core] pager = ./x\\n' >> .git/config", "git remote add a b"],
  [
    "a value over two lines",
    "printf '[remote \"a\"]\\n\\turl = b\\\\\\n\\n[core]\\n\\tpager = ./x\\n' >> .git/config",
    "git remote add a b",
  ],
  ["a link", "mv .git/config c; printf '[core]\\n\\tpager = ./x\\n' >> c; ln -s ../c .git/config", "git remote add a b"],
  [
    "links, again and again",
    "printf '[core]\\n\\tpager = ./x\\n' > c; for i in 1 2 3 4 5 6 7 8; do rm -f .git/config; ln -s ../c .git/config; sleep 0.0$i; done",
    "git remote add a b",
  ],
])("what a command sets beyond that is undone until a person has seen it: %s", async (_, command, said) => {
  const { run, at, asked, config } = await world();
  const before = config();
  await run(command, { changes: { paths: [at(".git/config")], words: said.split(" ") } });
  expect([asked.map(({ path }) => path), config()]).toEqual([[at(".git/config")], before]);
});

inSandbox("with a second yes it is as the command left it", async () => {
  const { allowed, at, asked, git } = await world({ stays: true });
  await allowed(`node -e ${JSON.stringify("require('fs').appendFileSync('.git/config', '[core]\\n\\tpager = less\\n')")} .git/config`);
  expect([asked, git("config", "core.pager")]).toEqual([
    [{ path: at(".git/config"), lines: expect.arrayContaining(["+ \tpager = less"]) }],
    "less\n",
  ]);
});

inSandbox("any other protected file is shown again with what it says now", async () => {
  const { allowed, at, asked } = await world({ stays: true });
  writeFileSync(at(".envrc"), "a\n");
  await allowed("echo b >> .envrc", [at(".envrc")]);
  expect([asked, readFileSync(at(".envrc"), "utf8")]).toEqual([[{ path: at(".envrc"), lines: ["+ a", "+ b"] }], "a\nb\n"]);
});
