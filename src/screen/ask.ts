// A question to the person, with one key for each answer. What it shows and which keys it takes change on the way: a rule is shown
// before it is written, a reason is typed after "no".
import { Input, matchesKey, visibleWidth } from "@earendil-works/pi-tui";
import { type Answer, type PermissionQuestion, type Question, rulesText } from "../permissions/question.ts";
import type { Dialog } from "./dialog.ts";
import { isText } from "./keys.ts";
import { type Asking, type Body, bodyLines, headLines, hung, moreLines, reasonLines, wholeText } from "./question-text.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visible-text.ts";

/** `later`: it is put aside here, and stays open elsewhere. */
export type Given = Answer | { kind: "later" };

export type QuestionSetup = Asking & {
  style: Style;
  /** Prints finished text: what is too long to stand in the question. */
  print: (text: string) => void;
};

type Step = "choose" | "confirm" | "reason";

/** A rule longer than this stands on a line of its own. */
const shortRule = 50;

export function questionDialog(question: Question, setup: QuestionSetup): Dialog<Given> {
  const { style } = setup;
  const asker = visibleLine(setup.asker);
  const permission = question.kind === "permission" ? question : undefined;
  const reason = createReason();
  let step: Step = "choose";
  let chosen = 0;
  let seenAtOnce = true;
  let changeSeen = true;
  /** Wrapping a command of a hundred thousand characters takes a while, and the screen is drawn for every key. */
  let body: Body & { width: number } = { width: 0, must: [], change: [] };

  const offers = () => (permission && seenAtOnce ? permission.offers : []);
  const offer = () => offers()[chosen];
  const canAlways = () => permission?.file !== undefined && offer()?.always === true;
  const listed = () => offers().length > 1 || offers().some(({ rules }) => rulesText(rules).length > shortRule);

  function onKey(key: string): Given | "typed" | undefined {
    switch (step) {
      case "choose":
        return onChoice(key);
      case "confirm":
        return onConfirm(key);
      case "reason":
        return onReason(key);
    }
  }

  function onChoice(key: string): Given | "typed" | undefined {
    if (key === "l" && setup.canWait) return { kind: "later" };
    if (matchesKey(key, "escape")) return { kind: "no" };
    if (key === "n") {
      step = "reason";
      return undefined;
    }
    return permission ? onPermission(key, permission) : onPlan(key);
  }

  function onPlan(key: string): Given | "typed" | undefined {
    if (key === "y") return { kind: "approve", mode: "default" };
    return key === "e" ? { kind: "approve", mode: "acceptEdits" } : typedIf(key);
  }

  function onPermission(key: string, asked: PermissionQuestion): Given | "typed" | undefined {
    const rules = offer()?.rules;
    if (key === "y") return { kind: "once" };
    if (key === "w" && asked.network) return { kind: "once", network: true };
    if (key === "x" && asked.sandbox) return { kind: "sandbox", for: asked.team ? "team" : "session" };
    if (key === "s" && rules) return { kind: "session", rules };
    if (key === "t" && rules && asked.team) return { kind: "team", rules };
    if (key === "a" && canAlways()) step = "confirm";
    else if (key === "v" && !(seenAtOnce && changeSeen)) setup.print(wholeText(asked, setup));
    else if (!choose(key)) return typedIf(key);
    return undefined;
  }

  /** True when it is the number of a rule. */
  function choose(key: string): boolean {
    const index = Number(key) - 1;
    if (key.length !== 1 || !(index >= 0 && index < offers().length)) return false;
    chosen = index;
    return true;
  }

  /** Whoever types a line here never writes a rule with its Enter. */
  function onConfirm(key: string): Given | "typed" | undefined {
    const rules = offer()?.rules;
    if (matchesKey(key, "enter")) return rules && canAlways() ? { kind: "always", rules } : undefined;
    if (choose(key)) return undefined;
    if (matchesKey(key, "escape") || isText(key)) step = "choose";
    return key === "n" ? undefined : typedIf(key);
  }

  function onReason(key: string): Given | undefined {
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
          ...(offer()?.rules ?? []).flatMap((rule) => hung(`    ${style.bold(visibleLine(rule))}`, width, 4)),
          ...(offer() && !canAlways() ? hung(style.dim("  It would not let this pass next time."), width) : []),
          ...(offers().length > 1 ? ruleLines(width) : []),
          ...row([canAlways() && `${style.bold("Enter")} writes it`, `${style.bold("Esc")} back`], width),
        ];
      case "reason":
        return [
          ...hung(`  Why not? ${asker} reads it. ${style.bold("Enter")} sends it, ${style.bold("Esc")} says no without a reason.`, width),
          ...reason.lines(width - 2).map((line) => `  ${line}`),
        ];
    }
  }

  /** Each with its number, where there are several or one is long. */
  function ruleLines(width: number): string[] {
    if (!listed()) return [];
    return offers().flatMap(({ rules }, index) => {
      const line = `  ${index === chosen ? ">" : " "} ${style.bold(String(index + 1))} ${rulesText(rules)}`;
      return hung(index === chosen ? line : style.dim(line), width, 6);
    });
  }

  function choices(): (string | false | undefined)[] {
    const rest = [`${style.bold("n")} no, and tell ${asker} why`, setup.canWait === true && `${style.bold("l")} later`];
    if (!permission) return [`${style.bold("y")} go on`, `${style.bold("e")} go on, edits pass unasked`, ...rest];
    const text = listed() ? `rule ${chosen + 1}` : rulesText(offer()?.rules ?? []);
    const always = canAlways();
    return [
      `${style.bold("y")} once`,
      permission.network && `${style.bold("w")} once, with the network`,
      offer() !== undefined && `${style.bold("s")} this session${always ? "" : `: ${text}`}`,
      offer() !== undefined && permission.team && `${style.bold("t")} the team`,
      always && `${style.bold("a")} always: ${text}`,
      permission.sandbox && `${style.bold("x")} everything that stays in the sandbox`,
      !(seenAtOnce && changeSeen) && `${style.bold("v")} show all of it`,
      ...rest,
    ];
  }

  /** The keys that can be offered when all of it has its rows, or else those for a change, or a command, that is not seen whole. */
  function keysFor(asked: PermissionQuestion, { width, rows, others }: { width: number; rows: number; others: number }) {
    if (body.width !== width) body = { width, ...bodyLines(asked, { ...setup, width }) };
    const changeRows = asked.moreChange > 0 ? Number.POSITIVE_INFINITY : body.change.flat().length;
    for (const [whole, needed] of [
      ["change", body.must.length + changeRows],
      ["command", body.must.length],
      ["neither", 0],
    ] as const) {
      seenAtOnce = whole !== "neither";
      changeSeen = whole === "change";
      const keys = keyLines(width);
      const room = rows - others - keys.length;
      if (needed <= room || whole === "neither") return { keys, room: Math.max(2, room) };
    }
    throw new Error("unreachable");
  }

  return {
    lines(width, rows) {
      const head = headLines(question, { ...setup, width });
      if (!permission) return ["", ...head, ...keyLines(width)];
      const why = reasonLines(permission, { ...setup, width });
      // One row for the blank line above it, and one for how many more are waiting.
      const { keys, room } = keysFor(permission, { width, rows, others: head.length + why.length + 2 });
      const shown = body.must.length <= room ? body.must : body.must.slice(0, room - 1);
      const hidden = body.must.length - shown.length;
      const missing = hidden > 0 ? hung(style.state("needs_you", `    ${hidden} more lines are not shown here`), width, 4) : [];
      const change = fitted(body.change, { room: Math.max(0, room - body.must.length), beyond: permission.moreChange, style });
      const lines = [...head, ...shown, ...missing, ...change, ...why, ...keys];
      return lines.length < rows ? ["", ...lines] : lines;
    },
    onKey(key) {
      const given = onKey(key);
      return given === undefined || given === "typed" ? given : { given };
    },
  };
}

/** A key that answers another question is no line's beginning, even where it is not offered. */
function typedIf(key: string): "typed" | undefined {
  return isText(key) && !/^[ysanvel]$/.test(key) ? "typed" : undefined;
}

/** A change may be left out in part, and a key shows it all. `beyond`: lines that did not come with the question. */
function fitted(change: string[][], { room, beyond, style }: { room: number; beyond: number; style: Style }): string[] {
  const all = change.flat();
  if (all.length <= room && beyond === 0) return all;
  const shown: string[] = [];
  let lines = 0;
  for (; lines < change.length && shown.length + change[lines]!.length < room; lines++) shown.push(...change[lines]!);
  return room === 0 ? [] : [...shown, ...moreLines(change.length - lines + beyond, style)];
}

/** A key line: what does not fit goes below, whole. */
function row(items: (string | false | undefined)[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    if (!item) continue;
    const last = lines.at(-1);
    if (last !== undefined && visibleWidth(last) + 3 + visibleWidth(item) <= width) lines[lines.length - 1] = `${last}   ${item}`;
    else lines.push(`  ${item}`);
  }
  return lines.flatMap((line) => hung(line, width, 4));
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
