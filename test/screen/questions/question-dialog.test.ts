import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion, Question } from "../../../src/permissions/questions/question.ts";
import type { Place } from "../../../src/screen/questions/dialog.ts";
import { type Given, questionDialog } from "../../../src/screen/questions/question-dialog.ts";
import type { Asking } from "../../../src/screen/questions/question-text.ts";
import { createStyle } from "../../../src/screen/style.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const keys = { escape: "\x1b", enter: "\r", backspace: "\x7f" };
const arrows = { up: "\x1b[A", down: "\x1b[B", right: "\x1b[C", left: "\x1b[D" };

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

it("says that a write replaces the whole file", () => {
  const write = { ...push, tool: "Write", parts: [{ text: "AGENTS.md", where: "", allowed: false }] };
  const heads = [write, { ...write, replaces: true as const }].map((question) =>
    asked(question)
      .lines()
      .find((line) => line.startsWith("!")),
  );
  expect(heads).toEqual(["! ada asks to write", "! ada asks to replace the whole file"]);
});

it("says what the change to a replaced file does not show", () => {
  const parts = [{ text: "/repo/a.gif", where: "", allowed: false }];
  const question = asked({ ...push, tool: "Write", parts, change: ["+ x"], replaces: true, note: "it is binary", offers: [] });
  expect(question.lines().slice(1, 5)).toEqual([
    "! ada asks to replace the whole file",
    "    /repo/a.gif",
    "      it is binary",
    "      + x",
  ]);
});

it("chooses an exact rule first for a command that sends, deletes or overwrites", () => {
  const offers = [
    { rules: ["Bash(git push origin *)"], always: true },
    { rules: ["Bash(git push origin main)"], always: true },
  ];
  const chosen = (marks: ("sends" | "outside")[]) =>
    asked({ ...push, parts: [{ text: "git push origin main", where: "", allowed: false, marks }], offers })
      .lines()
      .find((line) => line.startsWith("  ❯"));
  expect([chosen(["sends"]), chosen([])]).toEqual([
    expect.stringContaining("❯ Bash(git push origin main) "),
    expect.stringContaining("❯ Bash(git push origin *) "),
  ]);
});

it("shows the agent's description of its command as the agent's", () => {
  const lines = asked({ ...push, says: "publish the branch\nfor review" }).lines();
  expect(lines.slice(-20).join("\n")).toMatch(/^ {2}ada says: publish the branch.*for review$/m);
});

function asked(question: Question, asking: Partial<Asking> = {}) {
  const printed: string[] = [];
  const view = questionDialog(question, { asker: "ada", ...asking, style, print: (text) => printed.push(text) });
  let size: [number, number] = [80, 40];
  const lines = (place: Partial<Place> = {}) =>
    view
      .lines(...size, { more: 0, line: false, ...place })
      .map((line) => stripVTControlCharacters(line.replace("\x1b_pi:c\x07", "")).trimEnd());
  /** The result of each key that the question takes; a letter counts at once. */
  const onKey = (key: string): { given: Given } | "typed" | undefined => {
    lines();
    if (view.step() === "reason" && key !== keys.enter && key !== keys.escape) {
      view.onReason(key);
      return undefined;
    }
    if (key === keys.escape) return view.leave();
    if (key === keys.enter) return view.choose();
    if (Object.values(arrows).includes(key)) {
      view.move(key);
      return undefined;
    }
    const known = view.isChoice(key);
    view.mark(known ? key : undefined);
    return known ? view.choose() : "typed";
  };
  const type = (...typed: string[]): Given | "typed" | undefined => {
    let answer: Given | "typed" | undefined;
    for (const key of typed) {
      const taken = onKey(key);
      answer ??= taken === "typed" ? taken : taken?.given;
    }
    return answer;
  };
  return {
    lines,
    type,
    view,
    printed,
    resize(columns: number, rows: number) {
      size = [columns, rows];
    },
  };
}

describe("a permission question", () => {
  it("lists each simple command on its own line, the reason, the rules, and the choices", () => {
    expect(asked(push, { also: "also open in ada's pane" }).lines()).toEqual([
      "",
      `! ada asks to run${" ".repeat(40)}also open in ada's pane`,
      "    git push origin atlas/format",
      "    curl -s https://hooks.example.org/x      inside $( … )",
      "    echo done                                allowed",
      "  No rule allows it.",
      "  ❯ Bash(git push origin atlas/format)   rule for s and a · 1 of 2, Up/Down",
      "    Bash(git push:*)",
      "    y once     s this session     a always     n no, and tell ada why",
      "    Esc no to all, and stop",
    ]);
  });

  it("marks what deletes, overwrites history, sends or leaves the directory, in the colour of what needs the person", () => {
    const parts: PermissionQuestion["parts"] = [
      { text: "rm -rf build", where: "", allowed: false, marks: ["deletes"] },
      { text: "git push --force", where: "inside ( … )", allowed: true, marks: ["overwrites history", "sends"] },
    ];
    expect(
      asked({ ...push, parts, offers: [] })
        .lines()
        .slice(2, 4),
    ).toEqual(["    rm -rf build          deletes", "    git push --force      overwrites history, sends  inside ( … ), allowed"]);
    const coloured = createStyle({ LANG: "C.UTF-8" });
    const view = questionDialog({ ...push, parts }, { asker: "ada", style: coloured, print: () => {} });
    expect(view.lines(80, 40, { more: 0, line: false })[2]).toContain(coloured.state("needs_you", "deletes"));
  });

  it("says how many questions wait, and what the sandbox lacks", () => {
    const question = asked({ ...push, network: true }, { also: "also in ada's pane" });
    question.resize(100, 40);
    const notes = "1 of 3 · also in ada's pane · no network in the sandbox";
    expect(question.lines({ more: 2 })[1]).toBe(`! ada asks to run${" ".repeat(100 - 17 - notes.length)}${notes}`);
  });

  it("offers the network once, the team and the sandbox only where the question does, and the team only at the lead", () => {
    const all: PermissionQuestion = {
      ...push,
      offers: [{ rules: ["Bash(a *)", "Bash(b *)"], always: true }],
      network: true,
      sandbox: true,
      team: true,
    };
    const atLead = asked(all, { canWait: true, reach: "team" });
    atLead.resize(100, 40);
    expect(atLead.lines().slice(-3)).toEqual([
      "    y once     w once, with the network     s ada, this session     t the team",
      "    a always: Bash(a *) and Bash(b *)     x everything that stays in the sandbox",
      "    n no, and tell ada why     l later     Esc no to all, and stop",
    ]);
    expect(["w", "s", "t", "x"].map((key) => asked(all, { canWait: true, reach: "team" }).type(key))).toEqual([
      { kind: "once", network: true },
      { kind: "session", rules: ["Bash(a *)", "Bash(b *)"] },
      { kind: "team", rules: ["Bash(a *)", "Bash(b *)"] },
      { kind: "sandbox", for: "team" },
    ]);
    expect(["t", "x"].map((key) => asked(all).type(key))).toEqual([undefined, { kind: "sandbox", for: "session" }]);
    expect(["w", "t", "x"].map((key) => asked(push, { reach: "team" }).type(key))).toEqual([undefined, undefined, undefined]);
  });

  it("says that an answer of other questions is not offered here, and keeps its key out of the editor", () => {
    const pressed = [{ key: "x" }, { key: "t" }, { key: "x", unsandboxed: true as const }];
    const hints = pressed.map(({ key, ...state }) => {
      const question = asked({ ...push, ...state });
      return [question.type(key), question.lines().at(-1)?.trim()];
    });
    expect(hints).toEqual([
      [undefined, "x is not offered: this does not stay in a sandbox"],
      [undefined, "t is not offered here"],
      [undefined, "x is not offered: there is no sandbox here"],
    ]);
  });

  it("accepts y and s; Esc denies all and stops; Enter does nothing, and other text goes to the editor", () => {
    const pasted = "\x1b[200~yes\x1b[201~";
    expect(["y", "s", keys.escape, keys.enter, "k", "1", pasted].map((key) => asked(push).type(key))).toEqual([
      { kind: "once" },
      { kind: "session", rules: ["Bash(git push origin atlas/format)"] },
      { kind: "no", stop: true },
      undefined,
      "typed",
      "typed",
      "typed",
    ]);
  });

  it("selects rules with Up and Down, and choices with Left and Right", () => {
    expect(asked(push).type(arrows.down, "s")).toEqual({ kind: "session", rules: ["Bash(git push:*)"] });
    expect(asked(push).type(arrows.down, keys.enter)).toBeUndefined();
    const question = asked(push);
    expect(question.type(arrows.right, arrows.right)).toBeUndefined();
    expect(question.lines().slice(-2)).toEqual([
      "    y once   ❯ s this session     a always     n no, and tell ada why",
      "    Enter chooses it",
    ]);
    expect(question.type(arrows.left, arrows.left, arrows.left, arrows.right, arrows.right, keys.enter)).toEqual({ kind: "once" });
    // Up moves backwards, so it reaches "no" first.
    expect(asked({ ...push, offers: [] }).type(arrows.up, keys.enter, "x", keys.enter)).toEqual({ kind: "no", reason: "x" });
    expect(asked({ ...push, offers: [] }, { canWait: true }).type(arrows.left, keys.enter, "x", keys.enter)).toEqual({
      kind: "no",
      reason: "x",
    });
  });

  it("shows which letter is marked, without moving anything", () => {
    const question = asked(push);
    const before = question.lines();
    question.view.mark("s");
    expect(question.lines().slice(-2)).toEqual([
      "    y once   ❯ s this session     a always     n no, and tell ada why",
      "    chosen in half a second",
    ]);
    expect(question.lines().length).toBe(before.length);
    question.view.mark(undefined);
    expect(question.lines()).toEqual(before);
    expect(question.lines({ line: true }).at(-1)).toBe("    Esc moves to the question");
  });

  it("shows the rule and its file before it is written; Enter writes it, Esc goes back", () => {
    const question = asked(push);
    expect(question.type("a", arrows.down)).toBeUndefined();
    expect(question.lines().slice(-5)).toEqual([
      "  This is written to .tool/settings.local.json:",
      "    Bash(git push:*)",
      "    Bash(git push origin atlas/format)",
      "  ❯ Bash(git push:*)   rule for s and a · 2 of 2, Up/Down",
      "  Enter writes it   Esc back",
    ]);
    expect(question.type(keys.escape)).toBeUndefined();
    expect(question.lines().join("\n")).toContain("y once");
    expect(question.type("a", "t")).toBeUndefined();
    expect(question.type(keys.enter)).toBeUndefined();
    expect(question.lines().join("\n")).toContain("y once");
    expect(question.type("a", keys.enter)).toEqual({ kind: "always", rules: ["Bash(git push:*)"] });
  });

  it("accepts a reason for the model with n: Enter sends it, Esc denies without one", () => {
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

  it("can be put aside with l only if it is another agent's", () => {
    expect(asked(push, { canWait: true }).type("l")).toEqual({ kind: "later" });
    expect(asked(push).type("l")).toBe("typed");
  });

  it("offers no rule that would have no effect, and no file that cannot be written", () => {
    const once = { ...push, offers: [] };
    expect(asked(once).lines().at(-1)).toBe("    y once     n no, and tell ada why     Esc no to all, and stop");
    expect(asked(once).type("s", "a", keys.enter)).toBeUndefined();
    const session = { ...push, offers: [{ rules: ["Read(.env)"], always: false }] };
    expect(asked(session).lines().slice(-2)).toEqual([
      "    y once     s this session: Read(.env)     n no, and tell ada why",
      "    Esc no to all, and stop",
    ]);
    expect(asked(session).type("a", keys.enter)).toBeUndefined();
    expect(asked({ ...push, file: undefined }).type("a", keys.enter)).toBeUndefined();
  });

  it("fits into 40 columns without losing a word", () => {
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
      "  also open in ada's pane",
      "    git push origin atlas/format",
      "    curl -s https://hooks.example.org/x",
      "      inside $( … )",
      "    echo done      allowed",
      "  No rule allows it.",
      "  ❯ Bash(git push origin atlas/format)",
      "      rule for s and a · 1 of 2, Up/Down",
      "    Bash(git push:*)",
      "    y once     s this session",
      "    a always     n no, and tell ada why",
      "    Esc no to all, and stop",
    ]);
  });

  it("wraps a long command whole", () => {
    const long = `echo ${"word ".repeat(100)}end`;
    const question = asked({ ...push, parts: [{ text: long, where: "", allowed: false }] });
    const shown = question.lines().filter((line) => /word|end/.test(line));
    expect(shown.map((line) => line.trim()).join(" ")).toBe(long);
  });

  it("says how much is hidden, shows it with a key, and offers no rule for a command that is not fully shown", () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ text: `step ${index}`, where: "", allowed: false }));
    const question = asked({ ...push, parts });
    question.resize(80, 19);
    const lines = question.lines();
    expect(lines.length).toBe(19);
    expect(lines.slice(-5)).toEqual([
      "    step 12",
      "    47 more lines are not shown here",
      "  No rule allows it.",
      "    y once     v show all of it     n no, and tell ada why",
      "    Esc no to all, and stop",
    ]);
    expect(question.type("v")).toBeUndefined();
    expect(question.printed.join("\n").split("\n")).toEqual([
      "Everything ada asks for",
      ...parts.map(({ text }) => `    ${text}`),
      "  No rule allows it.",
      "  Rules that would allow it:",
      "    Bash(git push origin atlas/format)",
      "    Bash(git push:*)",
      "",
    ]);
    expect(question.type("s", "a")).toBeUndefined();
    expect(question.type("y")).toEqual({ kind: "once" });
  });

  it.each([
    [60, 10],
    [100, 10],
    [40, 10],
  ])("keeps five rows of a change at %i columns in a pane of 15 rows, one rule, and the letters of the choices", (columns, rows) => {
    const change = ["- const port = 80;", "+ const port = 8080;"];
    const edit = { ...push, tool: "Edit", parts: [{ text: "src/a.ts", where: "", allowed: false }], change };
    const offers = ["Edit(src/a.ts)", "Edit(src/**)", "Edit"].map((rule) => ({ rules: [rule], always: true }));
    const small = asked({ ...edit, offers }, { also: "also open in ada's pane" });
    small.resize(columns, rows);
    const shown = small.lines();
    expect(shown.length).toBeLessThanOrEqual(rows);
    for (const line of ["    src/a.ts", "      - const port = 80;", "      + const port = 8080;"]) expect(shown).toContain(line);
    const long = asked({ ...edit, offers, change: Array.from({ length: 40 }, (_, index) => `+ line ${index}`) }, { also: "also" });
    long.resize(columns, rows);
    const head = "! ada asks to change";
    expect(long.lines()).toEqual([
      head,
      "    src/a.ts",
      ...Array.from({ length: 4 }, (_, index) => `      + line ${index}`),
      "      36 more lines",
      "  No rule allows it.",
      "  ❯ Edit(src/a.ts)   1 of 3, Up/Down",
      "  y s a v n   Esc no to all, and stop",
    ]);
    long.view.mark("a");
    expect(long.lines().at(-1)).toBe("  ❯ a always   chosen in half a second");
  });

  it("shortens the choices before it gives up the rules", () => {
    const parts = ["git push --force origin HEAD", "rm -rf build", "npm install left-pad"];
    const offers = [{ rules: parts.map((text) => `Bash(${text})`), always: true }];
    const question = asked({ ...push, parts: parts.map((text) => ({ text, where: "", allowed: false })), offers });
    question.resize(60, 8);
    expect(question.lines()).toEqual([
      "! ada asks to run",
      "    git push --force origin HEAD",
      "    rm -rf build",
      "    npm install left-pad",
      "  No rule allows it.",
      "  ❯ Bash(git push --force origin HEAD) and Bash(rm -rf",
      "      build) and Bash(npm install left-pad)",
      "  y s a n   Esc no to all, and stop",
    ]);
  });

  it("keeps the asker, the command and the letters in very few rows, and offers a rule only if there is room", () => {
    const question = asked(push, { also: "also open in ada's pane" });
    question.resize(40, 7);
    expect(question.lines()).toEqual([
      "! ada asks to run",
      "    git push origin atlas/format",
      "    curl -s https://hooks.example.org/x",
      "      inside $( … )",
      "    echo done      allowed",
      "  No rule allows it.",
      "  y v n   Esc no to all, and stop",
    ]);
  });

  it("shows as much of an edit as fits, and counts the rest", () => {
    const change = Array.from({ length: 30 }, (_, index) => `+ line ${index}`);
    const edit = { ...push, tool: "Edit", parts: [{ text: "/repo/a.ts", where: "", allowed: false }], change, moreChange: 5, offers: [] };
    const question = asked(edit);
    expect(question.lines().slice(1, 4)).toEqual(["! ada asks to change", "    /repo/a.ts", "      + line 0"]);
    question.resize(80, 15);
    expect(question.lines().slice(-5)).toEqual([
      "      + line 7",
      "      27 more lines",
      "  No rule allows it.",
      "    y once     v show all of it     n no, and tell ada why",
      "    Esc no to all, and stop",
    ]);
    expect(question.type("v")).toBeUndefined();
    expect(question.printed[0]?.split("\n").slice(1)).toEqual([
      "    /repo/a.ts",
      ...change.map((line) => `      ${line}`),
      "      5 more lines",
      "  No rule allows it.",
      "",
    ]);
    const short = asked({ ...edit, moreChange: 0 });
    expect(short.lines().at(-1)).toBe("    y once     n no, and tell ada why     Esc no to all, and stop");
    expect([short.type("v"), short.printed]).toEqual(["typed", []]);
  });

  it("shows the files that a command left, and where they are until the answer", () => {
    const left = { ...push, tool: "Write", parts: [{ text: "/repo/.npmrc", where: "", allowed: false }], offers: [] };
    const question = asked({
      ...left,
      change: ["+ registry=x"],
      reason: "/repo/.npmrc runs later",
      left: "/home/me/.tool/put-aside/1-.npmrc",
    });
    expect(question.lines()).toEqual([
      "",
      "! ada asks to keep files that its command left",
      "    /repo/.npmrc",
      "      + registry=x",
      "  /repo/.npmrc runs later. It has been moved away until you answer; if you say",
      "  no, it stays here:",
      "    /home/me/.tool/put-aside/1-.npmrc",
      "    y once     n no, and tell ada why     Esc no to all, and stop",
    ]);
  });

  it("says that a part that is allowed without a rule changes nothing", () => {
    const question = asked({ ...push, parts: [{ text: "echo one", where: "", allowed: true, harmless: true }], offers: [] });
    expect(question.lines().slice(2, 4)).toEqual(["    echo one      changes nothing", "  No rule allows it."]);
  });

  it("shows a command as written if its parts do not cover all of it", () => {
    const question = asked({ ...push, whole: "cat <<EOF\nhello\nEOF", parts: [{ text: "cat", where: "", allowed: false }] });
    expect(question.lines().slice(2, 7)).toEqual(["    cat <<EOF", "    hello", "    EOF", "  which runs", "    cat"]);
  });
});

describe("a plan", () => {
  const plan: Question = { kind: "plan", plan: "1. Look\n2. Change" };

  it("is approved in one of two modes, or refused with a reason", () => {
    expect(asked(plan).lines()).toEqual([
      "",
      "! ada asks to carry out the plan above",
      "    y go on     e approve; edits are allowed     n no, and tell ada why",
      "    Esc no to all, and stop",
    ]);
    expect(["y", "e", "s", keys.escape].map((key) => asked(plan).type(key))).toEqual([
      { kind: "approve", mode: "default" },
      { kind: "approve", mode: "acceptEdits" },
      "typed",
      { kind: "no", stop: true },
    ]);
    expect(asked(plan).type("n", "n", "o", keys.enter)).toEqual({ kind: "no", reason: "no" });
  });
});

describe("a question of the agent's own", () => {
  const dates: Question = { kind: "choice", text: "Which dates do exports have?", options: ["ISO dates", "As typed \x1b[2J"] };

  it("numbers its answers, accepts another one, and can be left to the agent", () => {
    const question = asked(dates, { also: "also at the lead" });
    expect(question.lines()).toEqual([
      "",
      `! ada asks you${" ".repeat(80 - 14 - 16)}also at the lead`,
      "  Which dates do exports have?",
      "    1 ISO dates     2 As typed \\x1b[2J     w write an answer",
      "    n no answer: ada decides     Esc no answer, and stop",
    ]);
    expect(["1", "2", "n", "3", "y", keys.enter, keys.escape].map((key) => asked(dates).type(key))).toEqual([
      { kind: "chosen", option: "ISO dates" },
      { kind: "chosen", option: "As typed \x1b[2J" },
      { kind: "no" },
      "typed",
      "typed",
      undefined,
      { kind: "no", stop: true },
    ]);
    expect(asked(dates).type(arrows.right, arrows.right, keys.enter)).toEqual({ kind: "chosen", option: "As typed \x1b[2J" });
    expect([asked(dates, { canWait: true }).type("l"), asked(dates).type("l")]).toEqual([{ kind: "later" }, "typed"]);
  });

  it("accepts a written answer with w: Enter sends it unless it is empty, Esc returns to the answers", () => {
    const question = asked(dates);
    expect(question.type("w", keys.enter)).toBeUndefined();
    expect(question.lines().slice(-2)).toEqual(["  Your answer? ada reads it. Enter sends it, Esc goes back.", "  >"]);
    expect(question.type(keys.escape)).toBeUndefined();
    expect(question.lines().join("\n")).toContain("1 ISO dates");
    expect(question.type("w", ..."unix".split(""), keys.enter)).toEqual({ kind: "written", text: "unix" });
  });

  it("fits into its rows: answers become numbers, and a long question says how much is missing", () => {
    const long = asked({ ...dates, text: Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join("\n") });
    long.resize(60, 6);
    expect(long.lines()).toEqual([
      "! ada asks you",
      "  line 1",
      "  line 2",
      "  line 3",
      "      6 more lines",
      "  1 2 w n   Esc no answer, and stop",
    ]);
    long.view.mark("1");
    expect(long.lines().at(-1)).toBe("  ❯ 1 ISO dates   chosen in half a second");
  });
});
