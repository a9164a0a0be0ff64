// How commands in this folder are confined, determined as a session does, and what a person is told about it.
import { join } from "node:path";
import { homeFolder } from "../../permissions/paths/places.ts";
import type { SandboxFinding, SandboxState } from "../../permissions/policy.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { World } from "../world.ts";

/** `found`: for the processes that this one starts, which do not try again. `notice`: for the person, if commands run unconfined. */
export type SandboxHere = { state: SandboxState; found: SandboxFinding; notice: string | undefined };

export async function sandboxHere({ edges, cwd, command }: World, { effective }: Pick<LoadedSettings, "effective">): Promise<SandboxHere> {
  const { openingState } = await import("../../agent/ports/sandbox-state.ts");
  const found = await edges.sandboxTrial([cwd, ...effective.directories.map(({ path }) => path)]);
  const state = openingState(effective.sandbox, found);
  return { state, found, notice: sandboxNotice(state, `${command} doctor`) };
}

type Introduced = { state: SandboxState; settings: Pick<LoadedSettings, "effective">; print: (line: string) => void };

/** Says once, at the first start with a sandbox, that commands are not asked about, and how to change that. */
export async function introduceSandbox(
  { edges, configDir, uniqueId, cwd, home }: World,
  { state, settings, print }: Introduced,
): Promise<void> {
  const { autoAllow, network } = settings.effective.sandbox;
  const directories = settings.effective.directories.map(({ path }) => path);
  if (state.kind !== "active" || autoAllow !== undefined || network === true || homeFolder({ cwd, home, directories }) !== undefined)
    return;
  const disk = await edges.disk();
  const folder = join(configDir, "introduced");
  try {
    disk.makeFolder(folder);
    if (disk.publish(join(folder, `.${uniqueId()}`), join(folder, "sandbox"), "")) print(introduction);
  } catch {
    // A disk that refuses keeps no session from starting.
  }
}

const introduction =
  "Commands run in a sandbox without a question: they write in this folder alone, and reach no host that you have not allowed. You are asked about what leaves it. To be asked about every command: tool config set sandbox.autoAllow false";

/** One line for the start of every session or team; `doctor` is the command that says more. Undefined if commands run as the user chose. */
export function sandboxNotice(state: SandboxState, doctor: string): string | undefined {
  switch (state.kind) {
    case "active":
    case "off":
      return undefined;
    case "missing":
      return `Commands run without a sandbox: ${state.why}. Each that does more than look is asked about, and can do whatever you can. ${doctor} says more.`;
    case "lost":
      return `The sandbox cannot be used: ${state.why}. You are asked for every command.`;
    case "refused":
      return `No command runs: "sandbox.required" is set, and there is no sandbox: ${state.why}.`;
  }
}
