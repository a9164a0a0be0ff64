// No command of an agent gets a secret into a branch, a tag or a note, in whatever way git is started; commits without secrets succeed,
// with the repository's own hooks as git would run them.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitHooks } from "../../src/edge/git/commit-hook.ts";
import { commandEnvironment, withCommitHooks } from "../../src/secrets/environment.ts";
import { quoted, start, templateFolder } from "../scratch.ts";
import { draw } from "../secrets/labelled.ts";
import { seeded } from "./seeded.ts";

const token = `ghp_${draw("base62", 36, seeded(11))}`;
const hooks = commitHooks(join(import.meta.dirname, "../../dist/hooks"))!;

/** A repository with a clean commit, and a secret that a person has put in an ignored file, on a branch, and in a patch. */
function fill(folder: string): void {
  const { put, git } = toolsIn(folder);
  git("init", "--quiet");
  put(".gitignore", "ignored*\n");
  put("a.txt", "clean\n");
  put("package.json", '{"scripts":{"release":"git add -f ignored.env && git commit -qm r"}}');
  git("add", ".");
  git("commit", "-qm", "first");
  git("switch", "-qc", "other");
  put("secret.txt", `token = "${token}"\n`);
  git("add", ".");
  git("commit", "-qm", "with a secret");
  put("ignored.patch", git("format-patch", "-1", "--stdout"));
  git("rm", "-q", "secret.txt");
  git("commit", "-qm", "without it");
  git("switch", "-q", "main");
  put("ignored.env", `token = "${token}"\n`);
}

const filled = templateFolder((folder) => {
  mkdirSync(join(folder, "work"));
  mkdirSync(join(folder, "home"));
  fill(join(folder, "work"));
});

function toolsIn(folder: string) {
  const home = join(dirname(folder), "home");
  const env = commandEnvironment({ PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" }, "s1:ada");
  writeFileSync(join(home, ".gitconfig"), "[user]\nname = t\nemail = t@localhost\n[init]\ndefaultBranch = main\n");
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
  return { env, put, git };
}

function workplace() {
  const folder = join(filled(), "work");
  const { env, put, git } = toolsIn(folder);
  return {
    folder,
    put,
    git,
    /** The content of all branches, tags and notes, without what the person had put there. */
    history: () => git("log", "-p", "--format=%B", "--all", "--not", "other", "--glob=refs/stash"),
    tags: () => git("for-each-ref", "--format=%(refname) %(contents)"),
    async run(command: string) {
      const ran = start(["bash", "-c", command], { cwd: folder, env: withCommitHooks(env, { ...hooks, hidden: "" }) });
      const { code } = await ran.ended;
      return { code, output: ran.output() };
    },
  };
}

const ways: [string, string][] = [
  ["a file that is ignored", "git add -f ignored.env && git commit -m x"],
  ["a copy made just before", "cp ignored.env b.txt; git add b.txt; git commit -m x"],
  ["a file moved just before", "mv ignored.env b.txt; git add b.txt && git commit -qm x"],
  ["a file written just before", "cat ignored.env > a.txt && git commit -am x"],
  ["without the hooks before a commit", "cat ignored.env > a.txt && git commit --no-verify -nam x"],
  ["amending", "cat ignored.env > a.txt && git commit -a --amend --no-edit"],
  ["a file of another branch", "git checkout other~1 -- secret.txt && git commit -m x"],
  ["a restored file", "git restore --source=other~1 --staged --worktree secret.txt; git commit -m x"],
  ["cherry-pick", "git cherry-pick other~1"],
  ["cherry-pick of two", "git cherry-pick other~1 other"],
  ["revert", "git cherry-pick -n other; git revert --no-edit other; git revert --no-edit HEAD"],
  ["a merge forward", "git merge other"],
  ["a merge with its own commit", "git merge --no-ff --no-edit other"],
  [
    "what is put into a merge",
    "git switch -qc t && git commit -qm t --allow-empty && git switch -q main && git commit -qm m --allow-empty && git merge -q --no-commit --no-ff t; git add -f ignored.env; git commit -m x",
  ],
  [
    "update-ref from standard input",
    'git add -f ignored.env; c=$(git commit-tree -p HEAD -m x $(git write-tree)); echo "update refs/heads/n $c" | git update-ref --stdin',
  ],
  ["a branch at a commit of no branch", "git add -f ignored.env; git branch n $(git commit-tree -p HEAD -m x $(git write-tree))"],
  ["a reset to a commit of no branch", "git add -f ignored.env; git reset -q --hard $(git commit-tree -p HEAD -m x $(git write-tree))"],
  [
    "a fetch from here",
    "git add -f ignored.env; c=$(git commit-tree -p HEAD -m x $(git write-tree)); git config uploadpack.allowAnySHA1InWant true; git fetch -q . $c:refs/heads/n",
  ],
  ["a file with a mark on its line", 'echo "$(cat ignored.env) # tool:allow-secret" > b.txt; git add b.txt; git commit -qm x'],
  ["a name with blanks and signs", "mkdir -p 'a b'; cp ignored.env 'a b/é \"x\".txt'; git add 'a b'; git commit -qm x"],
  ["a replaced commit", "git add -f ignored.env; git replace HEAD $(git commit-tree -p HEAD -m x $(git write-tree))"],
  ["a squashing merge", "git merge --squash other~1 && git commit -m x"],
  ["a rebase", "git switch -c topic && git commit --allow-empty -qm t && git rebase other"],
  ["a pull from here", "git pull . other"],
  ["am", "git am < ignored.patch"],
  ["apply", "git apply --index ignored.patch && git commit -m x"],
  ["a stash that comes back", "cat ignored.env > a.txt; git stash -q; git stash pop -q; git commit -am x"],
  ["a message from a command", 'git commit --allow-empty -m "$(cat ignored.env)"'],
  ["a message from a file", "git commit --allow-empty -F ignored.env"],
  ["a message from standard input", "git commit --allow-empty -F - < ignored.env"],
  ["a tag's message", 'git tag -a v1 -m "$(cat ignored.env)"'],
  ["a tag of a file", "git tag v1 $(git hash-object -w ignored.env)"],
  ["a note", 'git notes add -m "$(cat ignored.env)"'],
  ["an alias of settings", "git config alias.ci commit; git add -f ignored.env; git ci -m x"],
  ["a word in a variable", "c=commit; git add -f ignored.env; git $c -m x"],
  ["commit-tree", "git add -f ignored.env; git update-ref refs/heads/main $(git commit-tree -p HEAD -m x $(git write-tree))"],
  ["a reference of another kind", "git add -f ignored.env; git update-ref refs/x/y $(git commit-tree -p HEAD -m x $(git write-tree))"],
  ["from another folder", 'd=$PWD; cd /; git -C "$d" add -f ignored.env; git -C "$d" commit -m x'],
  ["GIT_DIR", 'd=$PWD; git add -f ignored.env; cd /; GIT_DIR="$d/.git" GIT_WORK_TREE="$d" git commit -m x'],
  ["another index", "GIT_INDEX_FILE=.git/i git add -f ignored.env; GIT_INDEX_FILE=.git/i git commit -m x"],
  ["a script", "printf 'git add -f ignored.env\\ngit commit -m x\\n' > s.sh; sh s.sh"],
  ["a script of npm", "npm run release"],
  [
    "a program",
    `node -e 'const r=require("child_process").spawnSync;r("git",["add","-f","ignored.env"]);r("git",["commit","-m","x"],{stdio:"inherit"})'`,
  ],
  ["a detached head", "git checkout -q --detach; git add -f ignored.env; git commit -m x"],
  ["another worktree", "git worktree add -q ignored-w; cp ignored.env ignored-w/b.txt; cd ignored-w; git add b.txt; git commit -m x"],
  ["a first commit on a new root", "git checkout -q --orphan new; git add -f ignored.env; git commit -m x"],
  [
    "fast-import",
    `printf 'commit refs/heads/n\\ncommitter t <t@l> 0 +0000\\ndata 1\\nx\\nM 644 inline f\\ndata %s\\n%s\\n' "$(wc -c < ignored.env)" "$(cat ignored.env)" | git fast-import --quiet`,
  ],
];

describe("the check at the moment of a commit", () => {
  it.each(ways)("lets no secret in: %s", async (_, command) => {
    const { run, history, tags } = workplace();
    const { output } = await run(command);
    expect({ history: history().includes(token), tags: tags().includes(token) }).toEqual({ history: false, tags: false });
    expect(output).toContain("Nothing was committed, because secrets would be:\n");
    expect(output.replaceAll(/[^\n]*\[[^\n]*\n/g, "")).not.toContain(token);
  });

  it("recognizes names of files that contain secrets, and reports file, kind and a masked value", async () => {
    const { run, put } = workplace();
    put("config/.env", "A=1\n");
    put("b.ts", `x = "${token}" // tool:allow-secret\n`);
    const { code, output } = await run("git add -f config b.ts && git commit -qm x");
    expect({ code, found: output.split("\n").filter((line) => / {2}/.test(line)) }).toEqual({
      code: 128,
      found: ["b.ts:1  github-token  ghp_… (40 characters)", "config/.env:1  env-file  (the file itself)"],
    });
  });
});

const harmless: [string, string][] = [
  ["a commit", "echo more >> a.txt; git commit -qam more"],
  ["a first commit elsewhere", "git init -q ignored-n && cd ignored-n && echo a > a && git add . && git commit -qm one"],
  [
    "a branch, a tag, a look at an old commit",
    "git branch b && git tag v1 && git tag -a v2 -m two && git checkout -q other~1 && git switch -q other",
  ],
  ["a branch at a commit with a secret that was there", "git switch -qc mine other && echo x > x && git add x && git commit -qm x"],
  ["a change of a file that had one", "git switch -q -c mine other~1 && echo more >> secret.txt && git commit -qam more"],
  ["a file that had one, under another name", "git switch -q -c mine other~1 && git mv secret.txt s.txt && git commit -qam more"],
  ["another message for a commit that had one", "git switch -q -c mine other~1 && git commit -q --amend -m again"],
  [
    "what a clone brings",
    "git clone -q . ignored-c && cd ignored-c && git switch -q other && git switch -q main && git merge -q origin/other",
  ],
  [
    "a rebase on clean ground",
    "git switch -qc t && echo t > t && git add t && git commit -qm t && git switch -q main && git commit -q --allow-empty -m m && git rebase -q main t",
  ],
  ["a stash", "echo x >> a.txt && git stash -q && git stash pop -q"],
  [
    "a binary and a very large file",
    "head -c 3000000 /dev/urandom > bin && head -c 30000000 /dev/zero | tr '\\0' 'a' > big && git add bin big && git commit -qm x",
  ],
];

it.each(harmless)("a commit without a secret succeeds: %s", async (_, command) => {
  const { run } = workplace();
  expect(await run(`set -e; ${command}`)).toEqual({ code: 0, output: "" });
});

it("the repository's own hooks run as without it: arguments, input, exit code, and in the configured folder", async () => {
  const { run, put, folder, git } = workplace();
  const hook = (path: string, text: string) => {
    put(path, `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, path), 0o755);
  };
  const log = join(folder, ".git/log");
  for (const name of ["pre-commit", "commit-msg", "post-commit", "post-checkout", "reference-transaction"])
    hook(
      `.git/hooks/${name}`,
      `echo "${name} $#" >> ${quoted(log)}; [ ${name} != reference-transaction ] || sed 's/.* / /' >> ${quoted(log)}`,
    );
  const told = (from: string) => execFileSync("sh", ["-c", `cat ${quoted(log)}; : > ${quoted(log)}`], { encoding: "utf8" }) || from;
  git("commit", "-qm", "by the person", "--allow-empty");
  git("switch", "-qc", "p");
  const person = told("nothing").replaceAll("heads/p", "heads/a");
  git("switch", "-q", "main");
  told("");
  expect(await run("git commit -qm 'by the agent' --allow-empty; git switch -qc a")).toEqual({ code: 0, output: "" });
  expect(told("nothing")).toBe(person);
  git("worktree", "add", "-q", "--detach", "ignored-linked");
  told("");
  expect(await run("cd ignored-linked && git commit -qm 'in a linked tree' --allow-empty")).toEqual({ code: 0, output: "" });
  expect(told("nothing")).toContain("pre-commit 0\ncommit-msg 1\n");
  hook("own/pre-commit", "exit 3");
  git("config", "core.hooksPath", "own");
  expect((await run("git commit -qm x --allow-empty")).code).toBe(1);
  hook("own/pre-commit", "echo mine >&2");
  expect(await run("git commit -qm x --allow-empty; git config core.hooksPath; git config --get-all core.hooksPath")).toEqual({
    code: 0,
    output: `mine\n${hooks.folder}\nown\n${hooks.folder}\n`,
  });
});
