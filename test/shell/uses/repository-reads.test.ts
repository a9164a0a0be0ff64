// In a subfolder of a repository, git prints files above it only after a question.
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryAbove } from "../../../src/edge/git/places.ts";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { makePolicy } from "../../../src/permissions/policy.ts";
import { scratchFolder } from "../../scratch.ts";

/** Commands that need no question in this folder, with these rules. */
async function unasked(cwd: string, commands: string[], allow: string[] = []): Promise<string[]> {
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd, home: "/home/me", configDir: "/home/me/.tool", allow }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, repository: repositoryAbove(cwd) };
  const decisions = await Promise.all(
    commands.map(async (command) => decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision),
  );
  return commands.filter((_, at) => decisions[at] === "allow");
}

it("asks in a subfolder for what git prints of files above it, and nowhere else", async () => {
  const top = realpathSync(scratchFolder());
  const inner = join(top, "inner");
  mkdirSync(inner);
  execFileSync("git", ["init", "-q"], { cwd: top });
  writeFileSync(join(top, "top.txt"), "above");
  const wide = [
    "git show HEAD:top.txt",
    "git show :0:top.txt",
    "git cat-file -p HEAD:top.txt",
    "git show HEAD:./../top.txt",
    "git show HEAD",
    "git show",
    "git diff",
    "git log -p",
    "git log -p -- :/",
    "sh -c 'git log -p'",
    "git diff HEAD~1 HEAD:top.txt",
    "cd . && git stash show -p",
    'git show "HEAD@{1}:top.txt"',
  ];
  const narrow = [
    "git log -p -- .",
    "git log -p -- a.txt",
    "git show HEAD:inner/a.txt",
    "git show HEAD:./a.txt",
    "git log --oneline",
    "git status",
  ];
  expect(await unasked(inner, [...wide, ...narrow])).toEqual(narrow);
  const fromRoot = wide.filter((command) => !command.includes("./..")); // at the root that leads out
  expect(await unasked(inner, fromRoot, [`Read(/${top}/**)`, `Read(/${top})`])).toEqual(await unasked(top, fromRoot));
  expect(await unasked(top, ["git show HEAD:top.txt", "git log -p", "git diff"])).toEqual([
    "git show HEAD:top.txt",
    "git log -p",
    "git diff",
  ]);
});
