// Random changes by random agents: what must hold of every list that the rules can produce.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldBy } from "../../src/board/tasks/claims.ts";
import { cycleThrough, unfinished } from "../../src/board/tasks/graph.ts";
import type { UpdateRequest } from "../../src/board/tasks/moves.ts";
import { nextRelease } from "../../src/board/tasks/release-tasks.ts";
import { type Actor, type Task, taskStatuses } from "../../src/board/tasks/task.ts";
import { type Change, type CreateRequest, createTask, nextClaim, updateTask } from "../../src/board/tasks/tasks.ts";
import { ann, bo, lead, supervisor, user, view } from "./examples.ts";

type Step =
  | { kind: "create"; request: CreateRequest; actor: Actor }
  | { kind: "update"; request: UpdateRequest; actor: Actor }
  | { kind: "claim next"; actor: Actor }
  | { kind: "gone"; name: string };

const anyId = fc.integer({ min: 1, max: 9 }).map((number) => `task-${number}`);
const anyActor = fc.constantFrom(ann, bo, lead, user, supervisor);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyAssignee = optional(fc.constantFrom("ann", "bo", "carl", "lead", null));
const anyDependencies = optional(fc.array(anyId, { maxLength: 3 }));

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    request: fc.record({ title: fc.constant("x"), assignee: anyAssignee, dependencies: anyDependencies }),
    actor: anyActor,
  }),
  fc.record({
    kind: fc.constant("update" as const),
    request: fc.record({
      id: anyId,
      status: optional(fc.constantFrom(...taskStatuses)),
      summary: optional(fc.constantFrom("", "done")),
      reason: optional(fc.constantFrom("", "why")),
      assignee: anyAssignee,
      dependencies: anyDependencies,
    }),
    actor: anyActor,
  }),
  fc.record({ kind: fc.constant("claim next" as const), actor: fc.constantFrom(ann, bo) }),
  fc.record({ kind: fc.constant("gone" as const), name: fc.constantFrom("ann", "bo") }),
);

function taken(tasks: Task[], step: Step): Change | undefined {
  switch (step.kind) {
    case "create":
      return createTask(view(tasks), step.request, step.actor);
    case "update":
      return updateTask(view(tasks), step.request, step.actor);
    case "claim next": {
      const next = nextClaim(tasks, step.actor.name);
      return next && updateTask(view(tasks), { id: next.id, status: "in_progress" }, step.actor);
    }
    case "gone":
      return nextRelease(view(tasks), { name: step.name, reason: "gone", by: "lead", keepOpen: false });
  }
}

const steps = fc.array(step, { minLength: 1, maxLength: 60 });

describe("after any moves", () => {
  it("ids are unique, no agent holds two tasks, there is no cycle, work starts after its dependencies, completed work stays", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let tasks: Task[] = [];
        for (const one of all) {
          const change = taken(tasks, one);
          if (!change?.ok) continue;
          const before = tasks;
          tasks = change.tasks;
          expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
          for (const name of ["ann", "bo", "lead", "user"])
            expect(tasks.filter((task) => task.status === "in_progress" && task.assigned_to === name).length).toBeLessThanOrEqual(1);
          expect(tasks.filter(({ id }) => cycleThrough(tasks, id))).toEqual([]);
          for (const task of tasks) {
            const started = task.status === "in_progress" || task.status === "completed";
            expect(started ? unfinished(tasks, task) : []).toEqual([]);
            expect(started && task.assigned_to === null).toBe(false);
            expect(task.status !== "blocked" && task.blocked_reason !== undefined).toBe(false);
          }
          for (const task of before) if (task.status === "completed") expect(tasks).toContain(task);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("an answer without a change is the same list, and a change affects one task", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let tasks: Task[] = [];
        for (const one of all) {
          const change = taken(tasks, one);
          if (!change?.ok) continue;
          const different = change.tasks.filter((task) => !tasks.includes(task));
          expect(different).toEqual(change.event ? [change.task] : []);
          tasks = change.tasks;
        }
      }),
    );
  });

  it("the task that nextClaim() returns can be claimed", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let tasks: Task[] = [];
        for (const one of all) {
          const change = taken(tasks, one);
          if (change?.ok) tasks = change.tasks;
          for (const actor of [ann, bo]) {
            const next = nextClaim(tasks, actor.name);
            if (next) expect(updateTask(view(tasks), { id: next.id, status: "in_progress" }, actor).ok).toBe(true);
          }
        }
      }),
    );
  });

  it("an ended member holds nothing and waits for nothing after as many steps as it had tasks", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let tasks = all.reduce<Task[]>((list, one) => {
          const change = taken(list, one);
          return change?.ok ? change.tasks : list;
        }, []);
        const had = tasks.filter((task) => task.assigned_to === "ann" && (task.status === "in_progress" || task.status === "open"));
        for (const _ of had) {
          const change = taken(tasks, { kind: "gone", name: "ann" });
          expect(change?.ok && change.event !== undefined).toBe(true);
          if (change?.ok) tasks = change.tasks;
        }
        expect(taken(tasks, { kind: "gone", name: "ann" })).toBeUndefined();
        expect(heldBy(tasks, "ann")).toBeUndefined();
      }),
    );
  });
});
