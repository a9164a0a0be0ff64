// What `doctor` finds on a real disk and in a real repository: files that git tracks, files without a rule, and whether our folder is
// usable.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { machine } from "../../../src/edge/processes/machine.ts";
import { lacks } from "../../needs.ts";
import { scratchFolder, smallDisk } from "../../scratch.ts";

it("tells the files that git tracks from those that no rule covers", async () => {
  const cwd = scratchFolder();
  const git = (...argv: string[]) => execFileSync("git", argv, { cwd });
  git("init", "-q");
  for (const name of ["covered", "plain", "new", "ignored"]) writeFileSync(join(cwd, name), "");
  git("add", "covered", "plain");
  writeFileSync(join(cwd, ".gitignore"), "covered\nignored\n");
  const { files } = await machine({ cwd, configDir: cwd });
  expect(files).toEqual({ tracked: ["covered", "plain"], uncovered: [".gitignore", "new", "plain"] });
});

it("finds no files outside a repository, and says whether the configuration folder is there or can be made", async () => {
  const cwd = scratchFolder();
  const file = join(cwd, "file");
  writeFileSync(file, "");
  mkdirSync(join(cwd, "there"));
  chmodSync(join(cwd, "there"), 0o750); // whatever the umask
  const found = (configDir: string) => machine({ cwd, configDir });
  expect(await found(join(cwd, "there"))).toMatchObject({ files: undefined, configFolder: { kind: "there", mode: 0o750 } });
  expect((await found(join(cwd, "not", "yet"))).configFolder).toEqual({ kind: "absent" });
  for (const path of [file, join(file, ".tool")]) {
    expect((await found(path)).configFolder).toEqual({ kind: "refused", path, code: "ENOTDIR" });
  }
});

it.skipIf(await lacks("a file system of its own"))("finds that a folder cannot be written, or not be made", async () => {
  const { folder, remount } = smallDisk("size=64k");
  remount("ro");
  for (const configDir of [folder, join(folder, ".tool")]) {
    const { configFolder } = await machine({ cwd: folder, configDir });
    expect(configFolder).toEqual({ kind: "refused", path: configDir, code: "EROFS" });
  }
});

it.skipIf(await lacks("a file system of its own"))("finds that the disk of our folder is full", async () => {
  const { folder } = smallDisk("size=64k");
  expect((await machine({ cwd: folder, configDir: folder })).configFolder).toMatchObject({ kind: "there" });
  const fill = () => writeFileSync(join(folder, "fill"), Buffer.alloc(128 * 1024));
  expect(fill).toThrow("ENOSPC");
  for (const configDir of [folder, join(folder, ".tool")]) {
    const { configFolder } = await machine({ cwd: folder, configDir });
    expect(configFolder).toEqual({ kind: "refused", path: configDir, code: "ENOSPC" });
  }
});
