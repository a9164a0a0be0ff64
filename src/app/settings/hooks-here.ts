// The configured hooks with what keeps those from running whose programs this machine does not have.
import { type ConfiguredHooks, configuredHooks, withFaults } from "../../hooks/configured.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { World } from "../world.ts";

/** What bash goes by without the variable. */
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export async function hooksHere({ edges, cwd, home, env }: World, settings: LoadedSettings): Promise<ConfiguredHooks> {
  return withFaults(configuredHooks(settings), {
    cwd,
    home,
    root: settings.root,
    faultOf: await edges.programFault(env["PATH"] ?? defaultPath),
  });
}
