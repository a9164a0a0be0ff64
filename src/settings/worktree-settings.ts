// The settings of a session for one of its agents that works in a worktree of the person's tree: the same rights, about the files there.
import { resolve } from "node:path";
import type { WrittenRule } from "../permissions/policy.ts";
import type { LoadedSettings } from "./files.ts";

/** `top`: the root of the worktree; `cwd`: the agent's folder in it. What the person changes in the settings of their tree counts there too. */
export function settingsInWorktree(loaded: LoadedSettings, { top, cwd }: { top: string; cwd: string }): LoadedSettings {
  const { root, toolignore, effective, files, by } = loaded;
  const { places, flags } = by;
  const moved = (folder: string) => (folder === root ? top : folder === places.cwd ? cwd : folder);
  const movedRules = (rules: WrittenRule[]) =>
    rules.map((rule) => (rule.folder === undefined ? rule : { ...rule, folder: moved(rule.folder) }));
  const { allow, ask, deny } = effective.rules;
  const named = flags.settings?.map((path) => resolve(places.cwd, path));
  return {
    ...loaded,
    ...(toolignore && { toolignore: { ...toolignore, folder: top } }),
    files: files.map((file) => ({ ...file, folder: moved(file.folder) })),
    effective: { ...effective, rules: { allow: movedRules(allow), ask: movedRules(ask), deny: movedRules(deny) } },
    by: { places: { ...places, cwd, tree: root }, flags: { ...flags, ...(named && { settings: named }) } },
  };
}
