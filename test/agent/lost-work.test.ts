// What a question names that a command would lose, on a real repository.
import { expect, it } from "vitest";
import { lostWork } from "../../src/agent/lost-work.ts";
import * as atStake from "../../src/edge/git/repository/at-stake.ts";
import { keptByGit } from "../../src/edge/git/repository/kept-by-git.ts";
import { locate } from "../../src/permissions/call.ts";
import { withKept } from "../../src/permissions/commands/kept-files.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { scratchRepository } from "../scratch.ts";

const real = async (path: string) => path;

/** A repository with a changed file, a staged one, an untracked file and folder, ignored ones, and a branch with a commit of its own. */
function repository() {
  const { top, git, put } = scratchRepository();
  put(".gitignore", ".env\ndist/\n");
  put("src/a.ts");
  put("src/b.ts");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("switch", "-qc", "idea");
  git("commit", "-q", "--allow-empty", "-m", "Try it");
  git("switch", "-q", "main");
  put("src/a.ts", "changed");
  put("new.ts");
  git("add", "new.ts");
  put("notes.md");
  put("drafts/one.md");
  put(".env");
  put("dist/out.js");
  return { top, put };
}

async function lost(command: string, { top }: { top: string }) {
  const made = await makePolicy({ cwd: top, home: "/home/me", configDir: "/home/me/.tool", sandbox: { kind: "active" } }, real);
  if (!made.ok) throw new Error(made.reason);
  const call = await withKept(await locate({ tool: "Bash", input: { command } }, made.policy, real), made.policy, keptByGit);
  return (await lostWork(call, top, atStake))?.replace("Would be lost: ", "").replace(/[0-9a-f]{7,} /, "");
}

it.each([
  ["git reset --hard", "new.ts (changed), src/a.ts (changed)"],
  ["git checkout -f main", "new.ts (changed), src/a.ts (changed)"],
  ["git stash", "new.ts (changed), src/a.ts (changed)"],
  ["git stash -u", "new.ts (changed), src/a.ts (changed), notes.md (untracked), drafts/ (untracked)"],
  ["git clean -f", "notes.md (untracked)"],
  ["git clean -fdx", "notes.md (untracked), drafts/ (untracked), .env (ignored), dist/ (ignored)"],
  ["git clean -fX", ".env (ignored)"],
  ["cd drafts && git clean -fd", "drafts/ (untracked)"],
  ["git checkout -- .", "new.ts (changed), src/a.ts (changed)"],
  ["git restore src/a.ts src/b.ts", "src/a.ts (changed)"],
  ["rm -rf src drafts", "src/a.ts (changed), drafts/ (untracked)"],
  ["echo x > notes.md", "notes.md (untracked)"],
  ["git branch -D idea", "Try it"],
  ["git branch -D main", undefined],
  ["npm test", undefined],
  ["git -C /elsewhere reset --hard", undefined],
  ['cd "$X" && git clean -fd', undefined],
])("%s names what git does not have", async (command, named) => {
  expect(await lost(command, repository())).toBe(named);
});

it("names five, and how many there are beyond them", async () => {
  const made = repository();
  for (const name of ["b.md", "c.md", "d.md", "e.md"]) made.put(name);
  expect(await lost("git clean -fd", made)).toBe(
    "b.md (untracked), c.md (untracked), d.md (untracked), e.md (untracked), notes.md (untracked), and 1 more",
  );
});
