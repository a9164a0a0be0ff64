// The permit of one agent's calls: brings the facts up to date on which a decision depends, and then decides.
import type { Commands } from "../../background/commands.ts";
import type { Permit } from "../ports/permit.ts";
import type { WorkspaceParts } from "./workspace-parts.ts";
import { whileCommandsRun } from "./writes-meanwhile.ts";

export function workspacePermit(parts: WorkspaceParts, commands: Commands): Permit {
  const { ports, store, sandbox, permits, repositories, read, request, kept } = parts;
  const untilDone = request.untilDone ?? ((attempt) => attempt());
  return async (call, signal) => {
    await permits.refresh(signal);
    const command = call.tool === "Bash" ? commandIn(call.input) : undefined;
    const analysis = command === undefined ? undefined : await read(command);
    let analysed = { ...call, ...(analysis && { analysis }) };
    if (analysis) kept?.unsaved.foresee(analysis);
    await untilDone(async () => {
      // the decision, and the meaning of /tmp, depend on whether commands are sandboxed
      if (call.tool === "Bash" || JSON.stringify(call.input)?.includes("/tmp")) await sandbox.get();
      if (command !== undefined && !(await permits.refuses(analysed))) analysed = { ...call, analysis: await repositories.survey(command) };
    });
    const writes = { policy: store.current, real: ports.files().real, commands: commands.list };
    const obstacle = async () => (await whileCommandsRun(call, writes)) ?? call.obstacle?.();
    return permits.decide({ ...analysed, obstacle }, signal);
  };
}

/** The command of a call of Bash; empty if its input is wrong. */
export const commandIn = (input: unknown) =>
  typeof input === "object" && input !== null && "command" in input ? String(input.command) : "";
