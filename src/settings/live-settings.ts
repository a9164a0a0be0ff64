// Reads settings and .toolignore while a session runs, so that a change applies from the next call.
import { type LoadedSettings, loadSettings, settingsMark } from "./files.ts";
import type { TrustDisk } from "./trust.ts";

/** `waits`: the project's settings ask for more than before and are not trusted for it. `settled`: who may be asked has been asked elsewhere. */
export type SettingsLook =
  | { kind: "same" }
  | { kind: "changed"; settings: LoadedSettings; waits: boolean; settled?: true }
  | { kind: "broken"; reason: string };

/**
 * Each call returns the changes since the previous one. Trust is required as at the start; `--trust` covers only the settings that existed
 * then.
 */
export function liveSettings(disk: TrustDisk, first: LoadedSettings): () => SettingsLook {
  const { places, flags } = first.by;
  const { trusted = first.hash } = flags;
  let mark = settingsMark(disk, first);
  let held = first.effective.held.length;
  return () => {
    const now = settingsMark(disk, first);
    if (now === mark) return { kind: "same" };
    mark = now;
    const loaded = loadSettings(disk, places, { ...flags, trusted });
    if (!loaded.ok) return { kind: "broken", reason: loaded.reason };
    const waits = loaded.effective.held.length > held;
    held = loaded.effective.held.length;
    return { kind: "changed", settings: loaded, waits };
  };
}
