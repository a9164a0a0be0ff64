// Loads the settings of the working directory for a command.
import type { LoadedSettings, SettingsFlags, SettingsPlaces } from "../../settings/files.ts";
import { isFolder } from "../is-folder.ts";
import { UsageError, type World } from "../world.ts";

export function settingsPlaces({ cwd, home, configDir, managedSettings }: World): SettingsPlaces {
  return { cwd, home, configDir, managed: managedSettings };
}

/** `tree`: for a worktree, as in SettingsPlaces. Throws UsageError with the file and line that is wrong, or the directory that does not exist. */
export async function openSettings(
  world: World,
  flags: SettingsFlags,
  tree?: Pick<SettingsPlaces, "tree" | "from">,
): Promise<LoadedSettings> {
  const { loadSettings } = await import("../../settings/files.ts");
  const { copyOf } = world;
  const loaded = loadSettings(
    await world.edges.disk(),
    { ...settingsPlaces(world), ...(copyOf && { tree: copyOf.root, from: copyOf.from }), ...tree },
    flags,
  );
  if (!loaded.ok) throw new UsageError(headOnce(loaded.reason));
  const { resolve } = await import("node:path");
  const disk = await world.edges.disk();
  const missing = flags.addDir?.find((path) => disk.size(resolve(world.cwd, path)) === undefined);
  if (missing !== undefined) throw new UsageError(`cannot add the directory ${missing}: there is no such folder.`);
  const file = flags.addDir?.find((path) => !isFolder(disk, resolve(world.cwd, path)));
  if (file !== undefined) throw new UsageError(`cannot add the directory ${file}: it is not a folder.`);
  return loaded;
}

/** Several errors are listed below one beginning. */
function headOnce(reason: string): string {
  const lines = reason.split("\n");
  if (lines.length === 1) return reason;
  return ["Cannot use the settings:", ...lines.map((line) => line.replace(/^Cannot use (?:the settings )?/, ""))].join("\n");
}
