// In the sandbox no command may create a file that runs later or sets rights: such a file is moved away as soon as it is noticed, whichever command
// made it. So no question about one is asked while a command runs in the background.
import type { CommandRecord } from "../../background/command.ts";
import { absolute } from "../../permissions/paths/given-path.ts";
import { placeOf } from "../../permissions/paths/places.ts";
import type { Policy } from "../../permissions/policy.ts";
import type { ToolResult } from "../../tools/tool.ts";
import type { ToolCall } from "../ports/permit.ts";

export type WritesMeanwhile = { policy: Policy; real: (path: string) => Promise<string>; commands: () => readonly CommandRecord[] };

/** Why the call is refused whatever a person answers; undefined if it is not. */
export async function whileCommandsRun({ tool, input }: ToolCall, setup: WritesMeanwhile): Promise<ToolResult | undefined> {
  const { policy, real, commands } = setup;
  const running = commands().filter(({ state }) => state === "running");
  if ((tool !== "Write" && tool !== "Edit") || running.length === 0 || policy.sandbox.kind !== "active") return undefined;
  const { path } = input as { path?: unknown };
  if (typeof path !== "string") return undefined;
  const written = absolute(path, policy);
  const place = placeOf({ written, real: await real(written) }, policy);
  if (place.protected === undefined) return undefined;
  const ids = running.map(({ id }) => id).join(", ");
  const text = `Cannot write ${path} while commands run in the background (${ids}): a file of this kind that appears meanwhile is moved away (${place.protected}). End them first, with KillBash.`;
  return { text, isError: true, summary: "not now" };
}
