// The settings of the working directory, for a command.
import type { LoadedSettings, SettingsFlags, SettingsPlaces } from "../permissions/settings-files.ts";
import { UsageError, type World } from "./world.ts";

export function settingsPlaces({ cwd, home, configDir, managedSettings }: World): SettingsPlaces {
  return { cwd, home, configDir, managed: managedSettings };
}

/** Throws UsageError naming the file and the line that is wrong. */
export async function openSettings(world: World, flags: SettingsFlags): Promise<LoadedSettings> {
  const { loadSettings } = await import("../permissions/settings-files.ts");
  const loaded = loadSettings(await world.edges.disk(), settingsPlaces(world), flags);
  if (!loaded.ok) throw new UsageError(loaded.reason);
  return loaded;
}
