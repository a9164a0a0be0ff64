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
  // Whatever way a rule names a place of the user's tree, the worktree has a copy of it.
  const narrowing = (rules: WrittenRule[]) =>
    rules.flatMap((rule) => {
      const copied = belowTree(rule.text, { root, home: places.home });
      return copied === undefined ? [rule] : [rule, { ...rule, text: copied, folder: top }];
    });
  const named = flags.settings?.map((path) => resolve(places.cwd, path));
  return {
    ...loaded,
    ...(toolignore && { toolignore: { ...toolignore, folder: top } }),
    files: files.map((file) => ({ ...file, folder: moved(file.folder) })),
    effective: { ...effective, rules: { allow: movedRules(allow), ask: movedRules(narrowing(ask)), deny: movedRules(narrowing(deny)) } },
    by: { places: { ...places, cwd, tree: root }, flags: { ...flags, ...(named && { settings: named }) } },
  };
}

/** A path rule that names a place in `root` absolutely or from the home folder, as one below the settings' folder. */
function belowTree(text: string, { root, home }: { root: string; home: string }): string | undefined {
  const [, tool, written = ""] = /^([A-Za-z]+)\((\/\/|~\/)/.exec(text) ?? [];
  if (tool === undefined || tool === "Bash") return undefined;
  const pattern = text.slice(tool.length + 1 + written.length, -1);
  const absolute = written === "//" ? `/${pattern}` : `${home}/${pattern}`;
  return absolute.startsWith(`${root}/`) ? `${tool}(/${absolute.slice(root.length + 1)})` : undefined;
}
