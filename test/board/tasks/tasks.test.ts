// The table of allowed state changes, cell by cell, and the order of refusals.
import { describe, expect, it } from "vitest";
import { doorOrder } from "../../../src/board/arguments.ts";
import { refusalOrder } from "../../../src/board/refusal.ts";
import { moves, targetOf, type UpdateRequest } from "../../../src/board/tasks/moves.ts";
import { type Actor, type Task, type TaskStatus, taskStatuses } from "../../../src/board/tasks/task.ts";
import { createChecks, updateChecks } from "../../../src/board/tasks/task-checks.ts";
import { type Change, createTask, nextClaim, updateTask } from "../../../src/board/tasks/tasks.ts";
import { ann, bo, lead, now, supervisor, task, user, view } from "../examples.ts";

const actors = { ann, bo, lead, user, supervisor };

/** The resulting status, `unchanged`, or the refusal's code. */
function verdict(change: Change): string {
  if (!change.ok) return change.code;
  return change.event ? change.task.status : "unchanged";
}

function verdicts(of: Task, request: Omit<UpdateRequest, "id">): string {
  return Object.values(actors)
    .map((actor) => verdict(updateTask(view([of]), { id: of.id, ...request }, actor)))
    .join(" ");
}

function row(of: Task, request: Omit<UpdateRequest, "id"> = {}): Record<TaskStatus | "omitted", string> {
  const cells = taskStatuses.map((status) => [status, verdicts(of, { ...request, status, summary: "done" })]);
  return { ...Object.fromEntries(cells), omitted: verdicts(of, request) };
}

const all = (text: string) => Object.keys(actors).fill(text).join(" ");

describe("updateTask(), each cell as ann bo lead user supervisor", () => {
  it("moves an open task of nobody", () => {
    expect(row(task({ id: "task-1" }))).toEqual({
      open: all("unchanged"),
      in_progress: "in_progress in_progress bad_transition bad_transition bad_transition",
      blocked: all("bad_transition"),
      completed: all("bad_transition"),
      omitted: all("unchanged"),
    });
  });

  it("moves an open task assigned to ann", () => {
    expect(row(task({ id: "task-1", assigned_to: "ann" }))).toEqual({
      open: all("unchanged"),
      in_progress: "in_progress assigned_to_other assigned_to_other assigned_to_other assigned_to_other",
      blocked: all("bad_transition"),
      completed: all("bad_transition"),
      omitted: all("unchanged"),
    });
  });

  it("moves a task in progress with ann", () => {
    expect(row(task({ id: "task-1", status: "in_progress", assigned_to: "ann" }))).toEqual({
      open: all("bad_transition"),
      in_progress: "unchanged already_claimed already_claimed already_claimed already_claimed",
      blocked: "blocked not_assignee not_assignee not_assignee blocked",
      completed: "completed not_assignee not_assignee not_assignee not_assignee",
      omitted: all("unchanged"),
    });
  });

  it("moves a blocked task of ann", () => {
    expect(row(task({ id: "task-1", status: "blocked", assigned_to: "ann" }))).toEqual({
      open: "not_lead not_lead open open not_lead",
      in_progress: "in_progress not_assignee not_assignee not_assignee not_assignee",
      blocked: all("unchanged"),
      completed: all("bad_transition"),
      omitted: all("unchanged"),
    });
  });

  it("leaves a completed task as it is", () => {
    expect(row(task({ id: "task-1", status: "completed", assigned_to: "ann" }))).toEqual({
      open: all("bad_transition"),
      in_progress: all("bad_transition"),
      blocked: all("bad_transition"),
      completed: all("bad_transition"),
      omitted: all("unchanged"),
    });
  });

  it("lets only the lead and the user change the assignee, of open and blocked tasks", () => {
    const assign = { assignee: "bo" };
    const teammates = "not_lead not_lead";
    expect(row(task({ id: "task-1", assigned_to: "ann" }), assign)).toEqual({
      open: `${teammates} open open not_lead`,
      in_progress: `${teammates} assigned_to_other assigned_to_other assigned_to_other`,
      blocked: `${teammates} bad_transition bad_transition bad_transition`,
      completed: `${teammates} bad_transition bad_transition bad_transition`,
      omitted: `${teammates} open open not_lead`,
    });
    expect(row(task({ id: "task-1", status: "in_progress", assigned_to: "ann" }), assign)).toEqual({
      open: `${teammates} bad_transition bad_transition bad_transition`,
      in_progress: `${teammates} already_claimed already_claimed already_claimed`,
      blocked: `${teammates} not_assignee not_assignee bad_transition`,
      completed: `${teammates} not_assignee not_assignee not_assignee`,
      omitted: `${teammates} bad_transition bad_transition not_lead`,
    });
    expect(row(task({ id: "task-1", status: "blocked", assigned_to: "ann" }), assign)).toEqual({
      open: `${teammates} open open not_lead`,
      in_progress: `${teammates} not_assignee not_assignee not_assignee`,
      blocked: `${teammates} blocked blocked not_lead`,
      completed: `${teammates} bad_transition bad_transition bad_transition`,
      omitted: `${teammates} blocked blocked not_lead`,
    });
    expect(row(task({ id: "task-1", status: "completed", assigned_to: "ann" }), assign)).toEqual({
      open: `${teammates} bad_transition bad_transition bad_transition`,
      in_progress: `${teammates} bad_transition bad_transition bad_transition`,
      blocked: `${teammates} bad_transition bad_transition bad_transition`,
      completed: `${teammates} bad_transition bad_transition bad_transition`,
      omitted: `${teammates} bad_transition bad_transition bad_transition`,
    });
  });

  it("lets the supervisor unassign an open task and nothing else", () => {
    expect(verdicts(task({ id: "task-1", assigned_to: "ann" }), { assignee: null })).toBe("not_lead not_lead open open open");
    expect(verdicts(task({ id: "task-1", assigned_to: "ann" }), { assignee: null, dependencies: [] })).toBe(
      "not_lead not_lead open open not_lead",
    );
  });
});

describe("updateTask() effects", () => {
  const change = (of: Task, request: Omit<UpdateRequest, "id">, actor: Actor) => {
    const result = updateTask(view([of]), { id: of.id, ...request }, actor);
    return result.ok ? { task: result.task, event: result.event } : result;
  };
  const stamp = { task: "task-1", title: "Title of task-1" };

  it("a claim makes the claimer the assignee", () => {
    expect(change(task({ id: "task-1" }), { status: "in_progress" }, ann)).toEqual({
      task: task({ id: "task-1", status: "in_progress", assigned_to: "ann" }),
      event: { kind: "task_claimed", by: "ann", assigned_to: "ann", ...stamp },
    });
  });

  it("a completion keeps the summary, and only a completion does", () => {
    const held = task({ id: "task-1", status: "in_progress", assigned_to: "ann" });
    expect(change(held, { status: "completed", summary: "  as given ", reason: "ignored" }, ann)).toEqual({
      task: { ...held, status: "completed", summary: "  as given " },
      event: { kind: "task_completed", by: "ann", assigned_to: "ann", summary: "  as given ", ...stamp },
    });
    expect(change(task({ id: "task-1" }), { status: "in_progress", summary: "too early" }, ann)).toMatchObject({
      task: task({ id: "task-1", status: "in_progress", assigned_to: "ann" }),
    });
  });

  it("a block keeps its reason, and leaving blocked removes it", () => {
    const held = task({ id: "task-1", status: "in_progress", assigned_to: "ann" });
    const blocked = { ...held, status: "blocked" as const, blocked_reason: "why" };
    expect(change(held, { status: "blocked", reason: "why", summary: "ignored" }, ann)).toEqual({
      task: blocked,
      event: { kind: "task_blocked", by: "ann", assigned_to: "ann", reason: "why", ...stamp },
    });
    expect(change(held, { status: "blocked", reason: "  " }, ann)).toMatchObject({ task: { ...held, status: "blocked" } });
    expect(change(blocked, { status: "in_progress" }, ann)).toEqual({
      task: held,
      event: { kind: "task_resumed", by: "ann", assigned_to: "ann", ...stamp },
    });
    expect(change(blocked, { status: "open" }, lead)).toEqual({
      task: task({ id: "task-1" }),
      event: { kind: "task_released", by: "lead", assigned_to: null, ...stamp },
    });
    expect(change(blocked, { status: "open", assignee: "bo" }, user)).toMatchObject({ task: task({ id: "task-1", assigned_to: "bo" }) });
  });

  it("the supervisor blocks the task of an ended owner", () => {
    const held = task({ id: "task-1", status: "in_progress", assigned_to: "ann" });
    expect(change(held, { status: "blocked", reason: "ann is gone" }, supervisor)).toEqual({
      task: { ...held, status: "blocked", blocked_reason: "ann is gone" },
      event: { kind: "task_blocked", by: "lead", assigned_to: "ann", reason: "ann is gone", ...stamp },
    });
  });

  it("an edit that changes nothing leaves no event, and a repeated dependency counts once", () => {
    const tasks = [task({ id: "task-1" }), task({ id: "task-2", dependencies: ["task-1"], assigned_to: "bo" })];
    const same = updateTask(view(tasks), { id: "task-2", assignee: "bo", dependencies: ["task-1", "task-1"] }, lead);
    expect(same).toEqual({ ok: true, tasks, task: tasks[1] });
  });

  it("keeps keys that this version does not know", () => {
    expect(change(task({ id: "task-1", estimate: 3 }), { status: "in_progress" }, ann)).toMatchObject({ task: { estimate: 3 } });
  });
});

describe("createTask()", () => {
  it("makes an open task with the next number", () => {
    const request = { title: "Parse dates", description: "ISO", assignee: "ann", dependencies: ["task-1", "task-1"] };
    const created = task({ id: "task-2", title: "Parse dates", description: "ISO", assigned_to: "ann", dependencies: ["task-1"] });
    expect(createTask(view([task({ id: "task-1" })]), request, user)).toEqual({
      ok: true,
      tasks: [task({ id: "task-1" }), created],
      task: created,
      event: {
        kind: "task_created",
        by: "user",
        task: "task-2",
        title: "Parse dates",
        assigned_to: "ann",
        dependencies: ["task-1"],
      },
    });
    expect(createTask(view([]), { title: "Parse dates" }, lead)).toMatchObject({
      task: { id: "task-1", created_at: now, description: "" },
    });
  });

  it("refuses with the first reason in the order", () => {
    const code = (request: Parameters<typeof createTask>[1], actor: Actor) =>
      verdict(createTask(view([task({ id: "task-1" })]), request, actor));
    expect(code({ title: "x", assignee: "carl", dependencies: ["task-9"] }, ann)).toBe("unknown_agent");
    expect(code({ title: "x", assignee: "lead" }, lead)).toBe("unknown_agent");
    expect(code({ title: "x", assignee: "user" }, lead)).toBe("unknown_agent");
    expect(code({ title: "x", dependencies: ["task-9"] }, ann)).toBe("not_lead");
    expect(code({ title: "x", dependencies: ["task-9"] }, lead)).toBe("unknown_dependency");
    expect(code({ title: "its own future id", dependencies: ["task-2"] }, lead)).toBe("unknown_dependency");
    expect(code({ title: "x" }, supervisor)).toBe("not_lead");
  });

  it("names what was found and what exists", () => {
    const reason = (change: Change) => (change.ok ? "" : change.reason);
    expect(reason(createTask(view([task({ id: "task-1" })]), { title: "x", dependencies: ["task-8", "task-9"] }, lead))).toBe(
      'Cannot create the task: "task-8", "task-9" are not in the list. The list has task-1.',
    );
    expect(reason(createTask(view([]), { title: "x", assignee: "carl" }, lead))).toBe(
      'Cannot create the task: "carl" is not a teammate of this team now. The teammates are ann, bo. Spawn a new one first, then name it.',
    );
  });
});

describe("the order of refusals", () => {
  const tasks = [
    task({ id: "task-1" }),
    task({ id: "task-2", status: "in_progress", assigned_to: "ann", dependencies: ["task-1"] }),
    task({ id: "task-3", assigned_to: "bo", dependencies: ["task-1"] }),
    task({ id: "task-4", status: "blocked", assigned_to: "bo", dependencies: ["task-3"] }),
    task({ id: "task-5", status: "blocked", assigned_to: "ann", dependencies: ["task-1"] }),
    task({ id: "task-6", status: "completed", assigned_to: "ann" }),
    task({ id: "task-7", dependencies: ["task-3"] }),
    task({ id: "task-8", dependencies: ["task-4"] }),
  ];
  /** Every code that applies to a request, in the order of the checks. */
  const applying = (request: UpdateRequest, actor: Actor) => {
    const found = tasks.find(({ id }) => id === request.id);
    if (!found) throw new Error(`no ${request.id}`);
    const target = targetOf(found, request);
    const attempt = { view: view(tasks), request, actor, task: found, target, move: moves[found.status][target] };
    return updateChecks.flatMap(({ code, reason }) => (reason(attempt) === undefined ? [] : code));
  };

  it("is the order of the checks", () => {
    const door = doorOrder.filter((code) => code !== "bad_request");
    expect([...door, "not_found", ...updateChecks.map(({ code }) => code)]).toEqual(refusalOrder);
    const places = createChecks.map(({ code }) => refusalOrder.indexOf(code as (typeof refusalOrder)[number]));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it.each<[codes: string, actor: Actor, request: UpdateRequest]>([
    ["unknown_agent not_lead", ann, { id: "task-1", assignee: "carl" }],
    ["unknown_agent not_lead unknown_dependency", ann, { id: "task-1", assignee: "carl", dependencies: ["task-9"] }],
    ["unknown_agent unknown_dependency", lead, { id: "task-1", assignee: "carl", dependencies: ["task-9"] }],
    ["unknown_agent already_claimed bad_transition", lead, { id: "task-2", status: "in_progress", assignee: "carl" }],
    ["not_lead unknown_dependency", ann, { id: "task-1", dependencies: ["task-9"] }],
    ["not_lead self_dependency cycle", ann, { id: "task-1", dependencies: ["task-1"] }],
    ["not_lead cycle", ann, { id: "task-1", dependencies: ["task-3"] }],
    ["not_lead already_claimed bad_transition", bo, { id: "task-2", status: "in_progress", assignee: "bo" }],
    ["not_lead assigned_to_other bad_transition busy dependency_incomplete", ann, { id: "task-3", status: "in_progress", assignee: "ann" }],
    ["not_lead not_assignee bad_transition busy dependency_incomplete", ann, { id: "task-4", status: "in_progress", assignee: "ann" }],
    ["not_lead bad_transition missing_summary", ann, { id: "task-2", status: "completed", assignee: "ann" }],
    ["unknown_dependency self_dependency cycle", lead, { id: "task-1", dependencies: ["task-9", "task-1"] }],
    ["unknown_dependency cycle", lead, { id: "task-1", dependencies: ["task-9", "task-4"] }],
    ["unknown_dependency bad_transition", lead, { id: "task-2", dependencies: ["task-9"] }],
    [
      "unknown_dependency not_assignee bad_transition missing_summary",
      lead,
      { id: "task-2", status: "completed", dependencies: ["task-9"] },
    ],
    ["self_dependency cycle", lead, { id: "task-1", dependencies: ["task-1"] }],
    ["self_dependency cycle bad_transition", lead, { id: "task-2", dependencies: ["task-2"] }],
    ["cycle", lead, { id: "task-1", dependencies: ["task-4"] }],
    [
      "cycle assigned_to_other bad_transition dependency_incomplete",
      lead,
      { id: "task-3", status: "in_progress", dependencies: ["task-4"] },
    ],
    ["cycle not_assignee bad_transition dependency_incomplete", lead, { id: "task-4", status: "in_progress", dependencies: ["task-8"] }],
    ["already_claimed", bo, { id: "task-2", status: "in_progress" }],
    ["assigned_to_other busy dependency_incomplete", ann, { id: "task-3", status: "in_progress" }],
    ["assigned_to_other bad_transition dependency_incomplete", lead, { id: "task-3", status: "in_progress" }],
    ["not_assignee busy dependency_incomplete", ann, { id: "task-4", status: "in_progress" }],
    ["not_assignee missing_summary", bo, { id: "task-2", status: "completed" }],
    ["bad_transition dependency_incomplete", lead, { id: "task-7", status: "in_progress" }],
    ["bad_transition", ann, { id: "task-6", status: "completed" }],
    ["busy dependency_incomplete", ann, { id: "task-7", status: "in_progress" }],
    ["busy dependency_incomplete", ann, { id: "task-5", status: "in_progress" }],
    ["dependency_incomplete", bo, { id: "task-7", status: "in_progress" }],
    ["missing_summary", ann, { id: "task-2", status: "completed", summary: " \n" }],
  ])("%s: the first is reported", (codes, actor, request) => {
    const applied = applying(request, actor);
    expect(applied.join(" ")).toBe(codes);
    expect(verdict(updateTask(view(tasks), request, actor))).toBe(applied[0]);
  });
});

describe("dependencies", () => {
  it("may break a manually made cycle, but not keep one", () => {
    const ring = [
      task({ id: "task-1", dependencies: ["task-2"] }),
      task({ id: "task-2", dependencies: ["task-1"] }),
      task({ id: "task-3" }),
    ];
    expect(verdict(updateTask(view(ring), { id: "task-1", dependencies: ["task-3", "task-2"] }, lead))).toBe("cycle");
    expect(verdict(updateTask(view(ring), { id: "task-1", dependencies: ["task-3"] }, lead))).toBe("open");
    expect(verdict(updateTask(view(ring), { id: "task-1", assignee: "ann" }, lead))).toBe("open");
  });

  it("with unknown ids are never completed", () => {
    const change = updateTask(view([task({ id: "task-1", dependencies: ["task-7"] })]), { id: "task-1", status: "in_progress" }, ann);
    expect(change).toEqual({ ok: false, code: "dependency_incomplete", reason: 'Cannot claim "task-1": "task-7" is not in the list' });
  });

  it("are named with their state if they prevent a move", () => {
    const tasks = [task({ id: "task-1" }), task({ id: "task-2", status: "blocked", assigned_to: "bo" })];
    const change = updateTask(
      view([...tasks, task({ id: "task-3", dependencies: ["task-1", "task-2"] })]),
      { id: "task-3", status: "in_progress" },
      ann,
    );
    expect(change).toMatchObject({ reason: 'Cannot claim "task-3": "task-1" is still open, "task-2" is blocked' });
  });
});

describe("nextClaim()", () => {
  it("takes assigned tasks first, then by number, and none while busy", () => {
    const tasks = [
      task({ id: "task-10" }),
      task({ id: "task-2" }),
      task({ id: "task-1", assigned_to: "bo" }),
      task({ id: "task-11", assigned_to: "ann", dependencies: ["task-2"] }),
      task({ id: "task-12", assigned_to: "ann" }),
    ];
    expect(nextClaim(tasks, "ann")?.id).toBe("task-12");
    expect(nextClaim(tasks, "bo")?.id).toBe("task-1");
    expect(nextClaim(tasks, "carl")?.id).toBe("task-2");
    expect(nextClaim([...tasks, task({ id: "task-13", status: "in_progress", assigned_to: "ann" })], "ann")).toBeUndefined();
    expect(nextClaim([task({ id: "task-1", dependencies: ["task-2"] }), task({ id: "task-2", status: "blocked" })], "ann")).toBeUndefined();
  });
});
