// Runs the repository's own hooks for a unit's commit in its agent's sandbox. They may execute what the agent has changed, so they do not run without
// a sandbox.
import { personsCommand } from "../../agent/persons-command.ts";
import type { Workspace } from "../../agent/workspace.ts";
import { type HooksRun, hooksCommand, hooksRun } from "../../batch/commit-hooks.ts";
import type { UnitOrder } from "../../batch/unit-agent.ts";

export type HooksOrder = Pick<UnitOrder, "hooks" | "root"> & {
  message: string;
  mark: string;
  signal: AbortSignal;
  onOutput: (text: string) => void;
};

/** Undefined if there are none. */
export async function runHooks(
  work: Pick<Workspace, "sandbox" | "harnessShell" | "redacted">,
  order: HooksOrder,
): Promise<HooksRun | undefined> {
  const { hooks, root, message, mark, signal, onOutput } = order;
  if (hooks === undefined) return undefined;
  const sandbox = await work.sandbox();
  if (sandbox.kind !== "active") return { kind: "not_run", why: `there is no sandbox${"why" in sandbox ? ` (${sandbox.why})` : ""}` };
  const command = hooksCommand({ hooks, root, message, mark });
  const { output, ending } = await personsCommand(work.harnessShell, command, { signal, inside: true, onOutput });
  return hooksRun({ ending, output: await work.redacted(output), mark });
}
