// What confines the commands of a session that opens in this folder, found as that session finds it.
import type { SandboxState } from "../permissions/policy.ts";
import type { LoadedSettings } from "../settings/files.ts";
import type { World } from "./world.ts";

export async function sandboxHere({ edges, cwd }: World, { effective }: Pick<LoadedSettings, "effective">): Promise<SandboxState> {
  const { openingState } = await import("../permissions/sandbox-state.ts");
  return openingState(effective.sandbox, await edges.sandboxTrial([cwd, ...effective.directories.map(({ path }) => path)]));
}
