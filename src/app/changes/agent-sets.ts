// The change sets of isolated agents, of all sessions that were started in a repository.

import { projectName } from "../../agent/session/transcript.ts";
import type { ChangeSet } from "../../changes/change-set.ts";
import { type AgentRecord, isUnderWay } from "../../subagents/record.ts";
import { readRecords } from "../../subagents/record-file.ts";
import { evidenceWords, isFailed } from "../../wording/evidence.ts";
import type { World } from "../world.ts";

export async function agentSets({ configDir, edges }: World, root: string): Promise<ChangeSet[]> {
  const disk = await edges.disk();
  const projects = `${configDir}/projects`;
  const beginning = projectName(root).slice(0, 100); // sessions of its folders as well; a long name is cut
  const sessions = disk.list(projects).flatMap((project) => {
    if (!project.startsWith(beginning)) return [];
    return disk.list(`${projects}/${project}`).map((session) => `${projects}/${project}/${session}`);
  });
  return sessions.flatMap((folder) => recordsIn(disk, folder)).flatMap((record) => setOf(record, root));
}

function recordsIn(disk: Parameters<typeof readRecords>[0], folder: string): AgentRecord[] {
  try {
    return readRecords(disk, folder);
  } catch {
    return []; // a damaged file: its session reports it
  }
}

function setOf(record: AgentRecord, root: string): ChangeSet[] {
  const { id, name, description, evidence, worktree, definition } = record;
  if (!worktree?.folder.startsWith(`${root}-agents-`)) return [];
  const { branch, from, folder } = worktree;
  return [
    {
      id,
      what: description,
      by: name === id ? definition.name : name,
      evidence: { words: evidenceWords(evidence ?? { kind: "none" }), failed: isFailed(evidence) },
      atWork: isUnderWay(record),
      content: { kind: "branch", branch, from, folder },
    },
  ];
}
