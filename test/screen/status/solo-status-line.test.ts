import { expect, it } from "vitest";
import { type SoloView, soloStatusLine } from "../../../src/screen/status/solo-status-line.ts";
import { createStyle } from "../../../src/screen/style.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const view: SoloView = {
  state: "ready",
  model: "claude-sonnet-5-5",
  mode: "acceptEdits",
  sandbox: "sandbox, offline",
  window: { usedTokens: 48_200, ofTokens: 200_000 },
  costUsd: 0.214,
};

it("shows the mode with its key, how full the window is, and the cost", () => {
  expect(soloStatusLine(view, style, { width: 120 })).toBe(
    "ready │ claude-sonnet-5-5 · acceptEdits (Shift-Tab) · sandbox, offline │ 48k of 200k │ $0.21",
  );
  expect(soloStatusLine({ ...view, state: "working", mode: "default", sandbox: "" }, style, { width: 120 })).toBe(
    "▶ working: Esc interrupts │ claude-sonnet-5-5 · default (Shift-Tab) │ 48k of 200k │ $0.21",
  );
});

it("shows how long the agent has been working, and how to interrupt it, rather than the model", () => {
  const working = { ...view, state: "working", workingMs: 72_400 } as const;
  expect([120, 100, 24].map((width) => soloStatusLine(working, style, { width }))).toEqual([
    "▶ working 1m12s: Esc interrupts │ claude-sonnet-5-5 · acceptEdits (Shift-Tab) · sandbox, offline │ 48k of 200k │ $0.21",
    "▶ working 1m12s: Esc interrupts │ acceptEdits (Shift-Tab) · sandbox, offline │ 48k of 200k │ $0.21",
    "▶ working 1m12s │ $0.21",
  ]);
});

it("drops words before figures, and an unusual mode last", () => {
  const widths = [90, 70, 58, 50, 24, 16, 8];
  expect(widths.map((width) => soloStatusLine(view, style, { width }))).toEqual([
    "ready │ acceptEdits (Shift-Tab) · sandbox, offline │ 48k of 200k │ $0.21",
    "ready │ acceptEdits · sandbox, offline │ 48k of 200k │ $0.21",
    "ready │ acceptEdits · sandbox, offline │ $0.21",
    "ready │ acceptEdits · sandbox, offline │ $0.21",
    "ready │ $0.21",
    "ready │ $0.21",
    "ready",
  ]);
  expect(soloStatusLine({ ...view, mode: "default" }, style, { width: 50 })).toBe("ready │ sandbox, offline │ $0.21");
});

it("says that the person is needed, and why, even when narrow", () => {
  expect([120, 60, 40, 24].map((width) => soloStatusLine({ ...view, state: "needs_you" }, style, { width }))).toEqual([
    "! needs you: answer above │ claude-sonnet-5-5 · acceptEdits (Shift-Tab) · sandbox, offline │ 48k of 200k │ $0.21",
    "! needs you: answer above │ acceptEdits │ $0.21",
    "! needs you: answer above │ $0.21",
    "! needs you",
  ]);
});

it("names the person's running command, and how to interrupt it", () => {
  expect(soloStatusLine({ ...view, command: "sleep 15" }, style, { width: 60 })).toMatch(/^▶ !sleep 15: Esc interrupts │ /);
  expect(soloStatusLine({ ...view, state: "working", command: "sleep 15" }, style, { width: 60 })).toMatch(/^▶ working │ /);
});

it("shows the parts that settings name, in their order, and always that the person is needed", () => {
  const show = ["cost", "model", "mode"] as const;
  expect(soloStatusLine(view, style, { width: 120, show })).toBe("$0.21 │ claude-sonnet-5-5 · acceptEdits (Shift-Tab)");
  expect(soloStatusLine({ ...view, state: "needs_you" }, style, { width: 120, show: ["cost"] })).toBe("! needs you: answer above │ $0.21");
});
