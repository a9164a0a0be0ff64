import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/board/tasks/task.ts";
import { nextStep, type TeammateView } from "../../../src/team/teammate/next-step.ts";

const task = (id: string, status: Task["status"], assigned_to: string | null = "ada"): Task => ({
  id,
  title: id,
  description: "",
  status,
  assigned_to,
  dependencies: [],
  created_at: "",
});
const base: TeammateView = {
  me: "ada",
  tasks: [],
  inputWaits: false,
  unblocked: new Map(),
  claimable: undefined,
  agentsAtWork: false,
  idleTurns: new Map(),
};
const open = task("task-9", "open", null);
const running = task("task-1", "in_progress");
const blocked = task("task-2", "blocked");

describe("nextStep()", () => {
  it.each<[string, Partial<TeammateView>, ReturnType<typeof nextStep>]>([
    ["waits when there is nothing", {}, { kind: "wait" }],
    ["claims when something can be claimed", { claimable: open }, { kind: "claim", task: open }],
    ["takes input before a claim", { claimable: open, inputWaits: true }, { kind: "take_input" }],
    [
      "takes input before its own task",
      { tasks: [running], inputWaits: true, idleTurns: new Map([["task-1", 1]]) },
      { kind: "take_input" },
    ],
    ["goes on with its own task after a restart", { tasks: [running] }, { kind: "continue", task: running }],
    ["reminds once", { tasks: [running], idleTurns: new Map([["task-1", 1]]) }, { kind: "remind", task: running }],
    ["gives up after the second turn", { tasks: [running], idleTurns: new Map([["task-1", 2]]) }, { kind: "give_up", task: running }],
    [
      "waits for its agents instead of being reminded",
      { tasks: [running], idleTurns: new Map([["task-1", 1]]), agentsAtWork: true },
      { kind: "wait_for_agents" },
    ],
    ["leaves a blocked task alone and claims another", { tasks: [blocked], claimable: open }, { kind: "claim", task: open }],
    [
      "resumes a blocked task before the answer is read, so that both stand in one request",
      { tasks: [blocked], unblocked: new Map([["task-2", "bo answered"]]), inputWaits: true, claimable: open },
      { kind: "resume", task: blocked, why: "bo answered" },
    ],
    [
      "finishes the task in progress before it resumes another",
      { tasks: [running, blocked], unblocked: new Map([["task-2", "bo answered"]]), idleTurns: new Map([["task-1", 1]]) },
      { kind: "remind", task: running },
    ],
    ["does not touch what others hold", { tasks: [task("task-3", "in_progress", "bo")] }, { kind: "wait" }],
  ])("%s", (_sentence, view, expected) => {
    expect(nextStep({ ...base, ...view })).toEqual(expected);
  });
});
