// team.json: the members of a team. Every process may read it; the lead and processes that clean up after a lost team change it under the team's
// lock.

import { z } from "zod";
import type { BoardDisk } from "./disk.ts";
import { firstProblem, notJson } from "./json-file.ts";
import type { TeamLayout } from "./layout.ts";
import { locked } from "./locked.ts";
import { memberNameProblem } from "./names.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { BoardPorts } from "./tasks/task-file.ts";

/** `with_team`: the whole team ended, and a resume starts this member again. Absent: this member ended for good. */
const endedSchema = z.looseObject({ how: z.string(), at: z.string(), with_team: z.literal(true).optional() });

const memberSchema = z.looseObject({
  name: z.string(),
  role: z.enum(["lead", "teammate"]),
  /** Its transcript. */
  session: z.string().optional(),
  prompt: z.string().optional(),
  /** What it is for, in a few words. */
  duty: z.string().optional(),
  /** Its role as an agent definition; team/role.ts knows the shape. */
  definition: z.looseObject({ name: z.string() }).optional(),
  /** Set if a program of the person's plays it: its name in their settings. A process of ours is beside it. */
  program: z.string().optional(),
  /** Where its hands are if not on this machine: a place of the person's. `moves`: they may go on at another one of the team's. */
  place: z.string().optional(),
  moves: z.literal(true).optional(),
  model: z.string().optional(),
  effort: z.enum(["off", "low", "high"]).optional(),
  /** Where it is shown; the team's display knows the shape. */
  display: z.unknown().optional(),
  /** Set when its process has ended; removed when it is started again. */
  ended: endedSchema.optional(),
});

const teamRecordSchema = z.looseObject({
  name: z.string(),
  cwd: z.string(),
  /** The lead's name. */
  lead: z.string(),
  members: z.array(memberSchema),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  options: z.looseObject({}),
});
export type TeamRecord = z.infer<typeof teamRecordSchema>;
export type Member = TeamRecord["members"][number];

type MemberFacts = {
  session?: string;
  prompt?: string;
  duty?: string;
  definition?: { name: string };
  program?: string;
  place?: string;
  moves?: true;
  model?: string;
  effort?: "off" | "low" | "high";
  display?: unknown;
  ended?: z.infer<typeof endedSchema>;
};
type NewTeammate = MemberFacts & { name: string };

export type RecordRead = { ok: true; record: TeamRecord } | { ok: false; reason: string };

/** Reads team.json. The reason names the file and the problem. */
export function readTeamRecord(disk: Pick<BoardDisk, "read">, path: string): RecordRead {
  const bytes = disk.read(path);
  if (!bytes) return { ok: false, reason: `Cannot read the team record ${path}: there is no such file` };
  const damaged = (problem: string): RecordRead => {
    const advice = "The file is kept: repair it, or remove its folder to give the team up";
    return { ok: false, reason: `Cannot read the team record ${path}: ${problem}. ${advice}` };
  };
  try {
    const parsed = teamRecordSchema.safeParse(JSON.parse(bytes.toString("utf8")));
    return parsed.success ? { ok: true, record: parsed.data } : damaged(firstProblem(parsed.error));
  } catch (error) {
    return damaged(notJson(error));
  }
}

/** Reads, changes and replaces team.json under the team's lock. Durable when it resolves; if refused, the record is unchanged. */
export function changeTeamRecord(
  ports: BoardPorts,
  layout: TeamLayout,
  change: (record: TeamRecord) => TeamRecord,
): Promise<{ ok: true; record: TeamRecord } | Refusal> {
  const disk = ports.patience?.now ?? ports.disk;
  return locked(ports, { layout, what: `the team record ${layout.record}` }, () => {
    const read = readTeamRecord(disk, layout.record);
    if (!read.ok) return refuse("list_damaged", read.reason);
    const record = change(read.record);
    if (record !== read.record) disk.replace(layout.record, recordText(record));
    return { ok: true, record };
  });
}

export function recordText(record: TeamRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** Adds a teammate. A name is never used twice in a team, even after its member has ended. */
export function addTeammate(record: TeamRecord, member: NewTeammate): RecordRead {
  const problem = memberNameProblem(member.name, namesOf(record));
  if (problem) return { ok: false, reason: problem };
  return { ok: true, record: { ...record, members: [...record.members, { ...member, role: "teammate" }] } };
}

/** Changes one member; the record is unchanged if there is no such member. `ended: undefined` removes the end. */
export function changeMember(record: TeamRecord, name: string, facts: MemberFacts): TeamRecord {
  const members = record.members.map((member) => (member.name === name ? { ...member, ...facts } : member));
  return { ...record, members };
}

/** All names in the record, in order of joining. */
export function namesOf(record: TeamRecord): string[] {
  return record.members.map(({ name }) => name);
}

/** Undefined for a member that one of our agents plays, or whoever takes its name. */
export function programOf(record: TeamRecord, name: string): string | undefined {
  return record.members.find((member) => member.name === name)?.program;
}

/** The possible assignees of a task. */
export function teammatesOf(record: TeamRecord): string[] {
  return record.members.filter(({ role, ended }) => role === "teammate" && !ended).map(({ name }) => name);
}

/** The possible receivers of a message, including the sender. */
export function recipientsOf(record: TeamRecord): string[] {
  return record.members.filter(({ role, ended }) => role === "lead" || !ended).map(({ name }) => name);
}
