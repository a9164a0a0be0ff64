// How the commands of a session in this folder are confined, determined as the session does.
import type { SandboxState } from "../permissions/policy.ts";
import type { LoadedSettings } from "../settings/files.ts";
import type { World } from "./world.ts";

export async function sandboxHere({ edges, cwd }: World, { effective }: Pick<LoadedSettings, "effective">): Promise<SandboxState> {
  const { openingState } = await import("../permissions/sandbox-state.ts");
  return openingState(effective.sandbox, await edges.sandboxTrial([cwd, ...effective.directories.map(({ path }) => path)]));
}
