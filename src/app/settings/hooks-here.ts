// The configured hooks with what keeps those from running whose programs this machine does not have.
import { type ConfiguredHooks, configuredHooks, withFaults } from "../../hooks/configured.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { World } from "../world.ts";

export async function hooksHere({ edges, cwd, home }: World, settings: LoadedSettings): Promise<ConfiguredHooks> {
  return withFaults(configuredHooks(settings), { cwd, home, root: settings.root, faultOf: await edges.programFault() });
}
