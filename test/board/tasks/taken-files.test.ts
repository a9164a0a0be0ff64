// Two tasks in progress that need one file: who gets it, who is told, and what the lead decides.
import { describe, expect, it } from "vitest";
import { overlapMessages } from "../../../src/board/tasks/overlap-notices.ts";
import { firstWith } from "../../../src/board/tasks/taken-files.ts";
import type { Actor, Task } from "../../../src/board/tasks/task.ts";
import { type ListView, takeFile, updateTask } from "../../../src/board/tasks/tasks.ts";
import { ann, bo, lead, now, task, view } from "../examples.ts";

/** A list that takes one change at a time, as the file does. */
function listOf(...tasks: Task[]) {
  const list = { tasks, revision: 0 };
  const at = (): ListView => ({ ...view(list.tasks), revision: list.revision + 1 });
  const keep = <T extends { ok: boolean } | undefined>(change: T): T => {
    if (change?.ok && "tasks" in change && "event" in change && change.event) {
      list.tasks = change.tasks as Task[];
      list.revision++;
    }
    return change;
  };
  const update = (id: string, facts: object, actor: Actor) => keep(updateTask(at(), { id, ...facts }, actor));
  return {
    claim: (id: string, actor: Actor) => update(id, { status: "in_progress" }, actor),
    update,
    edit: (path: string, agent: string) => keep(takeFile(at(), agent, { path, made: false })),
    has: (path: string) => firstWith(list.tasks, path)?.id,
    told: () => overlapMessages(list.tasks).map(({ draft: { from, to, kind } }) => `${kind} from ${from} to ${to}`),
    texts: () => overlapMessages(list.tasks).map(({ draft }) => draft.text),
    tasks: () => list.tasks,
  };
}

const named = (id: string, ...files: string[]) => task({ id, files });

describe("takeFile()", () => {
  it("gives a file to the first task in progress that names or edits it", () => {
    const list = listOf(named("task-1", "a.ts"), task({ id: "task-2" }));
    list.claim("task-1", ann);
    list.claim("task-2", bo);
    expect(list.edit("b.ts", "bo")).toMatchObject({ event: { kind: "file_taken", task: "task-2", path: "b.ts" } });
    expect([list.has("a.ts"), list.has("b.ts"), list.has("c.ts")]).toEqual(["task-1", "task-2", undefined]);
    expect(list.edit("b.ts", "ann")).toMatchObject({ first: { id: "task-2" }, event: { overlaps: ["task-2"] } });
  });

  it("writes nothing for a file that the task already has, or for an agent without a task", () => {
    const list = listOf(named("task-1", "a.ts"), task({ id: "task-2" }));
    list.claim("task-1", ann);
    expect([list.edit("a.ts", "ann"), list.edit("a.ts", "bo")]).toEqual([
      { ok: true, tasks: list.tasks(), task: list.tasks()[0] },
      undefined,
    ]);
  });

  it("refuses the later task each time and reports the pair once", () => {
    const list = listOf(named("task-1", "a.ts", "b.ts"), task({ id: "task-2" }));
    list.claim("task-1", ann);
    list.claim("task-2", bo);
    const [first, again, other] = [list.edit("a.ts", "bo"), list.edit("a.ts", "bo"), list.edit("b.ts", "bo")];
    expect([first?.ok && first.event, again?.ok && again.event, other?.ok && other.event]).toMatchObject([
      { overlaps: ["task-1"] },
      undefined as never,
      { path: "b.ts", overlaps: undefined },
    ]);
    expect([first, again, other].map((change) => change?.ok && change.first?.id)).toEqual(["task-1", "task-1", "task-1"]);
    expect(list.told()).toEqual(["notice from bo to ann", "notice from ann to bo", "task_notice from bo to lead"]);
    expect(list.texts()[2]).toBe(
      'task-1 (ann) and task-2 (bo) are both in progress and change a.ts, b.ts. task-1 has it first: edits under task-2 are refused until task-1 is completed or blocked. To decide otherwise, give the files to task-2: TaskUpdate with its id and "files".',
    );
  });

  it("lets the later task edit once the first is completed or blocked", () => {
    const list = listOf(named("task-1", "a.ts"), named("task-2", "a.ts"));
    list.claim("task-1", ann);
    expect(list.claim("task-2", bo)).toMatchObject({ event: { kind: "task_claimed", overlaps: ["task-1"] } });
    list.update("task-1", { status: "blocked", reason: "which?" }, ann);
    expect([list.has("a.ts"), list.told()]).toEqual(["task-2", []]);
    list.update("task-1", { status: "in_progress" }, ann);
    expect([list.has("a.ts"), list.edit("a.ts", "ann")]).toMatchObject(["task-2", { first: { id: "task-2" } }]);
    list.update("task-2", { status: "completed", summary: "done" }, bo);
    expect(list.edit("a.ts", "ann")).not.toHaveProperty("first");
  });
});

describe("updateTask() with files", () => {
  it("lets the lead give a task in progress its files exclusively", () => {
    const list = listOf(named("task-1", "a.ts", "b.ts"), named("task-2", "a.ts"));
    list.claim("task-1", ann);
    list.claim("task-2", bo);
    expect(list.update("task-2", { files: ["a.ts"] }, lead)).toMatchObject({ ok: true, event: { kind: "task_changed" } });
    expect([list.has("a.ts"), list.has("b.ts"), list.edit("a.ts", "bo")]).toMatchObject(["task-2", "task-1", { ok: true }]);
    expect(list.edit("a.ts", "ann")).toMatchObject({ first: { id: "task-2" } });
    expect(list.update("task-2", { files: [] }, lead)).toMatchObject({ ok: true, event: { files: [] } });
    expect(list.has("a.ts")).toBe("task-1");
  });

  it("changes the files of an open task, and nothing else of one in progress", () => {
    const list = listOf(task({ id: "task-1" }), task({ id: "task-2" }));
    expect(list.update("task-1", { files: ["a.ts", "a.ts"] }, lead)).toMatchObject({ task: { files: ["a.ts"] } });
    list.claim("task-1", ann);
    expect(list.update("task-1", { files: ["b.ts"], assignee: "bo" }, lead)).toMatchObject({
      code: "bad_transition",
      reason: expect.stringContaining("its files and verify also while it is in progress"),
    });
    expect(list.update("task-1", { files: ["b.ts"] }, ann)).toMatchObject({ code: "not_lead" });
    expect(list.update("task-1", { files: ["a.ts"] }, lead)).toMatchObject({
      task: { taken_files: [{ path: "a.ts", since: 2, given: 3 }] },
    });
  });

  it("keeps a resumed task's files, after tasks that took them meanwhile", () => {
    const list = listOf(task({ id: "task-1" }), task({ id: "task-2" }));
    list.claim("task-1", ann);
    list.edit("a.ts", "ann");
    list.update("task-1", { status: "blocked", reason: "which?" }, ann);
    list.claim("task-2", bo);
    list.edit("a.ts", "bo");
    const resumed = list.update("task-1", { status: "in_progress" }, ann);
    expect(resumed).toMatchObject({
      event: { kind: "task_resumed", overlaps: ["task-2"] },
      task: { taken_files: [{ path: "a.ts", since: 6 }], overlaps: [{ task: "task-2", at: now }] },
    });
  });
});
