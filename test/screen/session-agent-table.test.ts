import { expect, it } from "vitest";
import { sessionAgentTable } from "../../src/screen/session-agent-table.ts";
import { createStyle } from "../../src/screen/style.ts";
import { aWorker } from "../subagents/kit.ts";

it("says of a worker in line whose end it waits for", () => {
  const style = createStyle({ NO_COLOR: "1" });
  const records = [aWorker("log"), aWorker("time", { state: "completed" }), aWorker("orders", { state: "pending", phase: 2 })];
  const lines = sessionAgentTable(records, style, Date.parse("2026-01-02T03:04:45.000Z")).split("\n");
  expect(lines.map((line) => /waits for (?!a place).*/.exec(line)?.[0])).toEqual([undefined, undefined, undefined, "waits for log"]);
});
