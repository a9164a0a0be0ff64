import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { keepOutOfGit } from "../../src/settings/local-ignore.ts";
import { scratchFolder } from "../scratch.ts";

function repository(ignored?: string) {
  const root = scratchFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  git("init", "-q");
  mkdirSync(join(root, ".tool"));
  const ignore = join(root, ".tool/.gitignore");
  if (ignored !== undefined) writeFileSync(ignore, ignored);
  const settings = join(root, ".tool/settings.local.json");
  keepOutOfGit(disk, settings);
  writeFileSync(settings, "{}");
  return { untracked: git("status", "--short", "-uall"), ignore: readFileSync(ignore, "utf8") };
}

it("keepOutOfGit() creates an ignore file, and neither it nor the settings appear as untracked", () => {
  expect(repository()).toEqual({ untracked: "", ignore: "settings.local.json\n.gitignore\n" });
});

it("keepOutOfGit() adds the line to a file that lacks it, and leaves one that has it", () => {
  expect(repository("cache")).toEqual({ untracked: "?? .tool/.gitignore\n", ignore: "cache\nsettings.local.json\n" });
  expect(repository("*\n")).toEqual({ untracked: "", ignore: "*\n" });
  expect(repository("*.local.json\n").ignore).toBe("*.local.json\n");
});
