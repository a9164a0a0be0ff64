import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { teammateLine } from "../../../src/screen/events/teammate-lines.ts";
import { createStyle } from "../../../src/screen/style.ts";

const at = "2026-01-01T00:00:00Z";
const plain = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const line = (event: TranscriptEvent) => teammateLine("ada", event, plain);

const ended = {
  type: "tool_ended",
  id: "1",
  name: "Edit",
  subject: "src/fmt.js",
  text: "",
  isError: false,
  summary: "+9 −3",
  touched: [],
  ms: 20,
  at,
} as const;
const call = (more: Partial<Extract<TranscriptEvent, { type: "tool_ended" }>>) => line({ ...ended, touched: [], ...more });

describe("teammateLine()", () => {
  it("is one line for a tool call, with how it went and how long it took", () => {
    const lines = [
      call({}),
      call({ name: "Bash", subject: "npm test", summary: "✓ 11 passed", ms: 1400 }),
      call({ name: "Bash", subject: "npm test", summary: "✗ 2 failed, 9 passed", isError: true }),
      call({ name: "Grep", subject: "x".repeat(100), summary: "no matches" }),
    ];
    expect(lines).toEqual([
      "  ada      Edit src/fmt.js  +9 −3",
      "  ada      Bash npm test  ✓ 11 passed  1.4s",
      "  ada    ✗ Bash npm test  2 failed, 9 passed",
      `  ada      Grep ${"x".repeat(59)}…  no matches`,
    ]);
  });

  it("is absent for a call that the team's own events report, unless it failed", () => {
    expect([
      call({ name: "TaskUpdate", subject: "task-1 completed" }),
      call({ name: "TaskUpdate", subject: "task-1", summary: "not_owner", isError: true }),
    ]).toEqual([undefined, "  ada    ✗ TaskUpdate task-1  not_owner"]);
  });

  it("is dim, with only the accent and the state in colour", () => {
    const colourful = createStyle({ LANG: "C.UTF-8" }, () => ["ada"]);
    expect(teammateLine("ada", { type: "notice", level: "error", text: "No space left.", at }, colourful)).toBe(
      "  \x1b[34mada   \x1b[0m \x1b[33m!\x1b[0m No space left.",
    );
    expect(teammateLine("ada", { ...ended, touched: [] }, colourful)).toBe(
      "  \x1b[34mada   \x1b[0m   \x1b[2mEdit src/fmt.js  +9 −3\x1b[0m",
    );
  });

  it("shows what a person typed, but no input from the harness or the team", () => {
    const inputs = [
      { source: { kind: "harness" }, text: "Go on." },
      { source: { kind: "user" }, text: "ISO dates, please" },
    ] as const;
    expect([line({ type: "input", inputs: [...inputs], at }), line({ type: "input", inputs: [inputs[0]], at })]).toEqual([
      "  ada      > ISO dates, please",
      undefined,
    ]);
  });
});
