// The settings for a session's agent in a worktree of the user's tree: the same rights, for the files in the worktree.
import { resolve } from "node:path";
import type { WrittenRule } from "../permissions/policy.ts";
import type { LoadedSettings } from "./files.ts";

/**
 * `top`: the root of the worktree; `cwd`: the agent's folder in it. Changes that the user makes to the settings of their tree apply there
 * too.
 */
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
    copy: { at: top, of: root },
    files: files.map((file) => ({ ...file, folder: moved(file.folder) })),
    effective: { ...effective, rules: { allow: movedRules(allow), ask: movedRules(ask), deny: movedRules(deny) } },
    by: { places: { ...places, cwd, tree: root }, flags: { ...flags, ...(named && { settings: named }) } },
  };
}
