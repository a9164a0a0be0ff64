// A repository's hooks before a unit's commit. test/e2e/batch.test.ts shows that git runs them with the real repository read-only.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hooksCommand, hooksRun, hooksText } from "../../src/batch/commit-hooks.ts";
import { gitEnv, testRepository } from "../edge/git/git-kit.ts";

const mark = "mark-of-this-process";
const hook = (lines: string) => `#!/bin/sh\n${lines}\n`;

/** Runs the command in a worktree with a change, as the sandbox's shell would. */
function ran(hooks: Record<string, string>, { folder = ".git/hooks", tracked = false } = {}) {
  const repository = testRepository();
  const files = Object.fromEntries(Object.entries(hooks).map(([name, text]) => [`${folder}/${name}`, text]));
  if (tracked) repository.commit(files);
  else repository.write(files);
  const worktree = repository.beside("unit");
  repository.say("worktree", "add", "--quiet", "-b", "tool/batch-1/u", worktree);
  execFileSync("sh", ["-c", "echo new > new.txt"], { cwd: worktree });
  const temporary = repository.beside("tmp");
  execFileSync("mkdir", [temporary]);
  const command = hooksCommand({
    hooks: { folder: join(repository.folder, folder), names: Object.keys(hooks) },
    root: repository.folder,
    message: "It's made\n\nBody\n",
    mark,
  });
  const before = [repository.say("for-each-ref"), repository.say("count-objects")];
  const { status, stdout } = spawnSync("bash", ["-c", `exec 2>&1\n${command}`], {
    cwd: worktree,
    env: { ...gitEnv, TMPDIR: temporary, HOOKS_OF: repository.folder },
    encoding: "utf8",
  });
  expect([repository.say("for-each-ref"), repository.say("count-objects")]).toEqual(before);
  expect(readdirSync(temporary)).toEqual([]);
  return hooksRun({ ending: status === 0 ? "" : `exit ${status}`, output: stdout, mark });
}

describe("hooksCommand()", () => {
  it("runs them as a commit does, on the unit's branch, and returns the message that they leave", () => {
    const hooks = {
      "pre-commit": hook(
        'test "$(git symbolic-ref --short HEAD)" = tool/batch-1/u && git diff --cached --name-only && echo more >more.txt && git add more.txt',
      ),
      "commit-msg": hook('git diff --cached --name-only >>"$1"'),
    };
    expect(ran(hooks)).toEqual({ kind: "passed", message: "It's made\n\nBody\nmore.txt\nnew.txt\n" });
  });

  it("fails if a hook refuses, with the hook's output", () => {
    const run = ran({ "pre-commit": hook("echo 'no tabs, please'; exit 3") });
    expect(run).toEqual({ kind: "refused", output: "no tabs, please\n[exit 1]" });
    expect(hooksText({ folder: "", names: ["pre-commit"] }, run)).toBe("pre-commit refused");
  });

  it("runs tracked hooks from the worktree", () => {
    const asked = hook('case "$0" in *unit/checks/pre-commit) exit 0;; *) exit 1;; esac');
    expect(ran({ "pre-commit": asked }, { folder: "checks", tracked: true })).toMatchObject({ kind: "passed" });
  });
});
