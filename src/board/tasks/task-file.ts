// The only place that changes tasks.json: lock, read, check, apply, append the event, replace, unlock. Readers never lock.
import type { Clock } from "../../agent/ports/clock.ts";
import { diskErrorWords, errorCode, errorText, faultSentence } from "../../wording/error-text.ts";
import type { BoardDisk, Lock, PatientDisk } from "../disk.ts";
import type { TeamEvent } from "../event.ts";
import { knownLines } from "../known-lines.ts";
import type { TeamLayout } from "../layout.ts";
import { locked } from "../locked.ts";
import { appendEvent, readLog } from "../log.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { TaskList } from "./task.ts";
import { highestNumber, type ParsedList, parseTaskList, taskListText } from "./task-list.ts";
import type { Change, ListView } from "./tasks.ts";

export type BoardPorts = {
  disk: BoardDisk;
  lock: Lock;
  clock: Pick<Clock, "now" | "random">;
  /** If present, a change that the disk refuses temporarily is tried again; if absent, it is refused. */
  patience?: Pick<PatientDisk, "now" | "untilDone">;
};

/** `damaged`: where the damaged file was moved to, if there was one. `undone`: logged changes that the restored list lacks. */
type Restored = { ok: true; list: TaskList; damaged?: string; undone: TeamEvent[] } | Refusal;

export interface TaskFile {
  /** The list on disk. If it is damaged, a refusal that names the file, the damage and how to restore it; if the disk cannot read it now, one that says so. */
  read(): { ok: true; list: TaskList } | Refusal;
  /**
   * Decides and writes under the lock; durable when it resolves. Nothing is written if there is no change, or no event in it. Whatever fails, the
   * list is the old one or the new one.
   */
  change<Decided extends Change | undefined>(decide: (view: Omit<ListView, "teammates">) => Decided): Promise<Decided | Refusal>;
  /** Restores the previous version of a damaged list. Refuses if the list is not damaged, or if that version is damaged too. */
  restore(by: string): Promise<Restored>;
}

/** `team`: its name, for the command that an error suggests. */
export function openTaskFile(ports: BoardPorts, layout: TeamLayout, team: string): TaskFile {
  const { clock } = ports;
  const disk = ports.patience?.now ?? ports.disk;
  const created = createdNumbers(disk, layout);
  const previous = `${layout.tasks}.prev`;
  const place = { layout, what: `the task list ${layout.tasks}` };
  const lines = knownLines();
  const parsed = () => explained(parsedFile(disk, layout.tasks, lines.parse), layout, team);

  return {
    read() {
      try {
        return parsed();
      } catch (error) {
        return refuse("write_failed", `Cannot read the task list ${layout.tasks}: ${faultSentence(error, "It is kept")}`);
      }
    },
    change: (decide) =>
      locked(ports, place, () => {
        const found = parsed();
        if (!found.ok) return found;
        const { list } = found;
        const now = clock.now().toISOString();
        const revision = list.revision + 1;
        const number = () => Math.max(list.next_id, nextNumber(list), created.next());
        const change = decide({ tasks: list.tasks, nextNumber: number, revision, now });
        if (!change?.ok || !change.event) return change;
        const next = { ...list, revision, tasks: change.tasks };
        appendEvent(disk, layout.log, { ...change.event, at: now, revision } as TeamEvent);
        disk.replace(layout.tasks, lines.text({ ...next, next_id: nextNumber(next) }), { keep: previous });
        return change;
      }),
    restore: (by) =>
      locked(ports, place, () => {
        const current = parsed();
        if (current.ok) return refuse("bad_request", `Cannot restore ${layout.tasks}: it is not damaged. Nothing was changed`);
        const before = parseTaskList(disk.read(previous));
        if (!before.ok) return refuse("list_damaged", `${current.reason}. Cannot restore it: ${previous} ${before.problem}, too`);
        const events = readLog(disk, layout.log).next();
        const revision = Math.max(before.list.revision, ...events.map(revisionOf)) + 1;
        const list = { ...before.list, revision, next_id: Math.max(nextNumber(before.list), created.next()) };
        const damaged = disk.size(layout.tasks) === undefined ? undefined : freeName(disk, layout);
        appendEvent(disk, layout.log, { kind: "list_restored", by, at: clock.now().toISOString(), revision, damaged });
        disk.replace(layout.tasks, taskListText(list), damaged ? { keep: damaged } : {});
        return { ok: true, list, damaged, undone: events.filter((event) => revisionOf(event) > before.list.revision) };
      }),
  };
}

function explained(parsed: ParsedList, layout: TeamLayout, team: string): ReturnType<TaskFile["read"]> {
  if (parsed.ok) return parsed;
  return refuse(
    "list_damaged",
    `Cannot read the task list: ${layout.tasks} ${parsed.problem}. The file is kept; restore the version before it with: tool team task restore --team ${team}`,
  );
}

/** Throws an error that says nothing about the file, such as that this process has too many files open: restoring it would lose changes. */
function parsedFile(disk: BoardDisk, path: string, parse: typeof parseTaskList): ParsedList {
  try {
    return parse(disk.read(path));
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && code !== "EISDIR" && code !== "ELOOP") throw error;
    return { ok: false, problem: `cannot be read (${diskErrorWords(code) ?? errorText(error)})` };
  }
}

/** The next free number according to the list. */
function nextNumber(list: TaskList): number {
  return Math.max(list.next_id, highestNumber(list.tasks.map(({ id }) => id)) + 1);
}

/** The next free number according to the log: a restored list may have lost the counter and the newest tasks. */
function createdNumbers(disk: BoardDisk, layout: TeamLayout): { next(): number } {
  const log = readLog(disk, layout.log);
  let highest = 0;
  return {
    next() {
      highest = Math.max(highest, highestNumber(log.next().flatMap((event) => ("task" in event ? event.task : []))));
      return highest + 1;
    },
  };
}

function revisionOf(event: TeamEvent): number {
  return "revision" in event ? event.revision : 0;
}

function freeName(disk: BoardDisk, layout: TeamLayout): string {
  for (let number = 1; ; number++) {
    const path = `${layout.tasks}.damaged-${number}`;
    if (disk.size(path) === undefined) return path;
  }
}
