// In a subfolder of a repository, revisions name files above it, which are asked about.
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryAbove } from "../../../src/edge/git/places.ts";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import type { Places } from "../../../src/permissions/paths/given-path.ts";
import { makePolicy } from "../../../src/permissions/policy.ts";
import { withRepositoryFiles } from "../../../src/shell/uses/git-reach.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";
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

it("asks in a subfolder for what a revision names above it, and nowhere else", async () => {
  const top = realpathSync(scratchFolder());
  const inner = join(top, "inner");
  mkdirSync(inner);
  execFileSync("git", ["init", "-q"], { cwd: top });
  const above = ["git show HEAD:top.txt", "git show :0:top.txt", "git cat-file -p HEAD:top.txt", 'git show "HEAD@{1}:top.txt"'];
  above.push(`git show ${":a".repeat(30)}`); // whichever of them it means
  const below = ["git show HEAD:inner/a.txt", "git show HEAD:./a.txt", "git log --oneline", "git status"];
  expect(await unasked(inner, [...above, ...below])).toEqual(below);
  expect(await unasked(inner, above, [`Read(/${top}/**)`, `Read(/${top})`])).toEqual(above);
  expect(await unasked(top, above)).toEqual(above);
});

it("takes a staged version for the path alone", () => {
  const { commands } = withRepositoryFiles(analyseCommand("git show :0:src/a.ts HEAD:0:b"), { cwd: "/r", repository: "/r" } as Places);
  const paths = commands.flatMap(({ files }) => files.flatMap(({ recursive, path }) => (recursive ? path : [])));
  expect(paths).toEqual(["/r/src/a.ts", "/r/0:b", "/r/b"]);
});
