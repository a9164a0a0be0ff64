// The policy that settings produce in the folder where the program was started, for commands that show its decisions.
import type { Policy } from "../permissions/policy.ts";
import type { LoadedSettings } from "../settings/files.ts";
import { settingsPlaces } from "./open-settings.ts";
import { UsageError, type World } from "./world.ts";

/** `real` resolves links. Throws UsageError with the first invalid rule. */
export async function policyHere(
  world: World,
  settings: LoadedSettings,
): Promise<{ policy: Policy; real: (path: string) => Promise<string> }> {
  const [{ makePolicy }, { policyOrder }, real] = await Promise.all([
    import("../permissions/policy.ts"),
    import("../settings/files.ts"),
    world.edges.realPath(),
  ]);
  const made = await makePolicy(policyOrder(settings, settingsPlaces(world)), real);
  if (!made.ok) throw new UsageError(made.reason);
  const { cwd, directories } = made.policy;
  const programs = await world.edges.programPlaces(world.env["PATH"] ?? "", [cwd, ...directories]);
  return { policy: { ...made.policy, programs }, real };
}
