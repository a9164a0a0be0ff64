// Reading line by line gives the same result as reading the whole file, for any bytes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { knownLines } from "../../src/board/known-lines.ts";
import type { Task, TaskList } from "../../src/board/tasks/task.ts";
import { parseTaskList, taskListText } from "../../src/board/tasks/task-list.ts";
import { task } from "./examples.ts";

const list = (tasks: Task[], others: Record<string, unknown> = {}): TaskList => ({ version: 1, revision: 3, next_id: 9, ...others, tasks });
const three = list([task({ id: "task-1", title: "ü {},\n[" }), task({ id: "task-2", summary: '"]}' }), task({ id: "task-3" })], {
  mine: [1],
});

function parsed(lines: ReturnType<typeof knownLines>, bytes: Buffer) {
  const result = lines.parse(bytes);
  if (!result.ok) throw new Error(result.problem);
  return result.list;
}

/** The results for these bytes of a fresh reader, and of one that has already read `three`. */
function readings(bytes: Buffer) {
  const lines = knownLines();
  lines.parse(Buffer.from(taskListText(three)));
  return [knownLines().parse(bytes), lines.parse(bytes)];
}

it("gives the full parser's result wherever bytes were cut, changed or inserted", () => {
  const whole = Buffer.from(taskListText(three));
  const bytes = fc
    .constantFrom("", ",", "{", "}", "]", '"', "\n", "\\", " ", "null", ',"tasks":[', "\n  {},", "\uFEFF")
    .map((text) => Buffer.from(text));
  const torn = fc.tuple(fc.nat(whole.length), fc.nat(12), fc.oneof(bytes, fc.uint8Array({ maxLength: 3 })));
  fc.assert(
    fc.property(torn, ([at, length, put]) => {
      const damaged = Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + length)]);
      const said = parseTaskList(damaged);
      expect(readings(damaged)).toEqual([said, said]);
    }),
    { numRuns: 2000, seed: 1 },
  );
});

it.each([
  ["an empty list", taskListText(list([]))],
  ["a list with a key of its own", taskListText(three)],
  ["a list on one line", JSON.stringify(three)],
  ["a list with room between", JSON.stringify(three, null, 2)],
  ["a repeated id", taskListText(list([task({ id: "task-1" }), task({ id: "task-1" })]))],
  ["two tasks on a line", taskListText(list([task({ id: "task-1" }), task({ id: "task-2" })])).replace(",\n", ",")],
  ["no comma between", taskListText(three).replace("},\n", "}\n")],
  ["another sign than a comma", taskListText(three).replace("},\n", "};\n")],
  ["a comma after the last", taskListText(three).replace("\n]", ",\n]")],
  ["tasks of another key", '{"version":1,"revision":1,"next_id":1,"tasks":[],"a\\"tasks":[\n  {"id":"task-1"}\n]}\n'],
  ["tasks of an inner object", '{"version":1,"revision":1,"next_id":1,"tasks":[],"a":{"b":1,"tasks":[\n]}\n'],
  ["two keys of that name", `{"tasks":[1],${taskListText(three).slice(1)}`],
  ["a line that is no task", taskListText(three).replace("\n]", ',\n  {"id":"task-4"}\n]')],
  ["an empty file", ""],
])("gives the full parser's result for %s", (_name, text) => {
  const said = parseTaskList(Buffer.from(text));
  expect(readings(Buffer.from(text))).toEqual([said, said]);
});

it("gives the same task for the same line and a new one for a changed line, and writes what parses to the list", () => {
  const lines = knownLines();
  const before = parsed(lines, Buffer.from(taskListText(three)));
  const changed = before.tasks.map((each) => (each.id === "task-2" ? { ...each, status: "blocked" as const } : each));
  const next = { ...before, revision: 4, tasks: [...changed, task({ id: "task-4" })] };
  const text = lines.text(next);
  expect(JSON.parse(text)).toEqual(next);
  const after = parsed(lines, Buffer.from(text));
  expect(after).toEqual(next);
  expect(after.tasks.map((each) => before.tasks.includes(each))).toEqual([true, false, true, false]);
});

it("writes the right line for a task that has moved", () => {
  const lines = knownLines();
  const before = parsed(lines, Buffer.from(taskListText(three)));
  const turned = { ...before, tasks: before.tasks.toReversed() };
  expect(JSON.parse(lines.text(turned))).toEqual(turned);
});
