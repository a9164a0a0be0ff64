// What is left out of every copy of a tree: worktrees of agents and teammates, units of a batch.
import { hiddenPlaces, type IsHidden } from "../permissions/paths/hidden-history.ts";
import { isSensitiveName } from "../permissions/paths/places.ts";
import type { LoadedSettings } from "../settings/files.ts";
import { policyHere } from "./policy-here.ts";
import type { World } from "./world.ts";

/** Whether rules hide a file or folder from agents, or its name says that it holds secrets. Throws UsageError for an invalid rule. */
export async function hiddenFromCopies(world: World, settings: LoadedSettings): Promise<IsHidden> {
  const hides = hiddenPlaces((await policyHere(world, settings)).policy);
  return (path, kind) => isSensitiveName(path) || hides(path, kind);
}
