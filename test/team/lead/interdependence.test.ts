import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/board/tasks/task.ts";
import { createInterdependence } from "../../../src/team/lead/interdependence.ts";
import { type Lead, runLead } from "../../../src/team/lead/lead.ts";
import type { MemberState, MemberStatus } from "../../../src/team/report/status.ts";

const task = (id: string, status: Task["status"], more: Partial<Task> = {}): Task => ({
  id,
  title: id,
  description: "",
  status,
  assigned_to: null,
  dependencies: [],
  created_at: "",
  ...more,
});
const tasks = [
  task("task-1", "in_progress", { assigned_to: "ada" }),
  task("task-2", "open", { dependencies: ["task-1"] }),
  task("task-3", "blocked", { assigned_to: "bo", dependencies: ["task-1", "task-2"] }),
];
const names = ["ada", "bo", "cy", "di", "ed"];
const states = (...idle: string[]) => names.map((name) => ({ name, state: (idle.includes(name) ? "idle" : "working") as MemberState }));
const mostIdle = states("bo", "cy", "di");
const minutes = (count: number) => count * 60_000;
const found = {
  idle: 3,
  teammates: 5,
  tasks: [
    { id: "task-2", waitsFor: ["task-1"] },
    { id: "task-3", waitsFor: ["task-1", "task-2"] },
  ],
};

describe("createInterdependence()", () => {
  it("warns once when more than half have been idle for ten minutes, and again after a period of work", () => {
    const look = createInterdependence();
    const at = (minute: number, statuses = mostIdle) => look({ tasks, statuses, atMs: minutes(minute) });
    expect([at(100), at(109.9), at(110), at(111), at(130)]).toEqual([undefined, undefined, found, undefined, undefined]);
    expect([at(131, states("bo", "cy")), at(132), at(141.9), at(142)]).toEqual([undefined, undefined, undefined, found]);
  });

  it.each([
    ["a smaller team", { tasks, statuses: mostIdle.slice(0, 4) }],
    ["a team of which half works", { tasks, statuses: [...states("bo", "cy", "di"), { name: "fay", state: "working" as const }] }],
    ["tasks that wait for nothing", { tasks: [task("task-1", "in_progress", { assigned_to: "ada" })], statuses: mostIdle }],
    [
      "teammates that wait for the person",
      { tasks, statuses: mostIdle.map((status) => ({ ...status, state: "waiting_person" as const })) },
    ],
  ])("says nothing of %s", (_which, team) => {
    const look = createInterdependence();
    expect([look({ ...team, atMs: 0 }), look({ ...team, atMs: minutes(20) })]).toEqual([undefined, undefined]);
  });
});

it("a lead tells its model and the person", async () => {
  const ending = new AbortController();
  const said: string[] = [];
  let nowMs = minutes(1_000);
  const idle = {
    nonce: "",
    session: "",
    task: null,
    doing: "",
    since: "",
    turns: 0,
    tokens: 0,
    cached_tokens: 0,
    cost_usd: 0,
    pid: 1,
    start: "",
  };
  const session = {
    say({ text }: { text: string }) {
      said.push(`lead, after ${(nowMs - minutes(1_000)) / 60_000} minutes: ${text}`);
      ending.abort();
    },
    inputWaits: () => false,
    waitingMail: () => [],
    setState: () => {},
    setStalled: () => {},
    status: () => ({ turns: 0 }),
  } as unknown as Lead["session"];
  await runLead({
    session,
    poll: async () => {},
    running: () => names,
    clock: { now: () => new Date(0), monotonicMs: () => nowMs, sleep: async () => {}, random: () => 0 },
    readList: () => ({ version: 1, revision: 1, next_id: 4, tasks }),
    statusOf: (name): MemberStatus => ({ ...idle, name, state: name === "ada" ? "working" : "idle" }),
    waitingMailOf: () => [],
    changed: async () => {
      nowMs += minutes(1);
    },
    compaction: { waits: () => false, make: async () => {} },
    notBegun: [],
    endWhenDone: false,
    onCompleted: () => {},
    onProviderWait: () => {},
    logWait: () => {},
    onNotice: (text) => said.push(`person: ${text}`),
    ending: ending.signal,
    turnSignal: () => ending.signal,
  });
  expect(said).toEqual([
    "person: The tasks depend too much on each other: for 10 minutes 4 of 5 teammates have had nothing to do. The lead is told; fewer teammates would cost less.",
    "lead, after 10 minutes: For 10 minutes 4 of 5 teammates have had nothing to do, because tasks wait for each other:\n- task-2 waits for task-1\n- task-3 waits for task-1, task-2\n\nThe tasks are too interdependent for this many teammates. Split them so that they can be worked on side by side, take away dependencies that are not needed, or stop teammates.",
  ]);
});
