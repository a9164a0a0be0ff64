import { expect, it } from "vitest";
import { sessionAgentTable } from "../../../src/screen/commands/session-agent-table.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { aRecord, aWorker } from "../../subagents/kit.ts";

it("has a row for each agent, with its state and the turns it has taken", () => {
  const records = [aRecord({ state: "running", turns: 7 }), aRecord({ id: "a-2", name: "bo", state: "completed", turns: 12 })];
  const [head, ...rows] = sessionAgentTable(records, createStyle({ NO_COLOR: "1" }), { nowMs: 0, resume: "" }).split("\n");
  expect(head).toMatch(/^agent +name +what +state +turns /);
  expect(rows.map((row) => /^(\S+) +(\S+) +look at a +\S+ (\w+) +(\d+) /.exec(row)?.slice(1))).toEqual([
    ["a-1", "ada", "running", "7"],
    ["a-2", "bo", "completed", "12"],
  ]);
});

it("names the workers that a queued worker waits for", () => {
  const style = createStyle({ NO_COLOR: "1" });
  const records = [aWorker("log"), aWorker("time", { state: "completed" }), aWorker("orders", { state: "pending", phase: 2 })];
  const lines = sessionAgentTable(records, style, { nowMs: Date.parse("2026-01-02T03:04:45.000Z"), resume: "/tasks resume" }).split("\n");
  expect(lines.map((line) => /waits for (?!a place).*/.exec(line)?.[0])).toEqual([undefined, undefined, undefined, "waits for log"]);
});

it("names the command that continues an agent that needs the person", () => {
  const waiting = aRecord({ state: "needs_permission", missing: ["Write"] });
  const shown = (resume: string) =>
    sessionAgentTable([waiting], createStyle({ NO_COLOR: "1" }), { nowMs: 0, resume })
      .split("  ")
      .at(-1);
  expect(["/tasks resume", "tool agents resume"].map(shown)).toEqual([
    "asks: Write: /tasks resume a-1",
    "asks: Write: tool agents resume a-1",
  ]);
});

it("drops columns at 40 columns, and never cuts that command", () => {
  const waiting = aRecord({ state: "needs_permission", missing: ["Write"] });
  const look = { nowMs: 0, resume: "tool agents resume", columns: 40 };
  const [head, row] = sessionAgentTable([waiting], createStyle({ NO_COLOR: "1" }), look).split("\n");
  expect([head, row?.endsWith("asks: Write: tool agents resume a-1")]).toEqual(["agent  state        now", true]);
});
