// What `doctor` checks on this machine: programs and their versions, files of the working tree, modes of our own folder.

import { statSync } from "node:fs";
import type { Machine } from "../../app/machine.ts";
import { skippedEntries } from "./helper-programs.ts";
import { run } from "./run.ts";

export async function machine({ cwd, configDir }: { cwd: string; configDir: string }): Promise<Machine> {
  const [git, rg, tmux, files] = await Promise.all([
    version("git", "--version"),
    version("rg", "--version"),
    version("tmux", "-V"),
    gitFiles(cwd),
  ]);
  const programs = { git, rg, tmux };
  const { platform } = process;
  return { node: process.versions.node, platform, programs, skippedEntries: skippedEntries(), files, configMode: modeOf(configDir) };
}

async function version(program: string, flag: string): Promise<string | undefined> {
  const { code, stdout } = await run([program, flag], { timeoutMs: 5_000 });
  return code === 0 ? stdout.split("\n")[0]?.trim() : undefined;
}

async function gitFiles(cwd: string): Promise<string[] | undefined> {
  const { code, stdout } = await run(
    ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd, timeoutMs: 20_000 },
  );
  return code === 0 ? stdout.split("\0").filter(Boolean) : undefined;
}

function modeOf(path: string): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && stat.mode & 0o777;
}
