import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeyKind, noKeys, press, type Step, shown, silent, tickMs, waitingLetter } from "../../../src/screen/keys/question-keys.ts";

type Typed = { gapMs: number; kind: KeyKind; text: string };
type Seen = { answers: string[]; editor: string };

/** A question with the letters y s a n, and the effect of each key on it and on the editor. Arrows mark its first choice. */
function play(keys: Typed[], { afterMs = 2_000, editor = "" } = {}): Seen {
  let state = noKeys;
  let atMs = 1_000_000;
  let step = "choose" as Step;
  const answers: string[] = [];
  const choose = (what: string) => {
    if (step === "choose" && what === "a") step = "confirm";
    else if (step === "choose" && what === "n") step = "reason";
    else answers.push(what);
  };
  const wait = (ms: number) => {
    for (let passed = tickMs; passed <= ms; passed += tickMs) {
      const after = silent(state);
      if (after.counts) choose(waitingLetter(state).at(-1)!);
      state = after.keys;
    }
    atMs += ms;
  };
  for (const { gapMs, kind, text } of keys) {
    wait(gapMs);
    const letter = waitingLetter(state);
    const pressed = press(state, { kind, text, atMs, step, editorEmpty: editor === "" });
    state = pressed.keys;
    if (pressed.act === "choose") choose(step === "reason" ? "reason" : (letter.at(-1) ?? "pointed"));
    if (pressed.act === "mark") step = "choose";
    if (pressed.act === "leave") {
      if (step === "confirm") step = "choose";
      else answers.push("escape");
    }
    if (pressed.act !== "editor" && pressed.act !== "letterToo") continue;
    if (step === "confirm") step = "choose";
    editor += pressed.letter;
    if (kind === "enter") editor = "";
    else if (kind === "choice" || kind === "text") editor += text;
  }
  wait(afterMs);
  return { answers, editor };
}

const letters = (text: string, gapMs: number): Typed[] => text.split("").map((letter) => ({ gapMs, ...keyOf(letter) }));
const keyOf = (text: string): Omit<Typed, "gapMs"> => ({ kind: /^[ysan]$/.test(text) ? "choice" : "text", text });
const key = (kind: KeyKind, gapMs = 1_000): Typed => ({ gapMs, kind, text: "" });

const gap = (min: number, max: number) => fc.integer({ min, max });
/** Words in which many letters are also choices. */
const word = fc.string({ unit: fc.constantFrom(...Array.from("ysanysanbte1 ?漢")), minLength: 2, maxLength: 12 });
const sentence = fc.array(fc.tuple(word, gap(0, 20_000), fc.array(gap(0, 499), { minLength: 12, maxLength: 12 })), {
  minLength: 1,
  maxLength: 8,
});

const typedAs = (words: [string, number, number[]][]): Typed[] =>
  words.flatMap(([text, pauseMs, gaps]) =>
    Array.from(text, (letter, index) => ({ gapMs: index === 0 ? pauseMs : gaps[index]!, ...keyOf(letter) })),
  );

describe("typing", () => {
  it("never answers, however long the pauses between words, and reaches the editor complete and in order", () => {
    fc.assert(
      fc.property(sentence, (words) => {
        expect(play(typedAs(words))).toEqual({ answers: [], editor: words.map(([text]) => text).join("") });
      }),
      { numRuns: 3_000 },
    );
  });

  it("never answers after a line was begun, whatever the gaps, also after half a line", () => {
    const loose = fc.array(fc.tuple(gap(0, 5_000), fc.constantFrom(...Array.from("ysanbt "))), { maxLength: 30 });
    fc.assert(
      fc.property(loose, fc.constantFrom("half", "s"), (keys, before) => {
        const typed = keys.map(([gapMs, text]) => ({ gapMs, ...keyOf(text) }));
        expect(play(typed, { editor: before })).toEqual({ answers: [], editor: before + keys.map(([, text]) => text).join("") });
      }),
      { numRuns: 2_000 },
    );
  });

  it("never answers through a paste, even after a letter", () => {
    const paste = { gapMs: 100, kind: "text" as const, text: "y\nyes\n" };
    expect(play([{ ...paste, gapMs: 5_000 }])).toEqual({ answers: [], editor: "y\nyes\n" });
    expect(play([...letters("y", 5_000), paste])).toEqual({ answers: [], editor: "yy\nyes\n" });
  });

  it("takes back a letter that led to the rule if a line follows", () => {
    expect(play([...letters("a", 5_000), ...letters(" branch", 900)])).toEqual({ answers: [], editor: "a branch" });
    expect(play([...letters("a", 5_000), ...letters("s", 900), ...letters(" far", 100)])).toEqual({ answers: [], editor: "as far" });
  });
});

describe("an answer", () => {
  const enter = key("enter", 100);

  it.each<[string, Typed[], string[]]>([
    ["a letter and silence", letters("y", 1_000), ["y"]],
    ["a letter and Enter", [...letters("s", 1_000), enter], ["s"]],
    ["another letter behind one that led on to the rule", letters("as", 1_000), ["s"]],
    ["Enter alone, which answers nothing", [enter, key("enter"), key("enter")], []],
    ["an arrow alone, which answers nothing", [key("arrow")], []],
    ["an arrow and Enter, however quick", [key("arrow"), enter], ["pointed"]],
    ["an arrow after a letter, then Enter", [...letters("y", 1_000), key("arrow", 100), enter], ["pointed"]],
    ["Esc", [key("escape")], ["escape"]],
    ["Esc after a letter", [...letters("y", 1_000), key("escape", 100)], ["escape"]],
    ["a letter too soon after another key", [key("enter"), ...letters("y", 499)], []],
    ["a letter just late enough after another key", [key("enter"), ...letters("y", 500)], ["y"]],
    ["a letter when half a line was left for the question", [...letters("or", 1_000), key("escape"), ...letters("y", 600)], ["y"]],
    [
      "a line when half a line was left for the question",
      [...letters("or", 1_000), key("escape"), ...letters("y", 600), ...letters("es", 100)],
      [],
    ],
    [
      "an arrow too soon, which leaves the question its keys",
      [...letters("or", 1_000), key("escape"), key("arrow", 100), ...letters("y", 600)],
      ["y"],
    ],
    ["the rule's Enter, after it could be read", [...letters("a", 1_000), enter, key("enter")], ["pointed"]],
    ["an Enter too many after a letter, which writes no rule", [...letters("a", 1_000), enter, enter], []],
    ["a reason", [...letters("n", 1_000), ...letters("yes no", 700), enter], ["reason"]],
  ])("%s", (_, keys, answers) => {
    expect(play(keys).answers).toEqual(answers);
  });

  it("needs Enter, Esc, or a letter with half a second without keys on both sides, in every order of keys and pauses", () => {
    const kinds: Omit<Typed, "gapMs">[] = [
      keyOf("y"),
      keyOf("b"),
      ...(["arrow", "enter", "escape", "other"] as const).map((kind) => key(kind)),
    ];
    const all = [0, 499, 500, 700].flatMap((gapMs) => kinds.map((each) => ({ ...each, gapMs })));
    let count = 0;
    const extend = (keys: Typed[]): void => {
      const last = keys.at(-1);
      if (last) {
        count++;
        const grown = play(keys).answers.length - play(keys.slice(0, -1), { afterMs: last.gapMs }).answers.length;
        if (grown > 0) expect([keys, mayAnswer(keys)]).toEqual([keys, true]);
      }
      if (keys.length < 3) for (const next of all) extend([...keys, next]);
    };
    extend([]);
    expect(count).toBe(24 + 24 ** 2 + 24 ** 3);
  });

  /** The last key answers by itself, or it is a letter after a pause or after a key that was meant for the question. */
  function mayAnswer(keys: Typed[]): boolean {
    const last = keys.at(-1)!;
    const before = keys.at(-2);
    if (last.kind === "escape") return true;
    if (last.kind === "enter") return before?.kind === "choice" || keys.some(({ kind }) => kind === "arrow");
    return last.kind === "choice" && (!before || last.gapMs >= 500 || before.kind === "arrow" || keys.some(({ kind }) => kind === "arrow"));
  }
});

it("a question that replaces another is not answered by a key meant for that one", () => {
  const at = { kind: "choice", text: "y", step: "choose", editorEmpty: true } as const;
  const instead = shown(noKeys, { atMs: 10_000, instead: true });
  expect(press(instead, { ...at, atMs: 10_400 }).act).toBe("editor");
  expect(press(instead, { ...at, atMs: 10_500 }).act).toBe("mark");
  expect(press(shown(noKeys, { atMs: 10_000, instead: false }), { ...at, atMs: 10_001 }).act).toBe("mark");
});
