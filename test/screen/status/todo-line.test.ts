// The agent's to-do list on the screen: the latest version, while any item is left.
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { createTodoLine } from "../../../src/screen/status/todo-line.ts";
import { createStyle } from "../../../src/screen/style.ts";

const ended = (text: string, isError = false): AgentEvent => ({
  type: "tool_ended",
  id: "1",
  name: "TodoWrite",
  subject: "",
  text,
  isError,
  summary: "",
  touched: [],
  ms: 0,
  at: "",
});

function shown(events: AgentEvent[], width = 80): string[] {
  const line = createTodoLine(createStyle({ LANG: "C.UTF-8" }));
  for (const event of events) line.apply(event);
  return line.lines(width).map(stripVTControlCharacters);
}

const list = "[x] Find the parser\n[>] Fix quoted fields\n[ ] Tests";

it("shows each item with its state", () => {
  expect(shown([ended(list)])).toEqual(["  ✓ Find the parser   ▶ Fix quoted fields   · Tests"]);
});

it("counts finished items when narrow, and is never wider than the screen", () => {
  expect(shown([ended(list)], 45)).toEqual(["  ✓ 1   ▶ Fix quoted fields   · Tests"]);
  expect(shown([ended(list)], 20)[0]?.length).toBeLessThanOrEqual(20);
});

it("shows nothing before there is a list and once all of it is done, and keeps the list over a refusal", () => {
  expect(shown([])).toEqual([]);
  expect(shown([ended(list), ended("[x] Find the parser\n[x] Fix quoted fields")])).toEqual([]);
  expect(shown([ended(list), ended("Cannot keep this list", true)])).toEqual(shown([ended(list)]));
});

it("does not let a model's text move the cursor", () => {
  const [line = ""] = shown([ended("[>] a\u001b[2Jb\u202ec")]);
  expect([line.includes("\u001b"), line.includes("\u202e")]).toEqual([false, false]);
});

it("returns to the list of that time in a rewind", () => {
  const input = (at: string): AgentEvent => ({ type: "input", inputs: [{ source: { kind: "user" }, text: "go" }], at });
  const rewound = (to: string): AgentEvent => ({ type: "rewound", to, putBack: [], left: [], text: "", at: "4" });
  const events = [input("1"), ended("[>] one"), input("2"), ended("[x] one\n[>] two")];
  expect([shown([...events, rewound("2")]), shown([...events, rewound("1")])]).toEqual([["  ▶ one"], []]);
});
