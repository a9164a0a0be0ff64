// tasks.json for whoever reads and writes it again and again: the lines of the last reading are known, so only new ones cost anything.
// Reading a list of 20 tasks again takes a tenth of the time that parsing all of it takes, of 200 a fifth, of 1,000 half.
import { type Task, type TaskList, taskListSchema, taskSchema } from "./task.ts";
import { type ParsedList, parseTaskList, repeatedId, taskLine, taskListText } from "./task-list.ts";

export interface KnownLines {
  /** What parseTaskList says of these bytes. A line that stands where it stood is the same frozen task as before. */
  parse(bytes: Buffer | undefined): ParsedList;
  /** A text that parses to this list. A task that stands where it stood keeps its line. */
  text(list: TaskList): string;
}

/** `text`: the line without its comma. */
type Known = { text: string; task: Task };

export function knownLines(): KnownLines {
  let known: Known[] = [];
  return {
    parse(bytes) {
      const read = bytes && readLines(bytes, known);
      if (!read) return parseTaskList(bytes);
      known = read.lines;
      return { ok: true, list: read.list };
    },
    text: (list) =>
      taskListText(list, (task, index) => {
        const at = known[index];
        return at?.task === task ? at.text : taskLine(task);
      }),
  };
}

/** Undefined when the bytes are not a list as taskListText lays it out: somebody wrote them otherwise, or they are damaged. */
function readLines(bytes: Buffer, known: Known[]): { list: TaskList; lines: Known[] } | undefined {
  try {
    const parts = partsOf(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!parts) return undefined;
    // Each line is kept as cut from this very text: a line kept from an earlier one would keep all of that in memory.
    const lines = parts.lines.map((text, index) => {
      const at = known[index];
      return { text, task: at?.text === text ? at.task : parseLine(text) };
    });
    const list = { ...taskListSchema.parse(JSON.parse(`${parts.head}]}`)), tasks: lines.map(({ task }) => task) };
    return repeatedId(list) ? undefined : { list, lines };
  } catch {
    return undefined; // parseTaskList finds the same fault in the whole, and names it
  }
}

/**
 * When the head, closed with `]}`, is JSON and each line is, then the whole is, and means the same: a quote after a comma begins a key,
 * so what the head's end opens is the list's own `tasks`, the last of that name.
 */
function partsOf(text: string): { head: string; lines: string[] } | undefined {
  const [head = "", ...lines] = text.split("\n");
  if (!head.endsWith(',"tasks":[') || lines.pop() !== "" || lines.pop() !== "]}") return undefined;
  const last = lines.pop();
  if (last === undefined) return { head, lines };
  if (!lines.every((line) => line.endsWith(","))) return undefined;
  return { head, lines: [...lines.map((line) => line.slice(0, -1)), last] };
}

function parseLine(text: string): Task {
  return Object.freeze(taskSchema.parse(JSON.parse(text)));
}
