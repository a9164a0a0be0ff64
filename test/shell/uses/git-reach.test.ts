import { describe, expect, it } from "vitest";
import { evadesHooks, gitFolders } from "../../../src/shell/uses/git-reach.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

it("names the folders that a command changes to or runs git in", () => {
  const of = (command: string) => gitFolders(analyseCommand(command));
  expect(of("git status && ls sub")).toEqual([]);
  expect(of("cd a && cd b && git status")).toEqual(["a", "a/b"]);
  expect(of("pushd 'my folder'; git log")).toEqual(["my folder"]);
  expect(of("git -C sub/x add . && git -C /other log")).toEqual(["sub/x", "/other"]);
  expect(of("cd a; git -C b commit -m x")).toEqual(expect.arrayContaining(["a", "a/b"]));
  expect(of("sh -c 'cd q; git commit -m x'")).toEqual(["q"]);
  expect(of("d=sub; cd $d && git diff")).toEqual(["sub"]);
  expect(of("for d in a b; do git -C $d status; done")).toEqual(["a", "b"]);
  expect(of("cd ~/x; cd */; cd $UNKNOWN; git status")).toEqual(["~/x"]);
});

describe("a command that disables git's hooks", () => {
  it.each([
    "git -c core.hooksPath=/dev/null commit",
    "git -c core.hooksPath commit",
    "git -c core.'hooks'Path=/dev/null commit",
    "x=core.hooksPath; git -c $x=/dev/null commit",
    "git --config-env=core.hookspath=X commit",
    "env -u GIT_CONFIG_COUNT git ci",
    "unset GIT_CONFIG_COUNT; git log",
    "export GIT_CONFIG_PARAMETERS=; git log",
    "GIT_CONFIG_KEY_0=a git status",
    "TOOL_HIDDEN= git commit",
    "env -i PATH=$PATH git commit",
    "env - git merge x",
    "env -i git status",
    "env --ignore git diff",
    "exec -c git log -p",
    "exec -lc git commit -m x",
    "env -i nice git show",
    'sh -c "env -i git commit -m x"',
    "xargs git -c core.hooksPath=a commit < f",
    "python3 -c 'import os; os.system(\"git -c core.hooksPath=/x commit\")'",
    "git -c core.hooksPath=/x commit \u202e",
  ])("is found: %s", (command) => {
    expect(evadesHooks(analyseCommand(command))).toBe(true);
  });

  it.each([
    "git commit -m x",
    "git commit --no-verify -m x",
    "git config core.hooksPath; env -i ls",
    "env -i ls; git status",
    "exec -a git ls",
    "echo GIT_CONFIG_COUNT",
    "git -c a=b commit a.ts",
    "git log --grep core.hooksPath",
  ])("is not one of these: %s", (command) => {
    expect(evadesHooks(analyseCommand(command))).toBe(false);
  });
});
