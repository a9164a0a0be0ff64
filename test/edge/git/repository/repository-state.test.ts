// The state of a repository, from a real git in real repositories, including some whose settings would start programs.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryState } from "../../../../src/edge/git/repository/repository-state.ts";
import { scratchFolder } from "../../../scratch.ts";

const options = { limitMs: 20_000 };

function repository(): { folder: string; git: (...args: string[]) => void } {
  const folder = realpathSync(scratchFolder());
  const git = (...args: string[]) =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "one\n");
  git("add", "a.txt");
  git("commit", "-qm", "Begin with a");
  return { folder, git };
}

describe("repositoryState()", () => {
  it("names the branch, the main branch, the changes by their absolute paths and the latest commits, from a folder below too", async () => {
    const { folder, git } = repository();
    for (const subject of ["Second", "Third", "Fourth"]) git("commit", "-q", "--allow-empty", "-m", subject);
    git("checkout", "-q", "-b", "topic");
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "a.txt"), "two\n");
    writeFileSync(join(folder, "src/new one.txt"), "");
    const facts = await repositoryState(join(folder, "src"), options);
    expect(facts).toEqual({
      kind: "known",
      branch: "topic",
      mainBranch: "main",
      changes: [
        { state: " M", path: join(folder, "a.txt") },
        { state: "??", path: `${join(folder, "src")}/` },
      ],
      commits: ["Fourth", "Third", "Second"].map((subject) => expect.stringMatching(new RegExp(`^[0-9a-f]{7,} ${subject}$`))),
    });
  });

  it("says that there is no repository, and recognizes one without a commit", async () => {
    const empty = realpathSync(scratchFolder());
    expect(await repositoryState(empty, options)).toEqual({ kind: "none" });
    execFileSync("git", ["init", "-q", "-b", "main", empty]);
    expect(await repositoryState(join(empty, ".git"), options)).toEqual({ kind: "bare" });
    expect(await repositoryState(empty, options)).toEqual({
      kind: "known",
      branch: "No commits yet on main",
      mainBranch: undefined,
      changes: [],
      commits: [],
    });
  });

  it.each([
    ["filter.evil.clean", "a.txt filter=evil"],
    ["core.fsmonitor", ""],
    ["gpg.program", ""],
  ])("starts nothing that %s names", async (setting, attributes) => {
    const { folder, git } = repository();
    const canary = join(folder, "started");
    git("config", setting, `touch ${canary}`);
    git("config", "log.showSignature", "true");
    writeFileSync(join(folder, ".gitattributes"), `${attributes}\n`);
    writeFileSync(join(folder, "a.txt"), "six\n");
    expect([(await repositoryState(folder, options)).kind, existsSync(canary)]).toEqual(["known", false]);
  });
});
