// Dependency cycles, and why no task can continue.
import { describe, expect, it } from "vitest";
import { cycleThrough, stallCulprits, unfinished } from "../../../src/board/tasks/graph.ts";
import { task } from "../examples.ts";

describe("unfinished()", () => {
  it("names the dependencies that are not completed, unknown ids too, in the task's order", () => {
    const tasks = [task({ id: "task-1", status: "completed" }), task({ id: "task-2" })];
    expect(unfinished(tasks, task({ id: "task-3", dependencies: ["task-9", "task-1", "task-2"] }))).toEqual(["task-9", "task-2"]);
  });
});

describe("cycleThrough()", () => {
  const chain = Array.from({ length: 10_000 }, (_, index) =>
    task({ id: `task-${index + 1}`, dependencies: index > 0 ? [`task-${index}`] : [] }),
  );

  it("finds the shortest cycle through a task, and no other", () => {
    const tasks = [
      task({ id: "task-1", dependencies: ["task-2", "task-3"] }),
      task({ id: "task-2", dependencies: ["task-3"] }),
      task({ id: "task-3", dependencies: ["task-1"] }),
      task({ id: "task-4", dependencies: ["task-1"] }),
      task({ id: "task-5", dependencies: ["task-5"] }),
    ];
    expect(tasks.map(({ id }) => cycleThrough(tasks, id))).toEqual([
      ["task-1", "task-3", "task-1"],
      ["task-2", "task-3", "task-1", "task-2"],
      ["task-3", "task-1", "task-3"],
      undefined,
      ["task-5", "task-5"],
    ]);
  });

  it("walks a chain of ten thousand tasks, open and closed", () => {
    expect(cycleThrough(chain, "task-10000")).toBeUndefined();
    const closed = [task({ id: "task-1", dependencies: ["task-10000"] }), ...chain.slice(1)];
    expect(cycleThrough(closed, "task-1")).toHaveLength(10_001);
  });
});

describe("stallCulprits()", () => {
  it("is empty while work continues, and when all is completed", () => {
    expect(stallCulprits([])).toEqual([]);
    expect(stallCulprits([task({ id: "task-1", status: "completed" })])).toEqual([]);
    expect(stallCulprits([task({ id: "task-1" }), task({ id: "task-2", dependencies: ["task-2"] })])).toEqual([]);
    expect(stallCulprits([task({ id: "task-1", status: "in_progress", assigned_to: "ann" })], ["ann"])).toEqual([]);
  });

  it("names each obstacle but not the tasks that wait for it", () => {
    const tasks = [
      task({ id: "task-1", dependencies: ["task-2"] }),
      task({ id: "task-2", dependencies: ["task-3"] }),
      task({ id: "task-3", dependencies: ["task-1"] }),
      task({ id: "task-4", dependencies: ["task-4"] }),
      task({ id: "task-5", dependencies: ["task-77"] }),
      task({ id: "task-6", status: "blocked", assigned_to: "bo", blocked_reason: "needs the date format" }),
      task({ id: "task-7", dependencies: ["task-6", "task-1"] }),
    ];
    expect(stallCulprits(tasks)).toEqual([
      "task-1 → task-2 → task-3 → task-1 is a cycle: each depends on the next. Change the dependencies of one of them.",
      "task-4 depends on itself. Change its dependencies.",
      "task-5 depends on task-77, which the list does not have. Change its dependencies.",
      "task-6 is blocked, held by bo: needs the date format",
    ]);
  });

  it("names tasks whose assignee is not working", () => {
    const tasks = [
      task({ id: "task-1", assigned_to: "ann" }),
      task({ id: "task-2", status: "in_progress", assigned_to: "cy" }),
      task({ id: "task-3", dependencies: ["task-1"] }),
    ];
    expect(stallCulprits(tasks, ["bo"])).toEqual([
      "task-1 is assigned to ann, who does not work in this team now. Assign it to another teammate, or to nobody.",
      "task-2 is in progress with cy, who does not work in this team now.",
    ]);
    expect(stallCulprits([task({ id: "task-1" })], [])).toEqual(["task-1 is ready, and there is no teammate to claim it. Start one."]);
  });
});
