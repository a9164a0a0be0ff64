import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion, Question } from "../../src/permissions/question.ts";
import { type Given, questionDialog } from "../../src/screen/ask.ts";
import type { Asking } from "../../src/screen/question-text.ts";
import { createStyle } from "../../src/screen/style.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const keys = { escape: "\x1b", enter: "\r", backspace: "\x7f" };

const push: PermissionQuestion = {
  kind: "permission",
  tool: "Bash",
  parts: [
    { text: "git push origin atlas/format", where: "", allowed: false },
    { text: "curl -s https://hooks.example.org/x", where: "inside $( … )", allowed: false },
    { text: "echo done", where: "", allowed: true },
  ],
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  offers: [
    { rules: ["Bash(git push origin atlas/format)"], always: true },
    { rules: ["Bash(git push:*)"], always: true },
  ],
  file: ".tool/settings.local.json",
};

function asked(question: Question, asking: Partial<Asking> = {}) {
  const printed: string[] = [];
  const view = questionDialog(question, { asker: "ada", ...asking, style, print: (text) => printed.push(text) });
  let size: [number, number] = [80, 40];
  const lines = () => view.lines(...size).map((line) => stripVTControlCharacters(line.replace("\x1b_pi:c\x07", "")).trimEnd());
  const type = (...typed: string[]): Given | "typed" | undefined => {
    let answer: Given | "typed" | undefined;
    for (const key of typed) {
      lines();
      const taken = view.onKey(key);
      answer ??= taken === "typed" ? taken : taken?.given;
    }
    return answer;
  };
  return {
    lines,
    type,
    printed,
    resize(columns: number, rows: number) {
      size = [columns, rows];
    },
  };
}

describe("a permission question", () => {
  it("has each simple command on a line of its own, why it is asked, and the keys", () => {
    expect(asked(push, { also: "also open in ada's pane" }).lines()).toEqual([
      "",
      `! ada asks to run${" ".repeat(38)}(also open in ada's pane)`,
      "    git push origin atlas/format",
      "    curl -s https://hooks.example.org/x      inside $( … )",
      "    echo done      allowed",
      "  No rule allows it.",
      "  > 1 Bash(git push origin atlas/format)",
      "    2 Bash(git push:*)",
      "  y once   s this session   a always: rule 1   n no, and tell ada why",
    ]);
  });

  it("takes y, s and a number for another rule; Esc is a plain no; Enter is nothing, and other text is for the editor", () => {
    expect(["y", "s", keys.escape, keys.enter, "x", "3", "\x1b[200~yes\x1b[201~"].map((key) => asked(push).type(key))).toEqual([
      { kind: "once" },
      { kind: "session", rules: ["Bash(git push origin atlas/format)"] },
      { kind: "no" },
      undefined,
      "typed",
      "typed",
      "typed",
    ]);
    expect(asked(push).type("2", "s")).toEqual({ kind: "session", rules: ["Bash(git push:*)"] });
  });

  it("shows the rule and its file before it is written; Enter writes it, Esc goes back", () => {
    const question = asked(push);
    expect(question.type("a", "2")).toBeUndefined();
    expect(question.lines().slice(-5)).toEqual([
      "  This is written to .tool/settings.local.json:",
      "    Bash(git push:*)",
      "    1 Bash(git push origin atlas/format)",
      "  > 2 Bash(git push:*)",
      "  Enter writes it   Esc back",
    ]);
    expect(question.type(keys.escape)).toBeUndefined();
    expect(question.lines().at(-1)).toContain("y once");
    expect(question.type("a", "t")).toBe("typed");
    expect(question.type(keys.enter)).toBeUndefined();
    expect(question.lines().at(-1)).toContain("y once");
    expect(question.type("a", keys.enter)).toEqual({ kind: "always", rules: ["Bash(git push:*)"] });
  });

  it("takes a reason for the model with n: Enter sends it, Esc says no without one", () => {
    const reason = "use a branch ñ漢".split("");
    const question = asked(push);
    expect(question.type("n", ...reason, "!", keys.backspace)).toBeUndefined();
    expect(question.lines().slice(-2)).toEqual([
      "  Why not? ada reads it. Enter sends it, Esc says no without a reason.",
      "  > use a branch ñ漢",
    ]);
    expect(question.type(keys.enter)).toEqual({ kind: "no", reason: "use a branch ñ漢" });
    expect(asked(push).type("n", keys.enter)).toEqual({ kind: "no" });
    expect(asked(push).type("n", "y", keys.escape)).toEqual({ kind: "no" });
    expect(asked(push).type("n", "\x1b[200~two\nlines\x1b[201~", keys.enter)).toEqual({ kind: "no", reason: "twolines" });
  });

  it("can be put aside with l where it is somebody else's, and only there", () => {
    expect(asked(push, { canWait: true }).type("l")).toEqual({ kind: "later" });
    expect(asked(push, { canWait: true }).lines().at(-1)).toBe(
      "  y once   s this session   a always: rule 1   n no, and tell ada why   l later",
    );
    expect(asked(push).type("l")).toBeUndefined();
  });

  it("offers no rule that would not hold, and no file where nothing can be written", () => {
    const once = { ...push, offers: [] };
    expect(asked(once).lines().at(-1)).toBe("  y once   n no, and tell ada why");
    expect(asked(once).type("s", "a", keys.enter)).toBeUndefined();
    const session = { ...push, offers: [{ rules: ["Read(//repo/.env)"], always: false }] };
    expect(asked(session).lines().at(-1)).toBe("  y once   s this session: Read(//repo/.env)   n no, and tell ada why");
    expect(asked(session).type("a", keys.enter)).toBeUndefined();
    expect(asked({ ...push, file: undefined }).type("a", keys.enter)).toBeUndefined();
  });

  it("is never wider than 40 columns, and has every word there too", () => {
    const question = asked(push, { also: "also open in ada's pane" });
    question.resize(40, 40);
    for (const step of [[], ["a"], [keys.escape], ["n", "a long reason that does not fit the width of this terminal"]]) {
      question.type(...step);
      expect(question.lines().filter((line) => visibleWidth(line) > 40)).toEqual([]);
    }
    const fresh = asked(push, { also: "also open in ada's pane" });
    fresh.resize(40, 40);
    expect(fresh.lines()).toEqual([
      "",
      "! ada asks to run",
      "  (also open in ada's pane)",
      "    git push origin atlas/format",
      "    curl -s https://hooks.example.org/x",
      "      inside $( … )",
      "    echo done      allowed",
      "  No rule allows it.",
      "  > 1 Bash(git push origin atlas/format)",
      "    2 Bash(git push:*)",
      "  y once   s this session",
      "  a always: rule 1",
      "  n no, and tell ada why",
    ]);
  });

  it("wraps a long command whole", () => {
    const long = `echo ${"word ".repeat(100)}end`;
    const question = asked({ ...push, parts: [{ text: long, where: "", allowed: false }] });
    const shown = question.lines().filter((line) => /word|end/.test(line));
    expect(shown.map((line) => line.trim()).join(" ")).toBe(long);
  });

  it("says how much is not to be seen, shows it with a key, and offers no rule for what cannot be seen at once", () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ text: `step ${index}`, where: "", allowed: false }));
    const question = asked({ ...push, parts });
    question.resize(80, 19);
    const lines = question.lines();
    expect(lines.length).toBeLessThan(20);
    expect(lines.slice(-4)).toEqual([
      "    step 12",
      "    47 more lines are not shown here",
      "  No rule allows it.",
      "  y once   v show all of it   n no, and tell ada why",
    ]);
    expect(question.type("s", "a", keys.enter, "v")).toBeUndefined();
    expect(
      question.printed
        .join("\n")
        .split("\n")
        .filter((line) => /^ {4}step \d+$/.test(line)).length,
    ).toBe(60);
    expect(question.lines().at(-1)).toBe("  y once   v show all of it   n no, and tell ada why");
    expect(question.type("y")).toEqual({ kind: "once" });
  });

  it("keeps who asks, the command and the keys where there are few rows, and asks for a rule only where there is room for it", () => {
    const question = asked(push, { also: "also open in ada's pane" });
    question.resize(40, 9);
    expect(question.lines()).toEqual([
      "",
      "! ada asks to run",
      "  (also open in ada's pane)",
      "    git push origin atlas/format",
      "    3 more lines are not shown here",
      "  No rule allows it.",
      "  y once   v show all of it",
      "  n no, and tell ada why",
    ]);
  });

  it("shows what an edit would change, as far as there is room, and counts the rest", () => {
    const change = Array.from({ length: 30 }, (_, index) => `+ line ${index}`);
    const edit = { ...push, tool: "Edit", parts: [{ text: "/repo/a.ts", where: "", allowed: false }], change, moreChange: 5, offers: [] };
    const question = asked(edit);
    expect(question.lines().slice(1, 4)).toEqual(["! ada asks to change", "    /repo/a.ts", "      + line 0"]);
    question.resize(80, 15);
    expect(question.lines().slice(-4)).toEqual([
      "      + line 7",
      "      27 more lines",
      "  No rule allows it.",
      "  y once   v show all of it   n no, and tell ada why",
    ]);
    expect(question.type("v")).toBeUndefined();
    expect(question.printed[0]?.split("\n").slice(1)).toEqual([
      "    /repo/a.ts",
      ...change.map((line) => `      ${line}`),
      "      5 more lines",
      "",
    ]);
    const short = asked({ ...edit, moreChange: 0 });
    expect(short.lines().at(-1)).toBe("  y once   n no, and tell ada why");
    expect([short.type("v"), short.printed]).toEqual([undefined, []]);
  });

  it("shows what a command has left, and where it lies until the answer", () => {
    const left = { ...push, tool: "Write", parts: [{ text: "/repo/.npmrc", where: "", allowed: false }], offers: [] };
    const question = asked({
      ...left,
      change: ["+ registry=x"],
      reason: "/repo/.npmrc runs later",
      left: "/home/me/.tool/put-aside/1-.npmrc",
    });
    expect(question.lines()).toEqual([
      "",
      "! ada asks to keep what its command has left",
      "    /repo/.npmrc",
      "      + registry=x",
      "  /repo/.npmrc runs later. It was moved away until you answer, and after a no it",
      "  stays there:",
      "    /home/me/.tool/put-aside/1-.npmrc",
      "  y once   n no, and tell ada why",
    ]);
  });

  it("says of a part that passes without a rule that it changes nothing", () => {
    const question = asked({ ...push, parts: [{ text: "echo one", where: "", allowed: true, harmless: true }], offers: [] });
    expect(question.lines().slice(2, 4)).toEqual(["    echo one      changes nothing", "  No rule allows it."]);
  });

  it("shows a command as it was written where its parts are not all of it", () => {
    const question = asked({ ...push, whole: "cat <<EOF\nhello\nEOF", parts: [{ text: "cat", where: "", allowed: false }] });
    expect(question.lines().slice(2, 7)).toEqual(["    cat <<EOF", "    hello", "    EOF", "  which runs", "    cat"]);
  });
});

describe("a plan", () => {
  const plan: Question = { kind: "plan", plan: "1. Look\n2. Change" };

  it("is approved in one of two modes, or refused with a reason", () => {
    expect(asked(plan).lines()).toEqual([
      "",
      "! ada asks to carry out its plan, which stands above",
      "  y go on   e go on, edits pass unasked   n no, and tell ada why",
    ]);
    expect(["y", "e", "s", keys.escape].map((key) => asked(plan).type(key))).toEqual([
      { kind: "approve", mode: "default" },
      { kind: "approve", mode: "acceptEdits" },
      undefined,
      { kind: "no" },
    ]);
    expect(asked(plan).type("n", "n", "o", keys.enter)).toEqual({ kind: "no", reason: "no" });
  });
});
