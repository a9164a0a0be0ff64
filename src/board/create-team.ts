// Creates a team's folder: task list, mailboxes and log first, and the record last, so that a team with a record is complete.

import { chance } from "./chance.ts";
import { teamLayout } from "./layout.ts";
import { appendEvent } from "./log.ts";
import { makeMailbox } from "./messages/mailbox.ts";
import { memberNameProblem, teamNameProblem } from "./names.ts";
import type { BoardPorts } from "./tasks/task-file.ts";
import { emptyTaskList, taskListText } from "./tasks/task-list.ts";
import { namesOf, recordText, type TeamRecord } from "./team-record.ts";

export type NewTeam = {
  name: string;
  cwd: string;
  /** With or without `lead`; a team always has exactly one. */
  members: string[];
  options?: Record<string, unknown>;
};

/** Writes the team into `folder`. The refusal names an invalid name or says that the team exists. Throws what the disk throws. */
export function createTeam(
  { disk, clock }: BoardPorts,
  folder: string,
  team: NewTeam,
): { ok: true; record: TeamRecord } | { ok: false; reason: string } {
  const problem = teamNameProblem(team.name) ?? membersProblem(team.members);
  if (problem) return { ok: false, reason: problem };
  const layout = teamLayout(folder);
  const exists = { ok: false as const, reason: `Cannot create team "${team.name}": it exists already, in ${folder}. Choose another name` };
  if (disk.size(layout.record) !== undefined) return exists;
  const at = clock.now().toISOString();
  const record = newRecord(team, at);
  makeFolders(disk, folder, namesOf(record));
  // Two processes that create it at once have different temporary names. The first to link the record has created the team.
  const own = (path: string) => `${path}.${chance(clock, 8)}.tmp`;
  disk.publish(own(layout.tasks), layout.tasks, taskListText(emptyTaskList));
  if (!disk.publish(own(layout.record), layout.record, recordText(record))) return exists;
  appendEvent(disk, layout.log, { kind: "team_created", by: "user", at });
  return { ok: true, record };
}

/** The folders that a member needs before its process starts. Existing ones are left as they are. */
export function makeMemberFolders(disk: BoardPorts["disk"], folder: string, name: string): void {
  const layout = teamLayout(folder);
  disk.makeFolder(layout.member(name));
  makeMailbox(disk, layout.mailbox(name));
}

function membersProblem(members: string[]): string | undefined {
  const taken: string[] = [];
  for (const name of members) {
    if (taken.includes(name)) return `Cannot create the team: "${name}" is named twice`;
    const problem = name === "lead" ? undefined : memberNameProblem(name, []);
    if (problem) return problem;
    taken.push(name);
  }
  return undefined;
}

function newRecord({ name, cwd, members, options = {} }: NewTeam, at: string): TeamRecord {
  const teammates = members.filter((member) => member !== "lead").map((member) => ({ name: member, role: "teammate" as const }));
  return { name, cwd, lead: "lead", members: [{ name: "lead", role: "lead" }, ...teammates], created_at: at, options };
}

function makeFolders(disk: BoardPorts["disk"], folder: string, names: string[]): void {
  const layout = teamLayout(folder);
  for (const path of [folder, layout.lock, `${folder}/log`, layout.requests]) disk.makeFolder(path);
  for (const name of names) makeMemberFolders(disk, folder, name);
}
