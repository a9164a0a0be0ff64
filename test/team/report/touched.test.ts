import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { createTouched } from "../../../src/team/report/touched.ts";

const at = "2026-01-01T00:00:00Z";
const task = (id: string): AgentEvent => ({ type: "input", inputs: [{ source: { kind: "task", task: id }, text: "" }], at });
const mail = (text: string): AgentEvent => ({
  type: "input",
  inputs: [{ source: { kind: "mail", message: "m", from: "lead", mail: "message" }, text }],
  at,
});
const call = (name: string, subject: string, more: Partial<Extract<AgentEvent, { type: "tool_ended" }>> = {}): AgentEvent => ({
  type: "tool_ended",
  id: "1",
  name,
  subject,
  text: "",
  isError: false,
  summary: "",
  touched: [],
  ms: 1,
  at,
  ...more,
});
const wrote = (path: string, diff?: string) => call("Write", path, { touched: [path], ...(diff && { detail: diff }) });
const update = (subject: string) => call("TaskUpdate", subject);

describe("createTouched()", () => {
  it("gives a file to the task worked on at that time, whoever took it up", () => {
    const touched = createTouched([
      task("task-8"),
      wrote("eight.js"),
      update("task-8 blocked"),
      task("task-4"),
      wrote("four.js"),
      update("task-4 completed"),
      update("task-8 in_progress"),
      wrote("eight-again.js"),
      call("TaskUpdate", "task-4 in_progress", { isError: true }),
      wrote("eight.js"),
    ]);
    expect({ 4: touched.of("task-4"), 8: touched.of("task-8") }).toEqual({ 4: ["four.js"], 8: ["eight.js", "eight-again.js"] });
  });

  it("gives what is written with an answer, before the task is taken up again, to the task that the answer is about", () => {
    const touched = createTouched([
      task("task-7"),
      update("task-7 blocked"),
      task("task-8"),
      update("task-8 blocked"),
      task("task-4"),
      mail("About task-8: ISO."),
      wrote("four.js"),
      update("task-4 completed"),
      wrote("eight.js"),
    ]);
    expect(["task-4", "task-7", "task-8"].map(touched.of)).toEqual([["four.js"], [], ["eight.js"]]);
  });

  it("counts lines over all writes of a file, as far as they could be compared", () => {
    const diff = "--- a.js\n+++ a.js\n@@ -1,2 +1,3 @@\n-one\n+two\n+three\n four\n";
    const touched = createTouched([task("task-1"), wrote("a.js", diff), wrote("b.js", diff), wrote("a.js", diff), wrote("b.js")]);
    expect(touched.changes("task-1")).toEqual([
      { path: "a.js", added: 4, removed: 2 },
      { path: "b.js", added: undefined, removed: undefined },
    ]);
  });
});
