import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/board/tasks/task.ts";
import { createUnblocked } from "../../../src/team/teammate/unblocked.ts";

const task = (id: string, status: Task["status"], more: Partial<Task> = {}): Task => ({
  id,
  title: id,
  description: "",
  status,
  assigned_to: "ada",
  dependencies: [],
  created_at: "",
  ...more,
});
const mail = (from: string, text: string, id = `${from} ${text}`) => ({ id, from, text, kind: "message" as const });
const asked = new Set(["bo"]);

describe("createUnblocked()", () => {
  it("unblocks a task when a member that it asked, the lead or the user answers", () => {
    for (const from of ["bo", "lead", "user"]) {
      const unblocked = createUnblocked("ada");
      unblocked.list([task("task-1", "blocked")]);
      unblocked.mail(mail(from, "it is ISO"), asked);
      expect([...unblocked.reasons()]).toEqual([["task-1", `${from} answered`]]);
    }
  });

  it("does not treat a message of another member, a report or a notice as an answer", () => {
    const unblocked = createUnblocked("ada");
    unblocked.list([task("task-1", "blocked")]);
    unblocked.mail(mail("cy", "by the way"), asked);
    unblocked.mail({ ...mail("bo", "done"), kind: "turn_report" }, asked);
    expect([...unblocked.reasons()]).toEqual([]);
  });

  it("prefers the task that the answer names", () => {
    const unblocked = createUnblocked("ada");
    unblocked.list([task("task-1", "blocked"), task("task-12", "blocked")]);
    unblocked.mail(mail("bo", "About task-12: yes"), asked);
    expect([...unblocked.reasons().keys()]).toEqual(["task-12"]);
  });

  it("counts one message once, also when it is seen waiting and again when taken", () => {
    const unblocked = createUnblocked("ada");
    unblocked.list([task("task-1", "blocked")]);
    unblocked.mail(mail("bo", "yes"), asked);
    unblocked.settle("task-1");
    unblocked.mail(mail("bo", "yes"), asked);
    expect([...unblocked.reasons()]).toEqual([]);
  });

  it("unblocks a task when the dependencies that it waited for are completed, but not if it had none", () => {
    const unblocked = createUnblocked("ada");
    const waiting = task("task-2", "blocked", { dependencies: ["task-1"] });
    unblocked.list([task("task-1", "in_progress", { assigned_to: "bo" }), waiting, task("task-3", "blocked")]);
    expect([...unblocked.reasons()]).toEqual([]);
    unblocked.list([task("task-1", "completed", { assigned_to: "bo" }), waiting, task("task-3", "blocked")]);
    expect([...unblocked.reasons()]).toEqual([["task-2", "its dependencies are completed"]]);
  });

  it("forgets a task that another member has by now", () => {
    const unblocked = createUnblocked("ada");
    unblocked.list([task("task-1", "blocked")]);
    unblocked.mail(mail("bo", "yes"), asked);
    unblocked.list([task("task-1", "open", { assigned_to: "cy" })]);
    expect([...unblocked.reasons()]).toEqual([]);
  });
});
