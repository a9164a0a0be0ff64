// What the program needs before a person's first session, on one screen: the provider's key and address, the model, the sandbox.
import { matchesKey } from "@earendil-works/pi-tui";
import { plural } from "../../wording/figures.ts";
import { isText, pasteIn } from "../keys/keys.ts";
import type { Dialog } from "../questions/dialog.ts";
import { hung } from "../questions/question-text.ts";
import type { Style } from "../style.ts";
import { shortened, visibleLine } from "../visible-text.ts";

const fields = ["key", "helper", "address", "model", "sandbox"] as const;
export type SetupField = (typeof fields)[number];

/** `helper`: a command that prints the key, instead of `key`. `autoAllow`: commands run without a question while they stay in the sandbox. */
export type SetupAnswer = { key: string; helper: string; address: string; model: string; autoAllow: boolean };

export type SetupProblem = { field: SetupField; text: string };

type Setup = {
  given: SetupAnswer;
  /** What went wrong with the values of the last time: the cursor is there. */
  problem?: SetupProblem | undefined;
  /** What is known about the sandbox of this machine at this time. */
  sandbox: () => string;
  /** Where a typed key is kept. */
  keyFile: string;
  style: Style;
};

/** The answer is complete and plausible, or null if the person leaves. The key is never shown. */
export function setupForm({ given, problem: before, sandbox, keyFile, style }: Setup): Dialog<SetupAnswer | null> {
  const now = { ...given };
  let problem = before;
  let at: SetupField = before?.field ?? "key";
  const move = (by: number) => {
    at = fields[(fields.indexOf(at) + by + fields.length) % fields.length]!;
  };
  const change = (edit: (text: string) => string) => {
    if (at === "sandbox") now.autoAllow = !now.autoAllow;
    else now[at] = edit(now[at]);
  };
  return {
    lines: (width, rows) => formLines({ now, at, problem, sandbox: sandbox(), keyFile, style }, { width, rows }),
    onKey(key) {
      const pasted = pasteIn(key);
      const typed = pasted?.trim() ?? (isText(key) ? key : undefined);
      if (matchesKey(key, "escape")) return { given: null };
      if (matchesKey(key, "enter")) {
        problem = problemOf(now);
        if (!problem) return { given: trimmed(now) };
        at = problem.field;
      } else if (matchesKey(key, "up") || matchesKey(key, "shift+tab")) move(-1);
      else if (matchesKey(key, "down") || matchesKey(key, "tab")) move(1);
      else if (matchesKey(key, "backspace") && at !== "sandbox") change((text) => text.replace(/.$/su, ""));
      else if (matchesKey(key, "ctrl+u") && at !== "sandbox") change(() => "");
      else if (at === "sandbox" ? isToggle(key) : typed !== undefined) change((text) => oneLine(text + typed));
      return undefined;
    },
  };
}

const isToggle = (key: string) => key === " " || matchesKey(key, "left") || matchesKey(key, "right");

const longest = 4_096;
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, longest);

function trimmed({ key, helper, address, model, autoAllow }: SetupAnswer): SetupAnswer {
  return { key: key.trim(), helper: helper.trim(), address: address.trim(), model: model.trim(), autoAllow };
}

function problemOf(values: SetupAnswer): SetupProblem | undefined {
  const { key, helper, address, model } = trimmed(values);
  if (key === "" && helper === "") return { field: "key", text: "Type or paste a key, or name a command that prints one." };
  if (key !== "" && helper !== "") return { field: "helper", text: "Give a key or a command, not both: Ctrl-U clears a line." };
  if (!/^[\x21-\x7e]*$/.test(key))
    return { field: "key", text: "A key has no spaces and no letters with accents. Ctrl-U clears the line." };
  if (!/^https?:\/\/[^\s/]/.test(address) || !URL.canParse(address))
    return { field: "address", text: "An address begins with https:// or http://." };
  return model === "" ? { field: "model", text: "Name a model, such as sonnet." } : undefined;
}

type Form = { now: SetupAnswer; at: SetupField; problem: SetupProblem | undefined; sandbox: string; keyFile: string; style: Style };

const labels: Record<SetupField, string> = { key: "Key", helper: "Command", address: "Address", model: "Model", sandbox: "Sandbox" };
const indent = 11;

/** In little room, the line with the cursor and what is said below the lines are kept, and the keys are said in fewer words. */
function formLines(form: Form, { width, rows }: { width: number; rows: number }): string[] {
  const { at, problem, sandbox, keyFile, style } = form;
  const notes: Record<SetupField, string> = {
    key: `kept in ${keyFile}, which only you can read`,
    helper: "instead of a key: a command that prints it, run without a shell: pass show provider",
    address: "any server that speaks the Messages API",
    model: "its name, or opus, sonnet, haiku",
    sandbox,
  };
  const note = (text: string) => hung(style.dim(`${" ".repeat(indent)}${text}`), width, indent);
  const row = (field: SetupField) => {
    const label = `${field === at ? style.pointer : " "} ${labels[field].padEnd(indent - 2)}`;
    const shown = valueText(form, field, Math.max(8, width - indent - 2));
    const line = field === at ? style.bold(label) + shown : label + shown;
    return [
      ...(field === "sandbox" ? hung(line, width, indent) : [line]),
      ...(field === at || field === "sandbox" ? note(notes[field]) : []),
    ];
  };
  const head = hung(style.bold("Before the first session: where the model is, and what agents may do."), width);
  const foot = (keys: string) => [
    ...(problem ? hung(style.state("failed", `${style.symbol("failed")} ${problem.text}`), width) : []),
    ...hung(style.dim(`  ${keys}`), width),
  ];
  const allKeys = "Enter tries this with one request and begins · Up, Down: another line · Esc leaves";
  const lines = ["", ...head, "", ...fields.flatMap(row), "", ...foot(allKeys)];
  if (lines.length <= rows) return lines;
  const above = [...head, ...fields.slice(0, fields.indexOf(at)).flatMap(row)];
  const upper = [...head, ...fields.flatMap(row)];
  const lower = foot("Enter tries it · Up, Down · Esc leaves").slice(0, rows - 1);
  const room = rows - lower.length;
  const from = Math.max(0, Math.min(above.length, above.length + row(at).length - room));
  return [...upper.slice(from, from + room), ...lower];
}

/** The key as dots; of a long value the end where one types, else the beginning. */
function valueText({ now, at, style }: Form, field: SetupField, room: number): string {
  if (field === "sandbox")
    return `${style.pointer} ${now.autoAllow ? "commands run without a question" : "ask about every command"}  ${style.dim("(Space changes it)")}`;
  const value =
    field === "key"
      ? style.bullet.repeat(Math.min(now.key.length, 24))
      : visibleLine(field === at ? now[field].slice(-room) : shortened(now[field], room));
  const length = field === "key" && now.key !== "" ? style.dim(`  ${plural(now.key.length, "character")}`) : "";
  return `${value}${field === at ? style.caret : ""}${length}`;
}
