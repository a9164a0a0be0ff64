import { expect, it } from "vitest";
import { noUsage } from "../../../src/agent/usage.ts";
import { agentRow, endedRow, rowLines } from "../../../src/screen/agents/agent-row.ts";
import { columnsOf } from "../../../src/screen/line-widths.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { aRecord } from "../../subagents/kit.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const nowMs = Date.parse("2026-01-02T03:05:06.000Z");
const passed = { kind: "test", command: "npm test", result: "passed", summary: "11 passed", at: "" } as const;
const records = [
  aRecord({ id: "a-3f2", name: "ada", description: "find date parsing", state: "running", turns: 7, now: 'Grep "parseDate"' }),
  aRecord({
    id: "a-9a1",
    name: "a-9a1",
    description: "bump dependencies",
    state: "needs_permission",
    turns: 4,
    missing: ["Bash(npm publish)"],
  }),
  aRecord({ id: "a-17c", name: "cy", description: "write changelog", state: "completed", turns: 9, filesChanged: 3, evidence: passed }),
  aRecord({ id: "a-2b0", name: "di", state: "completed", turns: 1, evidence: passed, failedCalls: ["Bash npm run lint: exit 1"] }),
];
const lines = (width: number) =>
  rowLines(
    records.map((record) => agentRow(record, { nowMs, all: records })),
    { style, width, hint: "Enter answers" },
  );

it("says of each agent what it does, asks or has shown, with its figures below each other", () => {
  expect(lines(100)).toEqual([
    '  ada    find date parsing  ▶ Grep "parseDate"                                     7 turns  0  1m01s',
    "  a-9a1  bump dependencies  ! asks: npm publish                                        Enter answers",
    "  cy     write changelog    ✓ 3 files, own test: 11 passed                         9 turns  0  1m01s",
    "  di     look at a          ! 1 command failed, own test: 11 passed                 1 turn  0  1m01s",
  ]);
});

it.each([20, 40, 60, 80, 160])("keeps to %i columns", (width) => {
  expect(lines(width).every((line) => columnsOf(line) <= width)).toBe(true);
});

it("leaves out work and figures before states at 40 columns", () => {
  expect(lines(40)).toEqual([
    '  ada    ▶ Grep "parseDate"        1m01s',
    "  a-9a1  ! asks: npm pub…  Enter answers",
    "  cy     ✓ 3 files, own test: 11…  1m01s",
    "  di     ! 1 command failed, own…  1m01s",
  ]);
});

it("says of an agent that changed no file nothing about tests that it did not run", () => {
  const row = (filesChanged: number) =>
    agentRow(aRecord({ state: "completed", filesChanged, evidence: { kind: "none" } }), { nowMs, all: [] }).now;
  expect([row(0), row(2)]).toEqual(["", "2 files, no test was run"]);
});

it("says what an agent asks whose question is open, and names no key for it", () => {
  const record = aRecord({ state: "running", now: "Bash npm publish", asks: "Bash npm publish" });
  const row = agentRow(record, { nowMs, all: [record] });
  expect([row.state, row.now]).toEqual([{ state: "needs_you", words: "asks you" }, "asks: Bash npm publish"]);
  expect(rowLines([row], { style, width: 80, hint: "Enter answers" })[0]).toMatch(/! asks: Bash npm publish +0 turns {2}0 {2}1m01s$/);
});

it("is the same row at the end of a run", () => {
  const event = {
    type: "agent_ended",
    agent: "a-17c",
    name: "cy",
    description: "write changelog",
    state: "completed",
    model: "m",
    at: "",
  } as const;
  const row = endedRow({ ...event, files: 3, evidence: passed, turns: 9, usage: noUsage, costUsd: 0, ms: 61_000 });
  const record = records[2];
  expect({ ...row, name: "cy" }).toEqual(record && agentRow(record, { nowMs, all: [] }));
});
