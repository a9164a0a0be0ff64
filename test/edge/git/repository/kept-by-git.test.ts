// Whether git has a file exactly as it is, on a real repository, and cases that only look like it.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keptByGit } from "../../../../src/edge/git/repository/kept-by-git.ts";
import { scratchFolder } from "../../../scratch.ts";

function repository() {
  const top = scratchFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], { cwd: top, stdio: "pipe" });
  const put = (path: string, text: string) => {
    mkdirSync(join(top, path, ".."), { recursive: true });
    writeFileSync(join(top, path), text);
  };
  git("init", "-q");
  for (const path of ["src/a.ts", "src/deep/b c.ts", "old/x.ts", "top.ts"]) put(path, `${path}\n`);
  symlinkSync("../top.ts", join(top, "src/link"));
  git("add", "-A");
  git("commit", "-qm", "first");
  return { top, git, put, kept: (path: string) => keptByGit(join(top, path)) };
}

it("is true for committed and staged versions, and for missing files", async () => {
  const { top, put, git, kept } = repository();
  put("staged.ts", "staged\n");
  git("add", "staged.ts");
  mkdirSync(join(top, "empty"));
  expect(
    await Promise.all(["src/a.ts", "src", "old", "src/deep/b c.ts", "src/link", "staged.ts", "empty", "nowhere", "src/no/where"].map(kept)),
  ).toEqual(Array(9).fill(true));
});

it("is false for files that changed, were never added or are ignored, and for their neighbours", async () => {
  const { put, kept } = repository();
  put("src/a.ts", "changed\n");
  put("old/new.ts", "new\n");
  put(".gitignore", "*.log\n");
  put("a.log", "");
  expect(await Promise.all(["src/a.ts", "src", "old", "old/x.ts", "a.log", ".gitignore", "."].map(kept))).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
});

it("is not misled by links, other repositories, intent-to-add entries, or a pattern", async () => {
  const { top, git, put, kept } = repository();
  const other = scratchFolder();
  writeFileSync(join(other, "a.ts"), "src/a.ts\n");
  symlinkSync(other, join(top, "away"));
  put("inner/a.ts", "src/a.ts\n");
  execFileSync("git", ["init", "-q"], { cwd: join(top, "inner") });
  put("meant.ts", "meant\n");
  git("add", "-N", "meant.ts");
  put("*.ts", "star\n");
  // Another file in the place of one that git has.
  rmSync(join(top, "top.ts"));
  symlinkSync(join(other, "a.ts"), join(top, "top.ts"));
  expect(await Promise.all(["away", "away/a.ts", "inner", "inner/.git", "meant.ts", "*.ts", "top.ts"].map(kept))).toEqual(
    Array(7).fill(false),
  );
});

it("starts no program of the repository", async () => {
  const { top, git, put, kept } = repository();
  const ran = join(top, "ran");
  for (const key of ["core.fsmonitor", "filter.x.clean", "filter.x.process"]) git("config", key, `touch ${ran}`);
  put(".gitattributes", "* filter=x\n");
  expect([await kept("src/a.ts"), await kept("ran")]).toEqual([true, true]);
});
