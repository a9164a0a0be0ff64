// The git hook that scans for secrets before the user commits, in git's hooks folder, and the location of the hooks for agents' commits.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { HookOutcome } from "../../app/world.ts";
import { isExecutable } from "../display/start-check.ts";
import { git } from "./repository-files.ts";

/** Identifies our hook. */
const mark = "# made by: tool secrets install-hook";

/**
 * `self` is the command that starts this program. An existing hook is left alone, or with `force` kept as `pre-commit.before-tool` and run
 * first.
 */
export async function installHook(cwd: string, { self, force }: { self: string[]; force: boolean }): Promise<HookOutcome> {
  const path = await hookPath(cwd);
  if (path === undefined) return { ok: false, reason: `Cannot install the hook: ${cwd} is in no git repository` };
  const kept = `${path}.before-tool`;
  const there = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (there !== undefined && !there.includes(mark)) {
    if (!force) {
      const line = `${self.map(shellWord).join(" ")} secrets scan --staged || exit 1`;
      return {
        ok: false,
        reason: `There is a hook already: ${path}. Add this line to it, or use --force to keep it and run it first:\n  ${line}`,
      };
    }
    renameSync(path, kept);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, script(self, existsSync(kept) ? kept : undefined));
  chmodSync(path, 0o755);
  return { ok: true, path };
}

/** Restores the previous hook. */
export async function uninstallHook(cwd: string): Promise<HookOutcome> {
  const path = await hookPath(cwd);
  if (path === undefined) return { ok: false, reason: `Cannot remove the hook: ${cwd} is in no git repository` };
  if (!existsSync(path)) return { ok: false, reason: "There is no hook before commits here" };
  if (!readFileSync(path, "utf8").includes(mark)) return { ok: false, reason: `The hook ${path} is not ours, and stays` };
  rmSync(path);
  if (existsSync(`${path}.before-tool`)) renameSync(`${path}.before-tool`, path);
  return { ok: true, path };
}

/**
 * The hooks for agents' commands, as installed by the build. Undefined if they cannot be run: then commits are scanned before a command runs,
 * and not again by git.
 */
export function commitHooks(folder: string): { folder: string; node: string } | undefined {
  return isExecutable(resolve(folder, "reference-transaction")) ? { folder, node: process.execPath } : undefined;
}

async function hookPath(cwd: string): Promise<string | undefined> {
  const found = await git(cwd, ["rev-parse", "--git-path", "hooks"]);
  return found.code === 0 ? resolve(cwd, found.stdout.toString("utf8").trim(), "pre-commit") : undefined;
}

function script(self: string[], before: string | undefined): string {
  return [
    "#!/bin/sh",
    mark,
    "# Looks for secrets in what is staged. Passed over once by: git commit --no-verify",
    ...(before ? [`${shellWord(before)} "$@" || exit $?`] : []),
    `exec ${self.map(shellWord).join(" ")} secrets scan --staged`,
    "",
  ].join("\n");
}

const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
