// How commands in this folder are confined, determined as a session does.
import type { SandboxFinding, SandboxState } from "../permissions/policy.ts";
import type { LoadedSettings } from "../settings/files.ts";
import type { World } from "./world.ts";

/** `found`: for the processes that this one starts, which do not try again. `notice`: for the person, if commands run unconfined. */
export type SandboxHere = { state: SandboxState; found: SandboxFinding; notice: string | undefined };

export async function sandboxHere({ edges, cwd, command }: World, { effective }: Pick<LoadedSettings, "effective">): Promise<SandboxHere> {
  const { openingState, sandboxNotice } = await import("../permissions/sandbox-state.ts");
  const found = await edges.sandboxTrial([cwd, ...effective.directories.map(({ path }) => path)]);
  const state = openingState(effective.sandbox, found);
  return { state, found, notice: sandboxNotice(state, `${command} doctor`) };
}
