// The git hook that scans for secrets before the user commits, in git's hooks folder, and the location of the hooks for agents' commits.
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { HookOutcome } from "../../app/world.ts";
import { quotedWord } from "../../wording/shell-word.ts";
import { isExecutable } from "../display/start-check.ts";
import { git, repositoryPlace, repositorySettings } from "./own-git.ts";
import { readUntrusted } from "./untrusted-file.ts";

const largestHook = 1024 * 1024;

/** Identifies our hook. */
const mark = "# made by: tool secrets install-hook";

/**
 * `self` is the command that starts this program. An existing hook is left alone, or with `force` kept as `pre-commit.before-tool` and run
 * first.
 */
export async function installHook(cwd: string, { self, force }: { self: string[]; force: boolean }): Promise<HookOutcome> {
  const place = await hookPath(cwd);
  if (!place.ok) return { ok: false, reason: `Cannot install the hook: ${place.why}` };
  const { path } = place;
  const kept = `${path}.before-tool`;
  const found = readUntrusted(path, { most: largestHook });
  if (found.kind === "refused") return { ok: false, reason: `Cannot install the hook: ${path} ${found.why}` };
  const there = found.kind === "read" ? found.bytes.toString("utf8") : undefined;
  if (there !== undefined && !there.includes(mark)) {
    if (!force) {
      const line = `${self.map(quotedWord).join(" ")} secrets scan --staged || exit 1`;
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
  const place = await hookPath(cwd);
  if (!place.ok) return { ok: false, reason: `Cannot remove the hook: ${place.why}` };
  const { path } = place;
  const there = readUntrusted(path, { most: largestHook });
  if (there.kind === "absent") return { ok: false, reason: "There is no hook before commits here" };
  if (there.kind === "refused" || !there.bytes.includes(mark)) return { ok: false, reason: `The hook ${path} is not ours, and stays` };
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

/** Where git looks for hooks: what the repository says counts only within it. */
async function hookPath(cwd: string): Promise<{ ok: true; path: string } | { ok: false; why: string }> {
  const found = await repositoryPlace(cwd);
  if (found.kind === "none") return { ok: false, why: `${cwd} is in no git repository` };
  if (found.kind === "refused") return { ok: false, why: found.why };
  const { top, commonDir } = found.place;
  const own = (await repositorySettings(cwd))?.findLast(([key]) => key === "core.hookspath")?.[1];
  const persons = (await git(cwd, ["config", "-z", "--type=path", "--get-all", "core.hooksPath"])).stdout.toString("utf8").split("\0");
  const folder = own === undefined ? (persons.slice(0, -1).at(-2) ?? join(commonDir, "hooks")) : resolve(top, own);
  const isInside = [top, commonDir].some((place) => `${folder}/`.startsWith(`${place}/`));
  if (own !== undefined && !isInside)
    return { ok: false, why: `the settings of ${top} name a folder for hooks outside of it (core.hooksPath is ${own})` };
  return { ok: true, path: join(folder, "pre-commit") };
}

const stopped =
  "tool stopped this commit. A find that is no secret passes with tool:allow-secret on its line; git commit --no-verify passes over all, once.";

function script(self: string[], before: string | undefined): string {
  return [
    "#!/bin/sh",
    mark,
    "# Looks for secrets in what is staged. Passed over once by: git commit --no-verify",
    ...(before ? [`${quotedWord(before)} "$@" || exit $?`] : []),
    `${self.map(quotedWord).join(" ")} secrets scan --staged && exit 0`,
    "code=$?",
    `echo ${quotedWord(stopped)} >&2`,
    "exit $code",
    "",
  ].join("\n");
}
