// A question to the person on a screen: who asks, what is to be run, one simple command a line, why it is asked, and one key for each
// answer. What it shows and which keys it takes change on the way: a rule is shown before it is written, a reason is typed after "no".
import { Input, matchesKey, visibleWidth } from "@earendil-works/pi-tui";
import type { Answer, PermissionQuestion, Question } from "../permissions/question.ts";
import { wrap } from "./screen.ts";
import type { Style } from "./style.ts";
import { visibleLine, visibleText } from "./visible-text.ts";

/** What a session screen shows below the finished text until a key has given an answer. */
export type QuestionView = {
  lines(width: number, rows: number): string[];
  /** What this key makes of it; undefined while it stays. */
  onKey(key: string): Given | undefined;
};

/** `later`: it is put aside here, and stays open elsewhere. */
export type Given = Answer | { kind: "later" };

export type Asking = {
  /** Whose tool call it is. */
  asker: string;
  /** Where else it can be answered: `also open in ada's pane`. */
  also?: string;
  /** Somebody else's question, which a person may put aside to go on typing here. */
  canWait?: boolean;
};

export type ViewSetup = Asking & {
  style: Style;
  /** Prints finished text: what is too long to stand in the question. */
  print: (text: string) => void;
};

type Step = "choose" | "confirm" | "reason";

/** Rows that the editor, the status line and the question's own words need at least. */
const otherRows = 11;

export function questionView(question: Question, setup: ViewSetup): QuestionView {
  const { style } = setup;
  const asker = visibleLine(setup.asker);
  const permission = question.kind === "permission" ? question : undefined;
  const reason = createReason();
  let step: Step = "choose";
  let chosen = 0;
  let seenAtOnce = true;
  /** Wrapping a command of a hundred thousand characters takes a while, and the screen is drawn for every key. */
  let body: { width: number; must: string[]; change: string[] } = { width: 0, must: [], change: [] };

  const rules = () => (permission && seenAtOnce ? permission.rules : []);
  const rule = () => rules()[chosen];
  const canAlways = () => permission?.file !== undefined && rule()?.always === true;

  function onChoice(key: string): Given | undefined {
    if (key === "l" && setup.canWait) return { kind: "later" };
    if (matchesKey(key, "escape")) return { kind: "no" };
    if (key === "n") step = "reason";
    if (!permission) {
      if (key === "y") return { kind: "approve", mode: "default" };
      return key === "e" ? { kind: "approve", mode: "acceptEdits" } : undefined;
    }
    const chosenRule = rule();
    if (key === "y") return { kind: "once" };
    if (key === "s" && chosenRule) return { kind: "session", rule: chosenRule.text };
    if (key === "a" && canAlways()) step = "confirm";
    if (key === "v" && !seenAtOnce) setup.print(wholeText(permission, setup));
    choose(key);
    return undefined;
  }

  function choose(key: string): void {
    const index = Number(key) - 1;
    if (key.length === 1 && index >= 0 && index < rules().length) chosen = index;
  }

  function onConfirm(key: string): Answer | undefined {
    if (matchesKey(key, "escape") || key === "n") step = "choose";
    choose(key);
    const chosenRule = rule();
    return matchesKey(key, "enter") && chosenRule && canAlways() ? { kind: "always", rule: chosenRule.text } : undefined;
  }

  function onReason(key: string): Answer | undefined {
    if (matchesKey(key, "escape")) return { kind: "no" };
    if (!matchesKey(key, "enter")) {
      reason.onKey(key);
      return undefined;
    }
    const text = reason.text();
    return text === "" ? { kind: "no" } : { kind: "no", reason: text };
  }

  function keyLines(width: number): string[] {
    switch (step) {
      case "choose":
        return [...ruleLines(width), ...row(choices(), width)];
      case "confirm":
        return [
          ...hung(`  This is written to ${visibleLine(permission?.file ?? "")}:`, width),
          ...hung(`    ${style.bold(visibleLine(rule()?.text ?? ""))}`, width, 4),
          ...(rule() && !canAlways() ? [style.dim("  It would not let this pass next time.")] : []),
          ...ruleLines(width),
          ...row([canAlways() && `${style.bold("Enter")} writes it`, `${style.bold("Esc")} back`], width),
        ];
      case "reason":
        return [
          ...hung(`  Why not? ${asker} reads it. ${style.bold("Enter")} sends it, ${style.bold("Esc")} says no without a reason.`, width),
          ...reason.lines(width - 2).map((line) => `  ${line}`),
        ];
    }
  }

  /** With several rules to choose from, each has its number. */
  function ruleLines(width: number): string[] {
    const all = rules();
    if (all.length < 2) return [];
    return all.flatMap(({ text }, index) => {
      const line = `  ${index === chosen ? ">" : " "} ${style.bold(String(index + 1))} ${visibleLine(text)}`;
      return hung(index === chosen ? line : style.dim(line), width, 6);
    });
  }

  function choices(): (string | false)[] {
    const rest = [`${style.bold("n")} no, and tell ${asker} why`, setup.canWait === true && `${style.bold("l")} later`];
    if (!permission) return [`${style.bold("y")} go on`, `${style.bold("e")} go on, edits pass unasked`, ...rest];
    const text = rules().length > 1 ? `rule ${chosen + 1}` : visibleLine(rule()?.text ?? "");
    const always = canAlways();
    return [
      `${style.bold("y")} once`,
      rule() !== undefined && `${style.bold("s")} this session${always ? "" : `: ${text}`}`,
      always && `${style.bold("a")} always: ${text}`,
      !seenAtOnce && `${style.bold("v")} show all of it`,
      ...rest,
    ];
  }

  return {
    lines(width, rows) {
      const room = Math.max(4, rows - otherRows);
      const head = headLines(question, setup, width);
      if (!permission) return [...head, ...keyLines(width)];
      if (body.width !== width) body = { width, ...bodyLines(permission, style, width) };
      seenAtOnce = body.must.length <= room;
      const shown = seenAtOnce ? body.must : body.must.slice(0, room - 1);
      const hidden = body.must.length - shown.length;
      const change = fitted(body.change, Math.max(0, room - body.must.length), style);
      return [
        ...head,
        ...shown,
        ...(hidden > 0 ? [style.state("needs_you", `    ${hidden} more lines are not shown here`)] : []),
        ...change,
        ...hung(style.dim(`  ${visibleLine(permission.reason)}.`), width, 2),
        ...keyLines(width),
      ];
    },
    onKey(key) {
      switch (step) {
        case "choose":
          return onChoice(key);
        case "confirm":
          return onConfirm(key);
        case "reason":
          return onReason(key);
      }
    },
  };
}

/** All of a question as plain lines, for a command that prints it. */
export function questionText(question: Question, setup: Omit<ViewSetup, "print"> & { width: number }): string {
  const head = headLines(question, setup, setup.width);
  if (question.kind === "plan")
    return [
      ...head,
      ...visibleText(question.plan)
        .split("\n")
        .map((line) => `    ${line}`),
    ].join("\n");
  const { must, change } = bodyLines(question, setup.style, setup.width);
  return [...head, ...must, ...change, ...hung(setup.style.dim(`  ${visibleLine(question.reason)}.`), setup.width, 2)].join("\n");
}

/** The finished text that a plan's question comes after. */
export function planText(plan: string, { asker, style }: Asking & { style: Style }): string {
  return `\n${style.bold(`The plan of ${visibleLine(asker)}`)}\n\n${visibleText(plan).trimEnd()}\n`;
}

function headLines(question: Question, { asker, also, style }: Asking & { style: Style }, width: number): string[] {
  const what =
    question.kind === "plan"
      ? "asks to carry out its plan, which stands above"
      : (deeds[question.tool] ?? `asks for ${visibleLine(question.tool)}`);
  const head = style.state("needs_you", `${style.symbol("needs_you")} ${visibleLine(asker)} ${what}`);
  if (!also) return ["", ...hung(head, width, 2)];
  const aside = style.dim(`(${visibleLine(also)})`);
  const gap = Math.min(width, 100) - visibleWidth(head) - visibleWidth(aside);
  return gap >= 2 ? ["", `${head}${" ".repeat(gap)}${aside}`] : ["", ...hung(head, width, 2), ...hung(`  ${aside}`, width, 2)];
}

const deeds: Record<string, string> = {
  Bash: "asks to run",
  Write: "asks to write",
  Edit: "asks to change",
  Read: "asks to read",
  Glob: "asks to list",
  Grep: "asks to search",
  WebFetch: "asks to fetch",
};

/** `must`: what the person agrees to, wrapped and never cut. `change`: what it would do to a file. */
function bodyLines(question: PermissionQuestion, style: Style, width: number): { must: string[]; change: string[] } {
  const parts = question.parts.flatMap(({ text, where, allowed }) => partLines(visibleLine(text), { where, allowed, style, width }));
  const whole =
    question.whole === undefined
      ? []
      : visibleText(question.whole)
          .split("\n")
          .flatMap((line) => hung(`    ${line}`, width, 6));
  const more = question.moreChange > 0 ? [style.dim(`    ${question.moreChange} more lines`)] : [];
  return {
    must: question.whole === undefined ? parts : [...whole, style.dim("  which runs"), ...parts],
    change: [...question.change.flatMap((line) => hung(`      ${visibleLine(line)}`, width, 8)), ...more],
  };
}

function partLines(
  text: string,
  { where, allowed, style, width }: { where: string; allowed: boolean; style: Style; width: number },
): string[] {
  const asides = [visibleLine(where), allowed && "allowed"].filter(Boolean).join(", ");
  const line = `    ${text}`;
  const lines = hung(asides && visibleWidth(line) + asides.length + 6 <= width ? `${line}      ${style.dim(asides)}` : line, width, 6);
  return asides && visibleWidth(line) + asides.length + 6 > width ? [...lines, style.dim(`      ${asides}`)] : lines;
}

/** A change may be left out in part: a person who wants it all has the file and the transcript. */
function fitted(lines: string[], room: number, style: Style): string[] {
  if (lines.length <= room) return lines;
  const kept = Math.max(0, room - 1);
  return [...lines.slice(0, kept), style.dim(`      ${lines.length - kept} more lines`)];
}

function wholeText(question: PermissionQuestion, { asker, style }: ViewSetup): string {
  const lines =
    question.whole === undefined ? question.parts.map(({ text }) => visibleLine(text)) : visibleText(question.whole).split("\n");
  return [style.bold(`All of what ${visibleLine(asker)} asks for`), ...lines.map((line) => `    ${line}`), ""].join("\n");
}

/** A key line: what does not fit goes below, whole. */
function row(items: (string | false)[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    if (item === false) continue;
    const last = lines.at(-1);
    if (last !== undefined && visibleWidth(last) + 3 + visibleWidth(item) <= width) lines[lines.length - 1] = `${last}   ${item}`;
    else lines.push(`  ${item}`);
  }
  return lines.flatMap((line) => hung(line, width, 4));
}

function hung(line: string, width: number, hang = 2): string[] {
  return wrap(line, width, hang).split("\n");
}

/** One typed line, for a reason. */
function createReason() {
  const input = new Input();
  input.focused = true;
  return {
    onKey: (key: string) => input.handleInput(key),
    text: () => input.getValue().trim(),
    lines: (width: number) => input.render(Math.max(4, width)),
  };
}
