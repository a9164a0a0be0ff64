// What becomes of each member when a team is resumed: decided from the record, the list and the processes.
import { describe, expect, it } from "vitest";
import type { DisplayHandle } from "../../../src/team/display/display.ts";
import type { MemberStatus } from "../../../src/team/report/status.ts";
import { type MemberFacts, resumePlan, taskToGiveBack } from "../../../src/team/resume/plan.ts";
import { now, task } from "../../board/examples.ts";

const kept = { turns: 3, unread: 1, interrupted: 0, questions: 0, lost: false };
const handle: DisplayHandle = { kind: "tmux", socket: "/s", serverPid: 1, serverStart: "1", pane: "%1", panePid: 7, owner: "s:atlas" };
const running = { kind: "running", pid: 7, start: "70", stopped: false } as const;
const status = { pid: 7, start: "70", nonce: "n" } as MemberStatus;

function facts(changes: Partial<MemberFacts> = {}, member: Partial<MemberFacts["member"]> = {}): MemberFacts {
  return {
    ...kept,
    member: { name: "ada", role: "teammate", session: "s-ada", ...member },
    process: { kind: "none" },
    status,
    handle,
    ...changes,
  };
}

const planOf = (one: MemberFacts) => resumePlan([one])[0];

describe("a member", () => {
  it("whose process is gone is started from its transcript", () => {
    expect(planOf(facts())).toEqual({ name: "ada", kept, kind: "start", session: "s-ada", endFirst: undefined });
  });

  it("that lives is adopted, as the process and place that are on record", () => {
    const living = { process: { pid: 7, start: "70" }, nonce: "n", handle };
    expect(planOf(facts({ process: running }))).toEqual({ name: "ada", kept, kind: "adopt", session: "s-ada", living });
  });

  it.each([
    ["has not written who it is", { status: undefined }],
    ["is not the process that its status names", { status: { ...status, start: "69" } }],
    ["has no place on record", { handle: undefined }],
    ["is not what runs in the pane that is on record", { handle: { ...handle, panePid: 8 } }],
  ])("that lives and %s is ended before it is started", (_what, changes) => {
    expect(planOf(facts({ process: running, ...changes }))).toMatchObject({ kind: "start", endFirst: { pid: 7, start: "70" } });
  });

  it("that ended with the team is started again, and one that ended before it is not", () => {
    const ended = { how: "stopped", at: now };
    expect(planOf(facts({}, { ended: { ...ended, with_team: true } }))).toMatchObject({ kind: "start" });
    expect(planOf(facts({}, { ended: { ...ended, how: "its pane was closed" } }))).toEqual({
      name: "ada",
      kept,
      kind: "leave",
      why: "it had ended before the team did: its pane was closed",
    });
  });

  it("of another machine or another program is left alone", () => {
    expect(planOf(facts({ process: { kind: "elsewhere", where: "process 9 of host-b" } }))).toMatchObject({
      kind: "leave",
      why: "it runs on process 9 of host-b",
    });
    const { session: _none, ...member } = facts().member;
    expect(planOf({ ...facts(), member })).toMatchObject({ kind: "leave", why: "it is another program's" });
  });
});

it("the lead is no teammate", () => {
  expect(resumePlan([facts({}, { name: "lead", role: "lead" })])).toEqual([]);
});

describe("the task that continues", () => {
  const blocked = (reason: string, id = "task-1") => task({ id, status: "blocked", assigned_to: "ada", blocked_reason: reason });

  it.each([
    "the lead is gone",
    "the lead is gone; files touched: a.js",
    "ada was stopped",
    "ada has ended, and the team was stopped",
    "ada is gone: its process died, and the team was stopped; files touched: a.js",
  ])("is one that is blocked because %s", (reason) => {
    expect(taskToGiveBack([blocked(reason)], "ada")).toBe("task-1");
  });

  it("is not one that is blocked for its own reason, or because another member ended", () => {
    const tasks = [
      blocked("which format?"),
      blocked("bo was stopped", "task-2"),
      task({ id: "task-3", status: "blocked", assigned_to: "ada" }),
    ];
    expect(taskToGiveBack(tasks, "ada")).toBeUndefined();
    expect(taskToGiveBack([blocked("the lead is gone")], "bo")).toBeUndefined();
  });

  it("is absent if another is in progress", () => {
    const tasks = [blocked("the lead is gone"), task({ id: "task-2", status: "in_progress", assigned_to: "ada" })];
    expect(taskToGiveBack(tasks, "ada")).toBeUndefined();
  });
});
