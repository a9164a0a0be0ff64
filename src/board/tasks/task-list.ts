// tasks.json as text: parsing, writing, and descriptions of damage.

import { firstProblem, notJson } from "../json-file.ts";
import { taskNumber } from "./claims.ts";
import { largestNumber, type Task, type TaskList, taskListSchema } from "./task.ts";

export type ParsedList = { ok: true; list: TaskList } | { ok: false; problem: string };

/** Undefined bytes mean that there is no file. The problem completes a sentence that begins with the file's name. */
export function parseTaskList(bytes: Buffer | undefined): ParsedList {
  if (bytes === undefined) return { ok: false, problem: "is missing" };
  if (bytes.length === 0) return { ok: false, problem: "is empty" };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return { ok: false, problem: `is not JSON (${notJson(error)})` };
  }
  const parsed = taskListSchema.safeParse(json);
  if (!parsed.success) return { ok: false, problem: `is not a task list (${firstProblem(parsed.error)})` };
  const repeated = repeatedId(parsed.data);
  return repeated ? { ok: false, problem: `has the id ${repeated} twice` } : { ok: true, list: parsed.data };
}

/** One task a line, because people read and repair this file, and every change writes all of it. */
export function taskListText({ tasks, ...others }: TaskList, lineOf: (task: Task, index: number) => string = taskLine): string {
  const lines = tasks.map((task, index) => `\n${lineOf(task, index)}`);
  return `${JSON.stringify(others).slice(0, -1)},"tasks":[${lines.join(",")}\n]}\n`;
}

export function taskLine(task: Task): string {
  return `  ${JSON.stringify(task)}`;
}

export const emptyTaskList: TaskList = { version: 1, revision: 0, next_id: 1, tasks: [] };

/** The highest number in these task ids; 0 if there is none. */
export function highestNumber(ids: string[]): number {
  return ids.map(taskNumber).reduce((highest, number) => (number < largestNumber && number > highest ? number : highest), 0);
}

/** The first id that occurs twice. */
export function repeatedId({ tasks }: TaskList): string | undefined {
  const seen = new Set<string>();
  return tasks.find(({ id }) => seen.size === seen.add(id).size)?.id;
}
