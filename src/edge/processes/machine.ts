// What `doctor` checks on this machine: programs and their versions, files of the working tree, our own folder.

import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { ConfigFolder, GitFiles, Machine } from "../../app/settings/machine.ts";
import { git, gitAlone } from "../git/own-git.ts";
import { codeOf } from "../system-error.ts";
import { skippedEntries } from "./helper-programs.ts";
import { run } from "./run.ts";

export async function machine({ cwd, configDir }: { cwd: string; configDir: string }): Promise<Machine> {
  const [gitVersion, rg, tmux, files] = await Promise.all([
    gitAlone(["--version"]).then(({ code, stdout }) => (code === 0 ? stdout.toString("utf8").trim() : undefined)),
    version("rg", "--version"),
    version("tmux", "-V"),
    gitFiles(cwd),
  ]);
  const programs = { git: gitVersion, rg, tmux };
  const { platform } = process;
  return {
    node: process.versions.node,
    platform,
    programs,
    skippedEntries: skippedEntries(),
    files,
    configFolder: configFolder(configDir),
  };
}

async function version(program: string, flag: string): Promise<string | undefined> {
  const { code, stdout } = await run([program, flag], { timeoutMs: 5_000 });
  return code === 0 ? stdout.split("\n")[0]?.trim() : undefined;
}

async function gitFiles(cwd: string): Promise<GitFiles | undefined> {
  const list = async (...which: string[]) => {
    const { code, stdout } = await git(cwd, ["ls-files", "-z", "--exclude-standard", ...which], { limitMs: 20_000 });
    return code === 0 ? [...new Set(stdout.toString("utf8").split("\0").filter(Boolean))] : undefined;
  };
  const [tracked, coveredAndTracked, untracked] = await Promise.all([list("--cached"), list("--cached", "--ignored"), list("--others")]);
  if (!tracked || !coveredAndTracked || !untracked) return undefined;
  const covered = new Set(coveredAndTracked);
  return { tracked, uncovered: [...tracked.filter((path) => !covered.has(path)), ...untracked].sort() };
}

function configFolder(path: string): ConfigFolder {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) return { kind: "refused", path, code: "ENOTDIR" };
    // A missing folder is made in the first of its parents that is there.
    const { R_OK, W_OK, X_OK } = constants;
    const there = firstThere(path);
    accessSync(there, stat ? R_OK | W_OK | X_OK : W_OK | X_OK);
    if (isFull(there)) return { kind: "refused", path, code: "ENOSPC" };
    return stat ? { kind: "there", mode: stat.mode & 0o777 } : { kind: "absent" };
  } catch (error) {
    return { kind: "refused", path, code: codeOf(error) ?? "EIO" };
  }
}

const firstThere = (path: string): string => (statSync(path, { throwIfNoEntry: false }) ? path : firstThere(dirname(path)));

/** Some file systems count no blocks, or no files: 0 of 0 says nothing. */
function isFull(folder: string): boolean {
  const { blocks, bavail, files, ffree } = statfsSync(folder);
  return (blocks > 0 && bavail === 0) || (files > 0 && ffree === 0);
}
