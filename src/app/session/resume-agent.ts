// `tool agents resume`: continues an agent of a session that has ended, and puts its report into that session's conversation.
import { projectFolder } from "../../agent/transcript.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import { readRecords } from "../../subagents/record-file.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { openSettings } from "../open-settings.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { inUnattendedSession } from "./unattended-session.ts";

export type ResumeOrder = { id: string; flags: AgentFlags; json?: boolean };

/** With a terminal, the session opens and the person can be asked; without one, the report is printed. Throws UsageError if nothing was started. */
export async function resumeAgent(world: World, { id, flags, json }: ResumeOrder): Promise<ExitCode> {
  const { session } = await findAgent(world, id);
  if (world.stdin.isTTY && world.stdout.isTTY && !json) {
    const { runAttended } = await import("./attended-session.ts");
    return runAttended(world, { prompt: undefined, flags: { ...flags, outputFormat: "text", resume: session, resumeAgent: id } });
  }
  const settings = await openSettings(world, settingsFlags(flags));
  return inUnattendedSession(world, { flags, settings, id: session }, async ({ agents }, ending) => {
    const result = await agents.host.resume(id, { maxTurns: flags.maxTurns, ask: false, background: false }, ending);
    if (result.kind === "refused") throw new UsageError(result.reason);
    agents.deliver();
    return printed(world, result.record, json);
  });
}

function printed({ stdout, stderr }: World, record: AgentRecord, json: boolean | undefined): ExitCode {
  const { id: agent, name, state, turns, reason, report = "" } = record;
  if (json) stdout.write(`${JSON.stringify({ ok: state === "completed", agent, name, state, turns, reason: reason ?? null, report })}\n`);
  else if (state === "completed") stdout.write(`${visibleText(report)}\n`);
  else stderr.write(`tool: agent ${visibleLine(agent)} has not completed its work: ${visibleText(reason ?? state)}\n`);
  if (state === "completed") return 0;
  return state === "needs_permission" ? 3 : 1;
}

/** The session of this folder that has the agent. Throws UsageError if none or more than one has it. */
export async function findAgent(world: World, id: string): Promise<{ session: string; record: AgentRecord }> {
  const found = (await agentsHere(world)).filter(({ record }) => record.id === id || record.name === id);
  if (found.length === 1) return found[0]!;
  const why =
    found.length === 0
      ? "no session of this folder has it"
      : `it is the name of ${found.length} agents: ${found.map(({ record }) => record.id).join(", ")}`;
  throw new UsageError(`cannot find the agent "${id}": ${why}. To list them: ${world.command} tasks --all`);
}

/** The agents of all sessions of this folder, those of the newest session last. A damaged file is skipped, because its session reports it. */
export async function agentsHere(world: World): Promise<{ session: string; record: AgentRecord }[]> {
  const disk = await world.edges.disk();
  const folder = projectFolder(world.configDir, world.cwd);
  return disk.list(folder).flatMap((session) => {
    try {
      return readRecords(disk, `${folder}/${session}`).map((record) => ({ session, record }));
    } catch {
      return []; // not a session's folder, or one whose file is damaged
    }
  });
}
