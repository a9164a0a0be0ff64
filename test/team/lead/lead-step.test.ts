import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/board/tasks/task.ts";
import { type LeadView, leadStep } from "../../../src/team/lead/lead-step.ts";
import { allCompletedInput, stalledInput } from "../../../src/team/prompt.ts";

const task = (status: Task["status"]): Task => ({
  id: "task-1",
  title: "",
  description: "",
  status,
  assigned_to: null,
  dependencies: [],
  created_at: "",
});
const base: LeadView = {
  inputWaits: false,
  tasks: [],
  revision: 4,
  completedToldAt: -1,
  stalledToldAt: -1,
  stalled: [],
  busy: false,
  endWhenDone: false,
  failed: false,
  retry: "none",
  waitedTooLong: false,
};

describe("leadStep()", () => {
  it.each<[string, Partial<LeadView>, ReturnType<typeof leadStep>]>([
    ["waits while a person may still type", {}, { kind: "wait" }],
    ["takes input first", { inputWaits: true, busy: true }, { kind: "turn" }],
    ["is not woken while teammates work", { tasks: [task("completed")], busy: true }, { kind: "wait" }],
    [
      "tells the end of the list once",
      { tasks: [task("completed")] },
      { kind: "tell_completed", text: allCompletedInput([task("completed")]) },
    ],
    ["does not tell it twice", { tasks: [task("completed")], completedToldAt: 4 }, { kind: "wait" }],
    [
      "tells a stall once for each state of the list",
      { tasks: [task("blocked")], stalled: ["x"] },
      { kind: "tell_stalled", text: stalledInput(["x"]) },
    ],
    ["waits for the person after telling a stall", { tasks: [task("blocked")], stalled: ["x"], stalledToldAt: 4 }, { kind: "wait" }],
    ["ends when done", { endWhenDone: true, tasks: [task("completed")], completedToldAt: 4 }, { kind: "end", how: "completed" }],
    ["ends without tasks", { endWhenDone: true }, { kind: "end", how: "nothing_to_do" }],
    [
      "ends in a stall that nobody resolved",
      { endWhenDone: true, tasks: [task("blocked")], stalled: ["x"], stalledToldAt: 4 },
      { kind: "end", how: "stalled" },
    ],
    ["ends after a failure", { endWhenDone: true, failed: true, inputWaits: true }, { kind: "end", how: "failed" }],
    ["asks the provider again when it is time", { retry: "due", busy: true }, { kind: "turn" }],
    ["waits for that time, whatever the list says", { retry: "waits", endWhenDone: true, tasks: [task("completed")] }, { kind: "wait" }],
    ["asks at once when the person types", { retry: "waits", inputWaits: true }, { kind: "turn" }],
    ["ends a wait that is too long", { retry: "due", waitedTooLong: true, busy: true }, { kind: "end", how: "stalled" }],
    ["stays for the person after a failure", { failed: true, tasks: [task("open")], busy: true }, { kind: "wait" }],
  ])("%s", (_sentence, view, expected) => {
    expect(leadStep({ ...base, ...view })).toEqual(expected);
  });
});
