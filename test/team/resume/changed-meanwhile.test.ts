// What a teammate that continues a task is told about changes in the working tree, on a real disk and with a real git.
import { execFileSync } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { disk } from "../../../src/edge/disk/disk.ts";
import { changedMeanwhile } from "../../../src/team/resume/changed-meanwhile.ts";
import { scratchFolder } from "../../scratch.ts";

const since = "2026-01-02T03:04:05.000Z";
const before = new Date("2026-01-02T03:00:00Z");
const after = new Date("2026-01-02T04:00:00Z");

/** A repository with a commit and a file from before. */
function repository() {
  const folder = scratchFolder();
  const git = (when: Date, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"], GIT_COMMITTER_DATE: when.toISOString(), GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  const write = (path: string, when: Date) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), path);
    utimesSync(join(folder, path), when, when);
  };
  git(before, "init", "--quiet", "-b", "work");
  git(before, "commit", "--quiet", "--allow-empty", "-m", "Old");
  write("src/old.js", before);
  return { folder, git, write };
}

function changes(cwd: string, paths: string[], own: string[] = []) {
  return changedMeanwhile({ disk, paths: async () => paths }, { cwd, since, own });
}

describe("changedMeanwhile()", () => {
  it("says nothing if nothing has changed", async () => {
    const { folder } = repository();
    expect(await changes(folder, ["src/old.js"], ["src/old.js"])).toBeUndefined();
  });

  it("names files that are newer, own files that are gone, and what moved the branch", async () => {
    const { folder, git, write } = repository();
    write("src/new.js", after);
    git(after, "checkout", "--quiet", "-b", "other");
    git(after, "commit", "--quiet", "--allow-empty", "-m", "Somebody's");
    expect(await changes(folder, ["src/old.js", "src/new.js"], ["src/gone.js", "src/old.js"])).toEqual({
      files: ["src/new.js"],
      gone: ["src/gone.js"],
      git: ["checkout: moving from work to other", "commit: Somebody's"],
    });
    expect(await changes(join(folder, "src"), ["old.js"])).toMatchObject({ files: [], git: [expect.anything(), expect.anything()] });
  });

  it("looks at the branch of the worktree that it is in", async () => {
    const { folder, git } = repository();
    const tree = join(folder, "tree");
    git(before, "worktree", "add", "--quiet", tree);
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "-m", "Here"], {
      cwd: tree,
      env: { PATH: process.env["PATH"], GIT_COMMITTER_DATE: after.toISOString(), GIT_CONFIG_GLOBAL: "/dev/null" },
    });
    expect(await changes(tree, [])).toEqual({ files: [], gone: [], git: ["commit: Here"] });
    expect(await changes(folder, [])).toBeUndefined();
  });
});
