// At every size a question says who asks for what, and no key grants what is not shown: each kind of question at each width and height.
import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion, Question } from "../../../src/permissions/questions/question.ts";
import { type OpenQuestion, openQuestion } from "../../../src/screen/questions/open-question.ts";
import { type Given, questionStep } from "../../../src/screen/questions/question-step.ts";
import type { Asking } from "../../../src/screen/questions/question-text.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { liveLines } from "../../../src/screen/terminal/live-part.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const keys = { escape: "\x1b", enter: "\r", down: "\x1b[B" };

const permission = {
  kind: "permission",
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  file: ".tool/settings.local.json",
} as const;
const part = (text: string) => ({ text, where: "", allowed: false });
const grants = (...rules: string[]) => rules.map((rule) => ({ rules: [rule], always: true }));
const edits = grants("Edit(./t-ada.txt)", "Edit(some/deep/folder/**)", "Edit");
const write: PermissionQuestion = { ...permission, change: ["+ a", "+ b"], tool: "Write", parts: [part("./t-ada.txt")], offers: edits };
const commands = Array.from({ length: 7 }, (_, index) => `make step-${index} && sudo --reset-timestamp`);
const script: PermissionQuestion = {
  ...permission,
  tool: "Bash",
  whole: commands.join("\n"),
  parts: commands.map(part),
  network: true,
  sandbox: true,
  team: true,
  says: "builds everything ".repeat(9),
  change: [],
  offers: grants("Bash(make *)", "Bash(make step-1)"),
};

const questions: Record<string, Question> = {
  write,
  "write far away": {
    ...write,
    parts: [part(`./${"folder/".repeat(30)}file.txt`)],
    change: Array.from({ length: 20 }, () => "+ x".repeat(40)),
  },
  replace: { ...write, replaces: true, counted: "+1 −1", note: "it is binary" },
  script,
  plan: { kind: "plan", plan: "1. Look" },
  choice: {
    kind: "choice",
    text: "Which dates do exports have?",
    options: ["ISO dates", "As typed", "As in the locale of the person who exports"],
  },
  "long choice": { kind: "choice", text: "why and ".repeat(100), options: ["yes ".repeat(40), "no ".repeat(40)] },
};
const askings: Record<string, Asking> = {
  alone: { asker: "tool", reach: "session" },
  teammate: { asker: "ada", reach: "session", also: "also at the lead" },
  lead: { asker: "ada-with-a-name-that-is-as-long-as-it-can", reach: "team", also: "also in ada's pane", canWait: true },
};

const widths = [20, 25, 39, 80];
const heights = [5, 6, 7, 8, 10, 11, 15, 24];
const sizes = widths.flatMap((width) => heights.map((height) => ({ width, height })));

type Size = { width: number; height: number };
const plain = (lines: string[]) => lines.map((line) => stripVTControlCharacters(line.replace("\x1b_pi:c\x07", "")).trimEnd());

const { terminal } = emulatedTerminal(80, 24);

function open(question: Question, asking: Asking): OpenQuestion<Given> {
  return openQuestion(questionStep(question, { ...asking, style }), { terminal, style, changed: () => {} });
}

/** The session's screen: what is cut off is lost. */
function screenOf(question: OpenQuestion<Given>, { width, height }: Size, line = false): string[] {
  const dialog = (rows: number) => question.lines({ width, rows, more: 0, line });
  const none = () => [];
  return plain(
    liveLines(
      { open: none, activity: none, agents: none, queued: [], dialog, editor: ["> "], todo: [], status: "status" },
      { style, width, height },
    ),
  );
}

/** The digits that are on the screen, each with the words after it. */
const choicesIn = (lines: string[]) =>
  lines.flatMap((line) =>
    [...line.matchAll(/(❯| {2}) ?([1-9]) {0,2}(\p{L}.*?|$)(?= {2,}[1-9] |$)/gu)].map(([, , digit, words]) => ({ digit, words })),
  );

const each = (visit: (question: Question, asking: Asking, at: Size & { title: string }) => void) => {
  for (const [kind, question] of Object.entries(questions))
    for (const [seat, asking] of Object.entries(askings))
      for (const size of sizes) visit(question, asking, { ...size, title: `${kind}, ${seat}, ${size.width}×${size.height}` });
};

describe("a question in any number of rows", () => {
  it("says who asks for what, and shows the marked choice with its words and the way to see all", () => {
    const wrong: string[] = [];
    each((question, asking, size) => {
      const screen = screenOf(open(question, asking), size);
      const told = screen.join(" ").replaceAll(/\s+/g, " ");
      const isOwn = question.kind === "choice" && asking.also === undefined;
      const holds = {
        fits: screen.length < size.height && screen.every((line) => visibleWidth(line) <= size.width),
        asker: isOwn || told.includes(`! ${asking.asker.slice(0, 3)}`),
        what: /\b(write|replace|run|carry|plan|Which|why)\b/.test(told) && (question.kind !== "permission" || /\.\/|make/.test(told)),
        marked: /❯ 1 {1,2}(once|go on|ISO dates|yes)/.test(told.replaceAll("❯ 1 ", "❯ 1  ")),
        wayOut: told.includes("Esc"),
        seeAll: choicesIn(screen).length > 1 || /\bv (shows )?all\b|\bv\b/.test(told),
      };
      const broken = Object.entries(holds).flatMap(([name, isKept]) => (isKept ? [] : [name]));
      if (broken.length > 0) wrong.push(`${size.title}: ${broken.join()}\n${screen.join("\n")}`);
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it("takes a digit only where its words are on the screen, and otherwise shows its choice", () => {
    const wrong: string[] = [];
    each((question, asking, size) => {
      for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8"]) {
        const asked = open(question, asking);
        const before = screenOf(asked, size);
        const outcome = asked.onKey(digit);
        if (outcome.kind !== "given") continue;
        if (!choicesIn(before).some((choice) => choice.digit === digit)) wrong.push(`${size.title}: ${digit}\n${before.join("\n")}`);
        const { given } = outcome;
        const rules = given.kind === "session" || given.kind === "team" || given.kind === "always" ? given.rules : [];
        const words = before.join("").replaceAll(/\s+/g, "");
        for (const rule of rules) {
          const [, text = rule] = /\((.*?)(?:\*\*)?\)$/.exec(rule) ?? [];
          const said = rule === "Edit" ? "every edit inside this folder" : text.replace(/^\.\//, "");
          if (!words.includes(said.replaceAll(/\s+/g, ""))) wrong.push(`${size.title}: ${digit} grants ${rule}\n${before.join("\n")}`);
        }
      }
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it("lets every choice be reached with the arrows, and shows the words of each", () => {
    const wrong: string[] = [];
    each((question, asking, size) => {
      const asked = open(question, asking);
      const labels = new Set<string>();
      for (let step = 0; step < 4; step++) {
        const found = /❯ (\d)\s+(\S+)/.exec(screenOf(asked, size).join("\n"));
        if (!found) return wrong.push(`${size.title}: nothing is marked after ${step}`);
        labels.add(`${found[1]} ${found[2]}`);
        asked.onKey(keys.down);
      }
      return labels.size >= 2 ? 0 : wrong.push(`${size.title}: ${[...labels].join()}`);
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it("means no by n and Enter, and by Esc, whatever the number of no is", () => {
    const wrong: string[] = [];
    each((question, asking, size) => {
      if (question.kind === "choice") return;
      const typed = open(question, asking);
      screenOf(typed, size);
      typed.onKey("n");
      const screen = screenOf(typed, size).join("\n");
      const outcomes = [typed.onKey(keys.enter), open(question, asking).onKey(keys.escape)];
      const wanted = [
        { kind: "given", given: { kind: "no" } },
        { kind: "given", given: { kind: "no", stop: true } },
      ];
      if (JSON.stringify(outcomes) !== JSON.stringify(wanted) || !/Enter(:| takes)/.test(screen)) wrong.push(`${size.title}\n${screen}`);
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it("shows all of it with v, the choices too", () => {
    const asked = open(write, askings["teammate"]!);
    const size = { width: 20, height: 5 };
    screenOf(asked, size);
    asked.onKey("v");
    let all = "";
    for (let row = 0; row < 40; row++) {
      all += screenOf(asked, size).join(" ");
      asked.onKey(keys.down);
    }
    const words = all.replaceAll(/\s+/g, " ");
    for (const said of ["./t-ada.txt", "+ b", "No rule allows it", "1 once"]) expect(words).toContain(said);
  });

  it("goes to a choice that is not shown by its digit, and takes it by the next", () => {
    const asked = open(write, askings["alone"]!);
    const size = { width: 25, height: 10 };
    const before = screenOf(asked, size);
    expect(before.filter((line) => /^! |\.\/t|❯/.test(line))).toEqual(["! tool asks to write", "    ./t-ada.txt", "  ❯ 1  once"]);
    expect(asked.onKey("6")).toEqual({ kind: "open" });
    expect(screenOf(asked, size)).toContain("  ❯ 6  no");
    expect(asked.onKey("6")).toEqual({ kind: "given", given: { kind: "no" } });
  });

  it("keeps a long line that keeps the keys from pushing the question away", () => {
    const asked = open(write, askings["teammate"]!);
    const none = () => [];
    const editor = Array.from({ length: 9 }, (_, index) => `> line ${index}`);
    const dialog = (rows: number) => asked.lines({ width: 39, rows, more: 0, line: true });
    const parts = { open: none, activity: none, agents: none, queued: [], dialog, editor, todo: [], status: "status" };
    const screen = plain(liveLines(parts, { style, width: 39, height: 11 }));
    expect([screen.length, screen[0], screen.at(-1)]).toEqual([10, "! ada asks to write", "> line 8"]);
  });
});
