// Which files a member wrote while it worked on which task, read from its transcript: what the lead is told when the member is gone, and
// what the report lists.
import type { AgentEvent } from "../../agent/events.ts";
import { evidenceReader } from "../../agent/evidence/evidence-reader.ts";
import type { TaskId } from "../../board/tasks/task.ts";
import type { Evidence } from "../../wording/evidence.ts";

/** Lines added and removed by all writes together; undefined if a write was too large to be compared. */
export type FileChange = { path: string; added?: number | undefined; removed?: number | undefined };

export interface Touched {
  apply(event: AgentEvent): void;
  /** Paths relative to the working directory, in the order of the first write. */
  of(task: TaskId): string[];
  changes(task: TaskId): FileChange[];
}

export function createTouched(events: Iterable<AgentEvent> = []): Touched {
  const files = new Map<TaskId, Map<string, FileChange>>();
  const worksOn = createWorksOn();
  const touched: Touched = {
    apply(event) {
      worksOn.apply(event);
      const task = worksOn.task();
      if (event.type !== "tool_ended" || task === undefined) return;
      const known = files.get(task) ?? new Map<string, FileChange>();
      for (const path of event.touched) known.set(path, added(known.get(path), { path, ...changedLines(event.detail) }));
      if (known.size > 0) files.set(task, known);
    },
    of: (task) => touched.changes(task).map(({ path }) => path),
    changes: (task) => [...(files.get(task)?.values() ?? [])],
  };
  for (const event of events) touched.apply(event);
  return touched;
}

/** The last test that it ran for each task; a task without one has none. */
export function createTaskEvidence(events: Iterable<AgentEvent> = []): { apply(event: AgentEvent): void; of(task: TaskId): Evidence } {
  const seen = new Map<TaskId, Evidence>();
  const worksOn = createWorksOn();
  const reader = evidenceReader();
  const read = {
    apply(event: AgentEvent) {
      worksOn.apply(event);
      const before = reader.now();
      reader.apply(event);
      const task = worksOn.task();
      if (task !== undefined && reader.now() !== before) seen.set(task, reader.now());
    },
    of: (task: TaskId): Evidence => seen.get(task) ?? { kind: "none" },
  };
  for (const event of events) read.apply(event);
  return read;
}

/**
 * The task in progress; without one, the blocked task that mail was about, or the only blocked one: a member that gets an answer may write files before
 * it sets the task to in_progress again.
 */
export function createWorksOn(): { apply(event: AgentEvent): void; task(): TaskId | undefined } {
  const blocked = new Set<TaskId>();
  let current: TaskId | undefined;
  let answered: TaskId | undefined;
  const takeUp = (task: TaskId) => {
    current = task;
    blocked.delete(task);
    answered = undefined;
  };
  return {
    apply(event) {
      if (event.type === "input") {
        for (const { source, text } of event.inputs) {
          if (source.kind === "task") takeUp(source.task);
          if (source.kind === "mail") answered = [...blocked].find((task) => new RegExp(`\\b${task}\\b`).test(text)) ?? answered;
        }
      }
      if (event.type !== "tool_ended" || event.name !== "TaskUpdate" || event.isError) return;
      const [task, status] = event.subject.split(" ");
      if (!task || !status) return;
      if (status === "in_progress") return takeUp(task);
      if (current === task) current = undefined;
      if (status === "blocked") blocked.add(task);
      else blocked.delete(task);
    },
    task: () => current ?? answered ?? (blocked.size === 1 ? [...blocked][0] : undefined),
  };
}

function added(before: FileChange | undefined, { path, ...now }: FileChange): FileChange {
  if (!before) return { path, ...now };
  const sum = (a: number | undefined, b: number | undefined) => (a === undefined || b === undefined ? undefined : a + b);
  return { path, added: sum(before.added, now.added), removed: sum(before.removed, now.removed) };
}

/** Whether the last hunk has fewer lines than its heading says: a long diff ends in the middle. */
function isCut(lines: string[]): boolean {
  const start = lines.findLastIndex((line) => line.startsWith("@@ "));
  const [, removed = "1", added = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[start] ?? "") ?? [];
  const hunk = lines.slice(start + 1);
  const number = (marks: string) => hunk.filter((line) => line !== "" && marks.includes(line[0] ?? "")).length;
  return number(" -") < Number(removed) || number(" +") < Number(added);
}

/** Of a unified diff, whose first two lines are names. */
function changedLines(diff: string | undefined): Pick<FileChange, "added" | "removed"> {
  if (diff === undefined || !/^@@ /m.test(diff)) return {};
  const lines = diff.slice(diff.search(/^@@ /m)).split("\n");
  if (isCut(lines)) return {};
  return { added: lines.filter((line) => line.startsWith("+")).length, removed: lines.filter((line) => line.startsWith("-")).length };
}
