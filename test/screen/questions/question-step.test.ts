import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion, Question } from "../../../src/permissions/questions/question.ts";
import { openQuestion } from "../../../src/screen/questions/open-question.ts";
import { type Given, questionStep } from "../../../src/screen/questions/question-step.ts";
import type { Asking } from "../../../src/screen/questions/question-text.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";

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

function asked(question: Question, asking: Partial<Asking> = {}) {
  const view = openQuestion(questionStep(question, { asker: "ada", ...asking, style }), {
    terminal: emulatedTerminal(80, 24).terminal,
    style,
    changed: () => {},
  });
  let size = { width: 80, rows: 40 };
  const lines = (place: { more?: number } = {}) =>
    view
      .lines({ ...size, more: 0, line: false, ...place })
      .map((line) => stripVTControlCharacters(line.replace("\x1b_pi:c\x07", "")).trimEnd());
  return {
    lines,
    /** The answer of the first key that gives one; each key follows a drawing. */
    type(...typed: string[]): Given | undefined {
      for (const key of typed.flatMap(eachKey)) {
        lines();
        const outcome = view.onKey(key);
        if (outcome.kind === "given") return outcome.given;
      }
      return undefined;
    },
    resize(width: number, rows: number) {
      size = { width, rows };
    },
  };
}

it("shows the agent's description of its command as the agent's", () => {
  const lines = asked({ ...push, says: "publish the branch\nfor review" }).lines();
  expect(lines.slice(-20).join("\n")).toMatch(/^ {2}ada says: publish the branch.*for review$/m);
});

describe("a permission question", () => {
  it("says what is asked first, then the reason, then the choices from the narrowest on", () => {
    expect(asked(push, { also: "also open in ada's pane" }).lines()).toEqual([
      "",
      `! ada asks to run${" ".repeat(40)}also open in ada's pane`,
      "    git push origin atlas/format",
      "    curl -s https://hooks.example.org/x      inside $( … )",
      "    echo done                                allowed",
      "  No rule allows it.",
      "  ❯ 1  once                                            4  always …",
      "    2  this session: git push origin atlas/format      5  no",
      "    3  this session: git push:*",
      "    type to say no and why · Enter takes 1 · Esc no to all, and stop",
    ]);
  });

  it("offers an exact rule before one that covers more, whichever was suggested", () => {
    const wide = { rules: ["Bash(git push origin *)"], always: true };
    const exact = { rules: ["Bash(git push origin main)"], always: true };
    const [one, other] = [asked({ ...push, offers: [wide, exact] }), asked({ ...push, offers: [exact, wide] })];
    expect(one.lines()).toEqual(other.lines());
    expect(one.type("2")).toEqual({ kind: "session", rules: ["Bash(git push origin main)"] });
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
    const { body } = questionStep({ ...push, parts }, { asker: "ada", style: coloured });
    expect(body?.(80).must[0]).toContain(coloured.state("needs_you", "deletes"));
  });

  it("says how many questions wait, and what the sandbox lacks", () => {
    for (const [lacks, words] of [
      ["network", "no network in the sandbox"],
      ["ssh", "no ssh in the sandbox"],
      [undefined, "hosts are asked about"],
    ] as const) {
      const question = asked({ ...push, network: true, ...(lacks && { lacks }) }, { also: "also in ada's pane" });
      question.resize(100, 40);
      const notes = `1 of 3 · also in ada's pane · ${words}`;
      expect(question.lines({ more: 2 })[1]).toBe(`! ada asks to run${" ".repeat(100 - 17 - notes.length)}${notes}`);
    }
  });

  it("puts the network first, for Enter and for yes, where the command fails without it", () => {
    const question = { ...push, network: true as const, lacks: "ssh" as const };
    expect([asked(question).type(keys.enter), asked(question).type("y", keys.enter), asked(question).type("2")]).toEqual([
      { kind: "once", network: true },
      { kind: "once", network: true },
      { kind: "once" },
    ]);
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
    expect(atLead.lines().slice(-6)).toEqual([
      "  No rule allows it.",
      "  ❯ 1  once                                            5  always: Bash(a *) and Bash(b *)",
      "    2  once, with the network                          6  the whole team: what stays in the sandbox",
      "    3  ada, this session: Bash(a *) and Bash(b *)      7  later",
      "    4  the whole team: Bash(a *) and Bash(b *)         8  no",
      "    type to say no and why · Enter takes 1 · Esc no to all, and stop",
    ]);
    expect(["2", "3", "4", "6"].map((key) => asked(all, { canWait: true, reach: "team" }).type(key))).toEqual([
      { kind: "once", network: true },
      { kind: "session", rules: ["Bash(a *)", "Bash(b *)"] },
      { kind: "team", rules: ["Bash(a *)", "Bash(b *)"] },
      { kind: "sandbox", for: "team" },
    ]);
    expect(["w", "s", "x"].map((word) => asked(all).type(word, keys.enter))).toEqual([
      { kind: "once", network: true },
      { kind: "session", rules: ["Bash(a *)", "Bash(b *)"] },
      { kind: "sandbox", for: "session" },
    ]);
  });

  it("takes y and n as words, Esc as no to all, and any other line as no and the reason", () => {
    const typed = (...pressed: string[]) => asked(push).type(...pressed, keys.enter);
    expect([typed("y"), typed("yes"), typed("No"), typed("no, keep it"), typed("\x1b[200~two\nlines\x1b[201~")]).toEqual([
      { kind: "once" },
      { kind: "once" },
      { kind: "no" },
      { kind: "no", reason: "no, keep it" },
      { kind: "no", reason: "two\nlines" },
    ]);
    expect([asked(push).type(keys.escape), asked(push).type(keys.enter), asked(push).type(arrows.up, keys.enter)]).toEqual([
      { kind: "no", stop: true },
      { kind: "once" },
      { kind: "no" },
    ]);
  });

  it("shows the rule and its file before it is written; Enter writes it, Esc goes back", () => {
    const question = asked(push);
    expect(question.type("4")).toBeUndefined();
    expect(question.lines()).toEqual([
      "",
      "! This is written to .tool/settings.local.json:",
      "  ❯ 1  Bash(git push origin atlas/format)      2  Bash(git push:*)",
      "    type to say no and why · Enter takes 1 · Esc back",
    ]);
    expect(question.type(keys.escape)).toBeUndefined();
    expect(question.lines().join("\n")).toContain("1  once");
    expect(question.type("4", "2")).toEqual({ kind: "always", rules: ["Bash(git push:*)"] });
    expect(asked(push).type("always …", keys.enter, keys.enter)).toEqual({
      kind: "always",
      rules: ["Bash(git push origin atlas/format)"],
    });
  });

  it("says a rule about files in the same words for the session, the team and always, and as it is written where it is written", () => {
    const label = (rule: string, ...typed: string[]) => {
      const question = asked({ ...push, offers: [{ rules: [rule], always: true }], team: true }, { reach: "team" });
      question.resize(160, 40);
      question.type(...typed);
      return question
        .lines()
        .join("\n")
        .split(/\s\s+(?:❯ )?(?=\d {2})|\n/)
        .flatMap((line) => /^\d {2}(?!once|no$)(.*)$/.exec(line)?.[1]?.trim() ?? [])
        .sort();
    };
    expect([label("Edit(src/**)"), label("Read(./.env)"), label("Read(//opt/x/**)"), label("Edit")]).toEqual(
      ["every edit in src/", "every read of .env", "every read in /opt/x/", "every edit inside this folder"].map((words) =>
        ["always", "the whole team", "this session"].map((scope) => `${scope}: ${words}`),
      ),
    );
    expect([label("Edit", "4"), label("Read(./.env)", "4"), label("Bash(make)", "4")]).toEqual([
      ["Edit (every edit inside this folder)"],
      ["Read(./.env) (every read of .env)"],
      ["Bash(make)"],
    ]);
  });

  it("says rules about edits as a person would", () => {
    const offers = ["Edit(src/tax.js)", "Edit(src/**)", "Edit"].map((rule) => ({ rules: [rule], always: false }));
    expect(
      asked({ ...push, offers })
        .lines()
        .slice(-5),
    ).toEqual([
      "  ❯ 1  once                                             5  no",
      "    2  this session: every edit of src/tax.js",
      "    3  this session: every edit in src/",
      "    4  this session: every edit inside this folder",
      "    type to say no and why · Enter takes 1 · Esc no to all, and stop",
    ]);
  });

  it("takes a command for no reason to say no: it stays to be changed, and a reason may begin with a path", () => {
    const question = asked(push);
    expect(question.type("/", "h", "e", "l", "p", keys.enter)).toBeUndefined();
    expect(question.lines().at(-1)).toMatch(/^ {4}\/help .*commands wait for your answer: Esc clears it$/);
    expect(question.type(keys.escape, "/etc is not ours", keys.enter)).toEqual({ kind: "no", reason: "/etc is not ours" });
  });

  it("can be put aside only if it is another agent's", () => {
    expect(asked(push, { canWait: true }).type("5")).toEqual({ kind: "later" });
    expect(asked(push).lines().join("\n")).not.toContain("later");
  });

  it("offers no rule that would have no effect, and no file that cannot be written", () => {
    const last = (question: PermissionQuestion) => asked(question).lines().slice(-2);
    const session = { ...push, offers: [{ rules: ["Read(.env)"], always: false }] };
    const hint = "    type to say no and why · Enter takes 1 · Esc no to all, and stop";
    expect([last({ ...push, offers: [] }), last(session), last({ ...push, offers: push.offers.slice(0, 1), file: undefined })]).toEqual([
      ["  ❯ 1  once      2  no", hint],
      ["  ❯ 1  once      2  this session: every read of .env      3  no", hint],
      ["  ❯ 1  once      2  this session: git push origin atlas/format      3  no", hint],
    ]);
  });

  it.each([40, 20])("fits into %i columns without losing a word", (width) => {
    const question = asked(push, { also: "also open in ada's pane" });
    question.resize(width, 60);
    expect(question.lines().filter((line) => visibleWidth(line) > width)).toEqual([]);
    expect(question.lines().join(" ").replaceAll(/\s+/g, " ")).toContain("this session: git push origin atlas/format");
    question.type("4");
    expect(question.lines().filter((line) => visibleWidth(line) > width)).toEqual([]);
  });

  it("wraps a long command whole", () => {
    const long = `echo ${"word ".repeat(100)}end`;
    const question = asked({ ...push, parts: [{ text: long, where: "", allowed: false }] });
    const shown = question.lines().filter((line) => /word|end/.test(line));
    expect(shown.map((line) => line.trim()).join(" ")).toBe(long);
  });

  it("says how much is hidden, shows it with v, and offers no rule for a command that is not fully shown", () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ text: `step ${index}`, where: "", allowed: false }));
    const question = asked({ ...push, parts });
    question.resize(80, 19);
    const before = question.lines();
    expect(before.slice(-5)).toEqual([
      "    48 more lines are not shown here",
      "  No rule allows it.",
      "  ❯ 1  once      2  no",
      "    type to say no and why · v shows all · Enter takes 1 · Esc no to all, and",
      "    stop",
    ]);
    expect(question.type("v", "G")).toBeUndefined();
    expect(question.lines().slice(-5)).toEqual([
      "  No rule allows it.",
      "  Rules that would allow it:",
      "    Bash(git push origin atlas/format)",
      "    Bash(git push:*)",
      "  48–65 of 65 · arrows, space, b scroll · / searches, n N · q back",
    ]);
    question.type("q");
    expect(question.lines()).toEqual(before);
  });

  it.each([
    [60, "  ❯ 1  once"],
    [100, "  ❯ 1  once  2  session: a.ts  3  session: src/  4  session: this folder  5  always …  6  no"],
    [40, "  ❯ 1  once"],
  ])("keeps five rows of a change at %i columns in a pane of 15 rows, and the words of the choices that it shows", (width, choices) => {
    const change = ["- const port = 80;", "+ const port = 8080;"];
    const edit = { ...push, tool: "Edit", parts: [{ text: "src/a.ts", where: "", allowed: false }], change };
    const offers = ["Edit(src/a.ts)", "Edit(src/**)", "Edit"].map((rule) => ({ rules: [rule], always: true }));
    const long = asked({ ...edit, offers, change: Array.from({ length: 40 }, (_, index) => `+ line ${index}`) }, { also: "also" });
    long.resize(width, 9);
    const shown = long.lines();
    expect(shown.length).toBeLessThanOrEqual(9);
    expect(shown.slice(0, 6)).toEqual([
      "! ada asks to edit",
      "    src/a.ts",
      ...Array.from({ length: 3 }, (_, index) => `      + line ${index}`),
      "      37 more lines",
    ]);
    expect(shown[7]).toBe(choices);
  });

  it("leaves out what is around the changed lines before one of them", () => {
    const change = ["@@ -1,5 +1,5 @@", " one", " two", "-three", "+3", " four", " five"];
    const edit = asked({ ...push, tool: "Edit", parts: [{ text: "src/a.ts", where: "", allowed: false }], change, offers: [] });
    edit.resize(60, 8);
    expect(edit.lines().slice(1, 5)).toEqual(["    src/a.ts", "       3   -  three", "       3   +  3", "      4 more lines"]);
  });

  it("first shows the rule of a choice of which only a few words were shown", () => {
    const question = asked({ ...push, offers: [{ rules: ["Bash(git push:*)"], always: true }] });
    question.resize(80, 7);
    expect(question.type("2")).toBeUndefined();
    expect(question.lines().slice(1, 3)).toEqual(["! Allowed for this session:", "  ❯ 1  Bash(git push:*)"]);
    expect(question.type(keys.enter)).toEqual({ kind: "session", rules: ["Bash(git push:*)"] });
  });

  it("shows the files that a command left, and where they are until the answer", () => {
    const left = { ...push, tool: "Write", parts: [{ text: "/repo/.npmrc", where: "", allowed: false }], offers: [] };
    const question = asked({
      ...left,
      change: ["+ registry=x"],
      reason: "/repo/.npmrc runs later",
      left: "/home/me/.tool/put-aside/1-.npmrc",
    });
    expect(question.lines().slice(0, 7)).toEqual([
      "",
      "! ada asks to keep files that its command left",
      "    /repo/.npmrc",
      "      + registry=x",
      "  /repo/.npmrc runs later. It has been moved away until you answer; if you say",
      "  no, it stays here:",
      "    /home/me/.tool/put-aside/1-.npmrc",
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

it("a plan is approved in one of two modes, or refused with a reason", () => {
  const plan: Question = { kind: "plan", plan: "1. Look\n2. Change" };
  expect(asked(plan).lines()).toEqual([
    "",
    "! ada asks to carry out the plan above",
    "  ❯ 1  go on      2  go on; edits are allowed      3  no",
    "    type to say no and why · Enter takes 1 · Esc no to all, and stop",
  ]);
  expect(["1", "2", "3", keys.escape].map((key) => asked(plan).type(key))).toEqual([
    { kind: "approve", mode: "default" },
    { kind: "approve", mode: "acceptEdits" },
    { kind: "no" },
    { kind: "no", stop: true },
  ]);
  expect(asked(plan).type("two files", keys.enter)).toEqual({ kind: "no", reason: "two files" });
});

describe("a question of the agent's own", () => {
  const dates: Question = { kind: "choice", text: "Which dates do exports have?", options: ["ISO dates", "As typed \x1b[2J"] };

  it("is answered by a digit, or by what is typed, whatever it says", () => {
    expect(asked(dates).lines()).toEqual([
      "",
      "? Which dates do exports have?",
      "  ❯ 1  ISO dates      2  As typed \\x1b[2J      3  no answer: ada decides",
      "    type another answer · Enter takes 1 · Esc no answer, and stop",
    ]);
    const typed = (text: string) => asked(dates).type(text, keys.enter);
    expect(["1", "2", "3", keys.enter, keys.escape].map((key) => asked(dates).type(key))).toEqual([
      { kind: "chosen", option: "ISO dates" },
      { kind: "chosen", option: "As typed \x1b[2J" },
      { kind: "no" },
      { kind: "chosen", option: "ISO dates" },
      { kind: "no", stop: true },
    ]);
    expect(["no", "y", "iso dates", "Unix, as in v1"].map(typed)).toEqual([
      { kind: "written", text: "no" },
      { kind: "written", text: "y" },
      { kind: "chosen", option: "ISO dates" },
      { kind: "written", text: "Unix, as in v1" },
    ]);
  });

  it("names the agent at the lead, where it can wait", () => {
    const question = asked(dates, { also: "also in ada's pane", canWait: true });
    expect(question.lines()).toEqual([
      "",
      `! ada asks you${" ".repeat(80 - 14 - 18)}also in ada's pane`,
      "  Which dates do exports have?",
      "  ❯ 1  ISO dates             3  later",
      "    2  As typed \\x1b[2J      4  no answer: ada decides",
      "    type another answer · Enter takes 1 · Esc no answer, and stop",
    ]);
    expect(question.type("3")).toEqual({ kind: "later" });
  });

  it("fits into its rows: only the marked answer is shown, and a long question says how much is missing", () => {
    const long = asked({ ...dates, text: Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join("\n") });
    long.resize(60, 7);
    expect(long.lines()).toEqual([
      "? line 1",
      "  line 2",
      "  line 3",
      "  line 4",
      "    5 more lines are not shown here",
      "  ❯ 1  ISO dates",
      "    arrows · v shows all · Esc no answer",
    ]);
  });
});

/** Typed text is a key for each character. */
const eachKey = (keys: string) => (keys >= " " ? keys.split("") : [keys]);

it("shows a change with its line numbers, the lines around it, and how many lines come and go", () => {
  const change = ["@@ -11,3 +11,3 @@", " function tax(row) {", "-  return Math.round(row.net)\r", "+  return Math.floor(row.net)", " }"];
  const edit: PermissionQuestion = {
    ...push,
    tool: "Edit",
    parts: [{ text: "src/tax.js", where: "", allowed: false }],
    change,
    counted: "+1 −1",
    offers: [],
  };
  expect(asked(edit).lines().slice(1, 8)).toEqual([
    `! ada asks to edit${" ".repeat(80 - 18 - 5)}+1 −1`,
    "    src/tax.js",
    "      11      function tax(row) {",
    "      12   -    return Math.round(row.net)\\x0d",
    "      12   +    return Math.floor(row.net)",
    "      13      }",
    "  No rule allows it.",
  ]);
});
