import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, it } from "vitest";
import { choiceStep } from "../../../src/screen/questions/choice-step.ts";
import { openQuestion } from "../../../src/screen/questions/open-question.ts";
import { pickStep } from "../../../src/screen/questions/pick-step.ts";
import type { Step } from "../../../src/screen/questions/step.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const keys = { enter: "\r", escape: "\x1b", up: "\x1b[A", down: "\x1b[B", right: "\x1b[C", left: "\x1b[D", ctrlC: "\x03" };

function opened<Answer>(step: Step<Answer>, size = { width: 60, rows: 20 }) {
  const question = openQuestion(step, { terminal: emulatedTerminal(80, 24).terminal, style, changed: () => {} });
  const lines = () =>
    question.lines({ ...size, more: 0, line: false }).map((line) => stripVTControlCharacters(line.replace("\x1b_pi:c\x07", "")).trimEnd());
  return {
    lines,
    /** The answer of the first key that gives one; each key follows a drawing. */
    press(...pressed: string[]) {
      for (const key of pressed.flatMap(eachKey)) {
        lines();
        const outcome = question.onKey(key);
        if (outcome.kind !== "open") return outcome;
      }
      return undefined;
    },
  };
}

const labels = ["once", "once, with the network", "this session", "the whole team", "always", "no"];
const fruit = (read?: (text: string) => string | undefined) =>
  opened(
    choiceStep({
      title: "Which?",
      choices: labels.map((label, index) => ({ words: [label[0]!], label, value: String(index + 1) })),
      atEscape: "left",
      escapeHint: "Esc leaves",
      typing: "type why",
      ...(read && { read }),
      style,
    }),
  );

it("numbers its choices in columns; digits, Enter and Esc answer at once", () => {
  expect(fruit().lines()).toEqual([
    "",
    "! Which?",
    "  ❯ 1  once                        4  the whole team",
    "    2  once, with the network      5  always",
    "    3  this session                6  no",
    "    type why · Enter takes 1 · Esc leaves",
  ]);
  expect(["3", keys.enter, keys.escape, `${keys.escape}${keys.escape}`, keys.ctrlC].map((key) => fruit().press(key))).toEqual([
    { kind: "given", given: "3" },
    { kind: "given", given: "1" },
    { kind: "given", given: "left" },
    { kind: "given", given: "left" },
    { kind: "pane" },
  ]);
});

it("moves the mark along and across its columns", () => {
  const after = (...pressed: string[]) => fruit().press(...pressed, keys.enter);
  expect([after(keys.down), after(keys.up), after(keys.right), after(keys.down, keys.right, keys.left), after(keys.left)]).toEqual(
    ["2", "6", "4", "2", "1"].map((given) => ({ kind: "given", given })),
  );
});

it("takes every other key as the beginning of a typed answer, which only Enter sends", () => {
  const asked = fruit((text) => `said ${text}`);
  expect(asked.press("no, keep the 1")).toBeUndefined();
  expect(asked.lines().at(-1)).toBe("    no, keep the 1            Enter sends this as the answer");
  expect(asked.press(keys.enter)).toEqual({ kind: "given", given: "said no, keep the 1" });
});

it("takes a choice's own words for it, and says so while they are typed", () => {
  const asked = fruit((text) => `said ${text}`);
  asked.press("THE WHOLE TEAM");
  expect(asked.lines().at(-1)).toBe("    THE WHOLE TEAM                             Enter takes 4");
  expect([asked.press(keys.enter), fruit().press("n", keys.enter)]).toEqual([
    { kind: "given", given: "4" },
    { kind: "given", given: "6" },
  ]);
});

it("goes back to the choices with Esc, Ctrl-C or when the typed line is empty, and keeps a line that is no answer", () => {
  for (const back of [[keys.escape], [keys.ctrlC], ["\x7f"]])
    expect(fruit((text) => text).press("k", ...back, "2")).toEqual({ kind: "given", given: "2" });
  const asked = fruit();
  expect(asked.press("what?", keys.enter)).toBeUndefined();
  expect(asked.lines().at(-1)).toBe("    what?                       none of these: Esc clears it");
});

it("makes one answer of 10,000 pasted lines", () => {
  const pasted = Array.from({ length: 10_000 }, (_, index) => `${index + 1} yes`).join("\n");
  const asked = fruit((text) => text);
  expect(asked.press(`\x1b[200~${pasted}\x1b[201~`)).toBeUndefined();
  expect(asked.lines().at(-1)).toBe("    [pasted 10,000 lines]     Enter sends this as the answer");
  expect(asked.press(keys.enter)).toEqual({ kind: "given", given: pasted });
});

it("has a list with hints in one column, filtered by what is typed", () => {
  const items = Array.from({ length: 30 }, (_, index) => ({ label: `session ${index}`, ...(index === 17 && { hint: "dates" }) }));
  const list = () => opened(pickStep(items, { title: "Resume", style }), { width: 60, rows: 7 });
  expect(list().lines()).toEqual([
    "",
    "Resume",
    "  ❯ 1  session 0",
    "    2  session 1",
    "    3  session 2",
    "    4  session 3",
    "    type to filter · Enter takes 1 of 30 · Esc leaves",
  ]);
  const filtered = list();
  filtered.press("dat");
  expect(filtered.lines().slice(2)).toEqual(["  ❯ 1  session 17  dates", "    dat                                        Enter takes 1"]);
  expect([filtered.press(keys.enter), list().press("3"), list().press(keys.ctrlC)]).toEqual([
    { kind: "given", given: items[17] },
    { kind: "given", given: items[2] },
    { kind: "given", given: undefined },
  ]);
});

it("fits into 20 columns", () => {
  const narrow = opened(
    choiceStep({
      title: "Go back to before this?",
      choices: labels.map((label) => ({ words: [], label, value: label })),
      atEscape: "",
      escapeHint: "Esc stays",
      style,
    }),
    { width: 20, rows: 20 },
  );
  expect(narrow.lines().filter((line) => visibleWidth(line) > 20)).toEqual([]);
  narrow.press("a long reason that wraps");
  expect(narrow.lines().filter((line) => visibleWidth(line) > 20)).toEqual([]);
});

/** Typed text is a key for each character. */
const eachKey = (keys: string) => (keys >= " " ? keys.split("") : [keys]);
