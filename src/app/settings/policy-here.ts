// The policy that settings produce in the folder where the program was started, for commands that show its decisions.
import { closedToCopies, type IsHidden } from "../../permissions/paths/hidden.ts";
import type { Policy } from "../../permissions/policy.ts";
import type { LoadedSettings, SettingsFlags } from "../../settings/files.ts";
import { UsageError, type World } from "../world.ts";
import { openSettings, settingsPlaces } from "./open-settings.ts";

/** `real` resolves links. Throws UsageError with the first invalid rule. */
export async function policyHere(
  world: World,
  settings: LoadedSettings,
): Promise<{ policy: Policy; real: (path: string) => Promise<string> }> {
  const [{ makePolicy }, { policyOrder }, real] = await Promise.all([
    import("../../permissions/policy.ts"),
    import("../../settings/files.ts"),
    world.edges.realPath(),
  ]);
  const made = await makePolicy(policyOrder(settings, settingsPlaces(world)), real);
  if (!made.ok) throw new UsageError(made.reason);
  const { cwd, directories } = made.policy;
  const disk = await world.edges.disk();
  const isThere = (path: string) => disk.size(path) !== undefined;
  const programs = await world.edges.programPlaces(world.env["PATH"] ?? "", [cwd, ...directories]);
  const repository = await world.edges.repositoryAbove(cwd);
  const [ownFolders, overSsh] = await Promise.all([world.edges.ownFolders(), world.edges.overSsh(cwd)]);
  const outliers = await world.edges.outliers([cwd, ...directories]);
  return { policy: { ...made.policy, programs, repository, overSsh, isThere, outliers, ...ownFolders }, real };
}

/** Which files of a folder are in no copy of it, by the rules of the moment for agents that are started there with these flags. */
export function closedIn(world: World, cwd: string, flags: SettingsFlags): () => Promise<IsHidden> {
  const there = { ...world, cwd };
  return async () => closedToCopies((await policyHere(there, await openSettings(there, flags))).policy);
}
