import { expect, it } from "vitest";
import { type SoloView, soloStatusLine } from "../../src/screen/solo-status-line.ts";
import { createStyle } from "../../src/screen/style.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const usage = { input_tokens: 900, output_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const view: SoloView = { state: "ready", totals: { turns: 1, usage, costUsd: 0.2 }, model: "m", facts: ["plan", "sandbox, network on"] };

it("says what the session does, what it has used and what holds for it", () => {
  expect(soloStatusLine(view, style, 80)).toBe("ready │ 1.0k tokens  $0.20 │ m │ plan │ sandbox, network on");
  expect(soloStatusLine({ ...view, state: "working" }, style, 80)).toBe("▶ working │ 1.0k tokens  $0.20 │ m │ plan │ sandbox, network on");
});

it("says that the person is needed, and for what, also where it is narrow", () => {
  expect([80, 60, 40, 24].map((width) => soloStatusLine({ ...view, state: "needs_you" }, style, width))).toEqual([
    "! needs you: answer above │ 1.0k tokens  $0.20 │ m │ plan │ sandbox, network on",
    "! needs you: answer above │ $0.20",
    "! needs you: answer above │ $0.20",
    "! needs you",
  ]);
});
