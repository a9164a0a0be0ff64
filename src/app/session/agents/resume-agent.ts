// `tool agents resume`: continues an agent of a session that has ended, and puts its report into that session's conversation.
import { type Incident, outcomeOfRun, reported } from "../../../agent/result/outcome.ts";
import { projectFolder } from "../../../agent/session/transcript.ts";
import { visibleLine, visibleText } from "../../../screen/visible-text.ts";
import { type AgentRecord, isUnderWay } from "../../../subagents/record.ts";
import { readRecords } from "../../../subagents/record-file.ts";
import { type AgentFlags, settingsFlags } from "../../agent-flags.ts";
import { incidentLines } from "../../print/error-line.ts";
import { openSettings } from "../../settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../../world.ts";
import { inUnattendedSession } from "../unattended-session.ts";

export type ResumeOrder = { id: string; flags: AgentFlags; json?: boolean };

/** With a terminal, the session opens and the person can be asked; without one, the report is printed. Throws UsageError if nothing was started. */
export async function resumeAgent(world: World, { id: wanted, flags, json }: ResumeOrder): Promise<ExitCode> {
  const { session: id, record } = await findAgent(world, wanted);
  if (world.stdin.isTTY && world.stdout.isTTY && !json) {
    const { runAttended } = await import("../screen/attended-session.ts");
    return runAttended(world, { prompt: undefined, flags: { ...flags, outputFormat: "text", resume: id, resumeAgent: record.id } });
  }
  const settings = await openSettings(world, settingsFlags(flags));
  return inUnattendedSession(world, { flags, settings, id }, async ({ session, agents }, ending) => {
    agents.attach(
      session,
      () => {},
      () => false,
    ); // agents that were interrupted continue when their session does
    const resumed = await agents.host.resume(record.id, { maxTurns: flags.maxTurns, background: true }, ending);
    if (resumed.kind === "refused") throw new UsageError(resumed.reason);
    while (agents.host.list().some((one) => one.id === record.id && isUnderWay(one)) && !ending.aborted) await agents.host.nextEnd(ending);
    await agents.deliver(ending);
    const interrupted: Incident[] = ending.aborted ? [{ kind: "interrupted", agent: record.name }] : [];
    return printed(world, agents.host.find(record.id) ?? record, { incidents: [...interrupted, ...agents.incidents()], json });
  });
}

type Came = { incidents: readonly Incident[]; json: boolean | undefined };

function printed({ stdout, stderr }: World, record: AgentRecord, { incidents, json }: Came): ExitCode {
  const { id: agent, name, state, turns, reason = null, report = "" } = record;
  const { exit_code } = outcomeOfRun(incidents, name);
  const lacked = reported(incidents);
  if (json) stdout.write(`${JSON.stringify({ ok: exit_code === 0, agent, name, state, turns, reason, report, exit_code, ...lacked })}\n`);
  else if (state === "completed") stdout.write(`${visibleText(report)}\n`);
  else
    stderr.write(
      `tool: agent ${visibleLine(agent)} has not completed its work: ${visibleText(exit_code === 130 ? "Interrupted." : (reason ?? state))}\n`,
    );
  for (const line of incidentLines(lacked)) stderr.write(line);
  return exit_code;
}

/** The session of this folder that has the agent. Throws UsageError if none or more than one has it. */
export async function findAgent(world: World, id: string): Promise<{ session: string; record: AgentRecord }> {
  const found = (await agentsHere(world)).filter(({ record }) => record.id === id || record.name === id);
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UsageError(
      `the name "${id}" is that of ${found.length} agents. Name one by its id:\n${twins(found.map(({ record }) => record))}`,
    );
  throw new UsageError(`cannot find the agent "${id}": no session of this folder has it. To list them: ${world.command} tasks --all`);
}

/** The newest first, a line each: sessions number their agents alike. */
function twins(records: AgentRecord[]): string {
  const when = ({ resumedAt, startedAt }: AgentRecord) => resumedAt ?? startedAt;
  const newest = records.toSorted((a, b) => (when(a) < when(b) ? 1 : -1));
  const line = (record: AgentRecord) => [record.id, when(record).slice(0, 16).replace("T", " "), record.state, record.description];
  return newest.map((record) => `  ${visibleLine(line(record).join("  "))}`).join("\n");
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
