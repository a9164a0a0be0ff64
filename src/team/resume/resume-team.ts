// Resumes a team from its files, for a lead that has just taken its claim. Every step can be repeated: a lead that dies in the
// middle leaves a team that can be resumed like any other.
import type { Clock } from "../../agent/ports/clock.ts";
import type { Task } from "../../board/tasks/task.ts";
import { changeMember, type TeamRecord } from "../../board/team-record.ts";
import { endInSteps } from "../end-process.ts";
import type { Rejoin } from "../lead/rejoin.ts";
import type { ProcessRef, ProcessTable } from "../member-process.ts";
import type { TeamOptions } from "../place.ts";
import { giveBack } from "./give-back.ts";
import { type FactsPorts, memberFacts } from "./member-facts.ts";
import { type LivingTeammate, type MemberPlan, resumePlan } from "./plan.ts";
import { leadLine, proofLine, type Resumed } from "./proof-line.ts";

export type ResumePorts = FactsPorts & {
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  processes: Pick<ProcessTable, "find" | "isAlive" | "signalGroup">;
  staff: {
    rejoin: Rejoin;
    remember(name: string, session: string): void;
  };
};

/** `options`: the team's options from now on. `since`: when the team was last active. */
export type ResumeOrder = { options: TeamOptions; since: string };

/** `lines`: one for each agent, the lead first. `tasks`: in their current state. */
export type TeamResumed = { lines: string[]; tasks: Task[] };

/** Adopts living members, starts the others, and returns the tasks that their end had blocked. Throws when record or list cannot be read or changed. */
export async function resumeTeam(ports: ResumePorts, { options, since }: ResumeOrder): Promise<TeamResumed> {
  const { board, clock, staff } = ports;
  const record = readRecord(ports);
  const facts = record.members.map((member) => memberFacts(ports, record, member));
  const plans = resumePlan(facts);
  const changed = await board.changeRecord((before) => goingOn(before, { plans, options }));
  if (!changed.ok) throw new Error(changed.reason);
  board.log({ kind: "team_resumed", by: "user", at: clock.now().toISOString() });
  for (const { member } of facts)
    if (member.role === "teammate" && member.session !== undefined) staff.remember(member.name, member.session);
  const resumed = await Promise.all(plans.map((plan) => carryOut(plan, ports, since)));
  const tasks = tasksOf(ports);
  const lead = facts.find(({ member }) => member.role === "lead");
  return { lines: [...(lead ? [leadLine(lead)] : []), ...resumed.map((one) => proofLine({ ...one, tasks }))], tasks };
}

/** Clears the recorded ends, so that the tasks of these members are not released. */
function goingOn(record: TeamRecord, { plans, options }: { plans: MemberPlan[]; options: TeamOptions }): TeamRecord {
  const returning = plans.filter(({ kind }) => kind !== "leave").map(({ name }) => name);
  const members = returning.reduce((before, name) => changeMember(before, name, { ended: undefined }), record);
  return { ...members, options: { ...record.options, ...options } };
}

async function carryOut(plan: MemberPlan, ports: ResumePorts, since: string): Promise<Omit<Resumed, "tasks">> {
  if (plan.kind === "leave") return { plan };
  const { name, session } = plan;
  if (plan.kind === "start" && plan.endFirst) await end(plan.endFirst, ports);
  const refused = plan.kind === "start" ? await giveBack(ports.board, name) : undefined;
  const rejoined = await ports.staff.rejoin({ name, session, living: () => livingNow(name, ports), since });
  return { plan, refused, failed: rejoined.ok ? undefined : rejoined.reason };
}

function livingNow(name: string, ports: ResumePorts): LivingTeammate | undefined {
  const record = readRecord(ports);
  const member = record.members.find((candidate) => candidate.name === name);
  const [plan] = member ? resumePlan([memberFacts(ports, record, member)]) : [];
  return plan?.kind === "adopt" ? plan.living : undefined;
}

async function end(process: ProcessRef, { clock, processes }: ResumePorts): Promise<void> {
  await endInSteps({
    ask: () => false,
    signal: (signal) => processes.signalGroup(process, signal),
    isGone: () => !processes.isAlive(process),
    clock,
  });
}

function readRecord({ board }: FactsPorts): TeamRecord {
  const read = board.record();
  if (!read.ok) throw new Error(read.reason);
  return read.record;
}

function tasksOf({ board }: FactsPorts): Task[] {
  const read = board.tasks.read();
  if (!read.ok) throw new Error(read.reason);
  return read.list.tasks;
}
