// The start of a member's process: reads launch.json once, removes it, and builds the member's world.
import { type Launch, parseLaunch } from "../../team/launch.ts";
import type { World } from "../world.ts";

/** Reads and removes the launch file: it contains the environment and is needed only once. Throws if it is missing or invalid. */
export async function takeLaunch(world: World, path: string): Promise<{ launch: Launch; inner: World }> {
  const disk = await world.edges.disk();
  const bytes = disk.read(path);
  if (!bytes) throw new Error(`Cannot start from ${path}: there is no such file. Members are started by tool team only.`);
  const launch = parseLaunch(path, bytes.toString("utf8"));
  disk.remove(path);
  const { cwd, configDir, managedSettings } = launch;
  const env = { ...launch.env, ...ownTerminal(world.env) };
  return { launch, inner: { ...world, env, home: launch.env["HOME"] || world.home, cwd, configDir, managedSettings } };
}

/** Uses this process's own terminal variables instead of the launching process's. */
function ownTerminal(env: World["env"]): World["env"] {
  return Object.fromEntries(["TERM", "COLORTERM", "TMUX", "TMUX_PANE"].map((name) => [name, env[name]]));
}
