// tasks.json as text: one task a line for people who repair it, and a named problem for every kind of damage.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Task, TaskList } from "../../../src/board/tasks/task.ts";
import { highestNumber, parseTaskList, taskListText } from "../../../src/board/tasks/task-list.ts";
import { task } from "../examples.ts";

const list = (tasks: Task[], others: Record<string, unknown> = {}): TaskList => ({ version: 1, revision: 3, next_id: 9, ...others, tasks });
const text = taskListText(list([task({ id: "task-1", title: "ü {},\n[" }), task({ id: "task-2", summary: '"]}' })], { mine: [1] }));

describe("taskListText()", () => {
  it("has one task a line, keeps unknown keys, and is read back", () => {
    const [head, one, two, ...end] = text.split("\n");
    expect([head?.endsWith('"tasks":['), one?.includes('"task-1"'), two?.includes('"task-2"'), end]).toEqual([
      true,
      true,
      true,
      ["]}", ""],
    ]);
    const parsed = parseTaskList(Buffer.from(text));
    expect(parsed).toMatchObject({ ok: true, list: { mine: [1], revision: 3 } });
    expect(parseTaskList(Buffer.from(taskListText(list([]))))).toEqual({ ok: true, list: list([]) });
  });

  it("cut anywhere, is never taken for a shorter list", () => {
    const whole = Buffer.from(text);
    fc.assert(
      fc.property(fc.nat(whole.length - 2), (at) => parseTaskList(whole.subarray(0, at)).ok === false),
      { numRuns: 500, seed: 1 },
    );
  });
});

describe("parseTaskList()", () => {
  it.each([
    [undefined, "is missing"],
    ["", "is empty"],
    ["{", expect.stringMatching(/^is not JSON \(/)],
    [Buffer.from([0x22, 0xff, 0x22]), expect.stringMatching(/^is not JSON \(/)],
    ['{"version":2}', expect.stringMatching(/^is not a task list \("version" must be 1\)/)],
    [text.replace('"id":"task-2"', '"id":"task-1"'), "has the id task-1 twice"],
    [text.replace('"id":"task-2"', '"id":"two"'), expect.stringMatching(/^is not a task list \("tasks\.1\.id" /)],
  ])("of %j names the problem", (content, problem) => {
    expect(parseTaskList(content === undefined ? undefined : Buffer.from(content))).toEqual({ ok: false, problem });
  });
});

describe("highestNumber()", () => {
  it.each([
    [[], 0],
    [["task-2", "task-11", "task-3"], 11],
    [["task-4", `task-${"9".repeat(30)}`], 4],
  ])("of %j is %i", (ids, highest) => {
    expect(highestNumber(ids)).toBe(highest);
  });
});
