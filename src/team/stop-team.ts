// Stops a team from outside: its lead is asked to stop its teammates; if there is no lead, or it does not end, this process stops them.
import { settleDead } from "./dead-members.ts";
import { happensWithin } from "./end-process.ts";
import { stoppedTeam } from "./end-reasons.ts";
import { findLeftovers, type Leftover, type Reaped, reap, type TeamPorts } from "./leftovers.ts";
import { type MemberProcess, memberProcess } from "./member-process.ts";

export type StopProgress = {
  say: (text: string) => void;
  /** One by one, as they are ended, or found impossible to end. */
  onReaped: (leftover: Leftover, reaped: Reaped) => void;
};

/** `nothing_ran`: there was nothing to stop. `left`: something could not be ended, and the progress has said what. */
export type Stopped = "stopped" | "nothing_ran" | "left";

/** The time that a lead needs to stop its teammates, killing some if necessary, with a margin. */
const leadMs = 30_000;
const killMs = 5_000;

/** Stops the team whose record is given. Throws when its lead runs where it cannot be reached. */
export async function stopTeam(team: TeamPorts, progress: StopProgress): Promise<Stopped> {
  const lead = memberProcess(team.board, team.record.lead, team.processes);
  if (lead.kind === "elsewhere")
    throw new Error(
      `Cannot stop team ${team.board.name}: its lead runs on ${lead.where}, which cannot be reached from here. Stop it there.`,
    );
  if (lead.kind === "running") await endLead(lead, team, progress);
  const reaped = [...(await reapAll(team, progress)), ...(await reapAll(team, progress))];
  const settled = await settleDead(team, stoppedTeam);
  if (!settled.ok) progress.say(settled.reason);
  if (!settled.ok || reaped.some(({ kind }) => kind === "failed")) return "left";
  return lead.kind === "running" || reaped.length > 0 ? "stopped" : "nothing_ran";
}

/** Meanwhile it says which teammates have ended. */
async function endLead(
  lead: Extract<MemberProcess, { kind: "running" }>,
  { board, clock, processes }: TeamPorts,
  { say }: StopProgress,
): Promise<void> {
  const goneWithin = (ms: number) => {
    const log = board.follow();
    log.next();
    return happensWithin(ms, clock, () => {
      const isGone = !processes.isAlive(lead); // before the log is read, which then has everything that it wrote
      for (const event of log.next()) if (event.kind === "member_ended") say(`${event.member} has ended.`);
      return isGone;
    });
  };
  if (lead.stopped) {
    say(`The lead, process ${lead.pid}, is suspended by a signal and cannot stop its team: killing it.`);
  } else {
    say(`Asking the lead, process ${lead.pid}, to stop its team.`);
    processes.signal(lead, "SIGTERM");
    if (await goneWithin(leadMs)) return;
    say(`The lead did not end within ${leadMs / 1000} s: killing it.`);
  }
  processes.signal(lead, "SIGKILL");
  await goneWithin(killMs);
}

/** Teammates at once, because each may take its time; then what they left. */
async function reapAll(team: TeamPorts, { say, onReaped }: StopProgress): Promise<Reaped[]> {
  const { found, problems } = await findLeftovers(team, { note: false, patient: false });
  for (const problem of problems) say(problem);
  const one = async (leftover: Leftover) => {
    const reaped = await reap(leftover, team, stoppedTeam);
    onReaped(leftover, reaped);
    return reaped;
  };
  const teammates = await Promise.all(found.filter(({ kind }) => kind === "teammate").map(one));
  const rest: Reaped[] = [];
  // What a teammate had is looked for again once it has ended.
  if (teammates.length === 0) for (const leftover of found) rest.push(await one(leftover));
  return [...teammates, ...rest];
}
