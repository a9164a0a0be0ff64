// Which files of a folder are in no copy of it, by the rules of the moment.
import { closedToCopies } from "../permissions/paths/copied-files.ts";
import type { IsHidden } from "../permissions/paths/hidden-history.ts";
import type { SettingsFlags } from "../settings/files.ts";
import { openSettings } from "./open-settings.ts";
import { policyHere } from "./policy-here.ts";
import type { World } from "./world.ts";

/** For agents that are started in this folder with these flags. Rejects if the settings cannot be used. */
export function closedIn(world: World, cwd: string, flags: SettingsFlags): () => Promise<IsHidden> {
  const there = { ...world, cwd };
  return async () => closedToCopies((await policyHere(there, await openSettings(there, flags))).policy);
}
