import { describe, expect, it } from "vitest";
import { waitsFor } from "../../../src/app/watch/team-rows.ts";
import type { Task } from "../../../src/board/tasks/task.ts";
import type { MemberView, TeamStatus } from "../../../src/team/report/team-status.ts";

const member = (name: string, more: Partial<MemberView> = {}) =>
  ({ name, role: "teammate", state: "idle", blocked: [], ...more }) as unknown as MemberView;
const task = (id: string, more: Partial<Task>) => ({ id, status: "open", assigned_to: null, dependencies: [], ...more }) as unknown as Task;

const [lead, ada, bo] = [member("lead", { role: "lead" }), member("ada", { state: "working" }), member("bo")];
const status = { members: [lead, ada, bo] } as unknown as TeamStatus;
const tasks = [task("task-1", { status: "in_progress", assigned_to: "ada" }), task("task-2", { dependencies: ["task-1"] })];

describe("waitsFor()", () => {
  it.each([
    ["an idle teammate for the owners of what its tasks depend on", bo, ["ada"]],
    ["an idle lead for the teammates at work", lead, ["ada"]],
    ["a blocked teammate for the lead", member("cy", { blocked: ["task-3"] as never }), ["lead"]],
    ["a working teammate for nobody", ada, []],
  ])("%s", (_who, one, names) => {
    expect(waitsFor(one, status, tasks)).toEqual(names);
  });
});
