// One decision for a whole command: each simple command is judged, and the strictest result wins.
import type { PermissionMode } from "../policy.ts";
import type { Analysis, FileUse, Hazard, SimpleCommand } from "./analysis.ts";
import { type BashPattern, covers, forbids, looseWords, spans } from "./bash-pattern.ts";
import { actsAsPerson, mentions } from "./mentions.ts";
import { suggestionFor } from "./suggestion.ts";

/** A rule about Bash as the settings have it: `text` as it was written, `file` where it stands. */
export type ShellRule = { text: string; file?: string; pattern: BashPattern };

type Ruling = "allow" | "ask" | "deny";
type By = "limit" | "rule" | "grant" | "built-in" | "mode" | "default";

/** What the rules about paths say of one file. */
export type FileRuling = { decision: Ruling; by: By; rule?: string; file?: string; reason: string };

export type ShellQuestion = {
  analysis: Analysis;
  rules: { deny: ShellRule[]; ask: ShellRule[]; allow: ShellRule[]; grants: ShellRule[] };
  mode: PermissionMode;
  /** Judges one path of `FileUse.path`, which is known when this is called. */
  judgeFile: (use: FileUse & { path: string }) => FileRuling;
  /**
   * Whether files that may not be read lie below the folder of a recursive search: none, such as the sandbox takes out of sight, or
   * such as nobody hides. Absent: none.
   */
  below?: (use: FileUse & { path: string }) => "none" | "hidden" | "open";
};

export type ShellPart = { text: string; where: string; decision: Ruling };

export type ShellRuling = {
  decision: Ruling;
  by: By;
  /** The rule that decided, as it was written, and the settings file in which it stands. */
  rule?: string;
  file?: string;
  /** One sentence without its full stop. */
  reason: string;
  /** What stands between the brackets of the narrowest useful rule. */
  suggestion?: string;
  /** Each simple command that can run. */
  parts: ShellPart[];
  /** It is allowed only with files hidden from it that may not be read. */
  excludes?: true;
};

/** `harmless` is a part that needs no rule beside one that has it. */
type Judged = FileRuling & { harmless?: true; excludes?: true };

/** Deny, what a person granted for exactly this text, ask, files, mode, allow, and else it is asked. In the mode dontAsk an "ask" is the caller's to refuse. */
export function judgeShell(question: ShellQuestion): ShellRuling {
  const { analysis, rules } = question;
  const limit = fixedLimit(analysis);
  const judged = analysis.commands.map((command) => judgePart(command, question));
  const parts = analysis.commands.map(
    ({ text, where }, index): ShellPart => ({ text, where, decision: limit ? "deny" : judged[index]!.decision }),
  );
  const finish = (one: Judged): ShellRuling => {
    const ruling: Omit<Judged, "harmless"> & { harmless?: true } = { ...one };
    delete ruling.harmless;
    const suggestion =
      ruling.decision === "ask"
        ? suggestionFor(
            analysis,
            judged.map(({ decision }) => decision),
          )
        : undefined;
    return { ...ruling, ...(suggestion !== undefined && { suggestion }), parts };
  };
  if (limit) return finish(limit);
  const denied = judged.find(({ decision }) => decision === "deny") ?? textDeny(question);
  if (denied) return finish(denied);
  const granted = wholeRule(rules.grants, analysis);
  if (granted) return finish(allowedBy(granted, "grant"));
  const asked = judged.find(({ decision, by }) => decision === "ask" && by !== "default") ?? unclearAsk(question);
  if (asked) return finish(asked);
  const exact = wholeRule(rules.allow, analysis);
  if (exact && question.mode !== "plan") return finish(allowedBy(exact, "rule"));
  const open = judged.find(({ decision }) => decision === "ask");
  if (open) return finish(open);
  const excludes = judged.some((one) => one.excludes) ? { excludes: true as const } : {};
  const deciding = judged.find(({ harmless }) => !harmless);
  if (deciding) return finish({ ...deciding, ...excludes });
  return finish({ decision: "ask", by: "default", reason: "No rule allows it" });
}

function fixedLimit({ text, commands }: Analysis): Judged | undefined {
  const spoken = [text, ...commands.map(({ words }) => words.map(({ value }) => value ?? "").join(" "))];
  return spoken.some(actsAsPerson)
    ? {
        decision: "deny",
        by: "limit",
        reason: "Commands that answer, assign or write in a person's or another agent's name are not for agents",
      }
    : undefined;
}

/** Rules about more than one simple command; and what cannot be taken apart is searched for the words of deny rules. */
function textDeny({ analysis, rules }: ShellQuestion): Judged | undefined {
  const spanning = rules.deny.find(({ pattern }) => spans(pattern, analysis.text));
  if (spanning) return ruling("deny", spanning, `The rule ${spanning.text} denies it`);
  if (analysis.unclear === undefined) return undefined;
  const rule = rules.deny.find((each) => isMentioned(each, analysis.text));
  return rule && ruling("deny", rule, `The rule ${rule.text} may deny a part of it, and the command cannot be taken apart for certain`);
}

function unclearAsk({ analysis, rules, mode }: ShellQuestion): Judged | undefined {
  if (analysis.unclear === undefined) return undefined;
  const rule = rules.ask.find((each) => isMentioned(each, analysis.text));
  if (rule) return ruling("ask", rule, `The rule ${rule.text} may ask for a part of it, and the command cannot be taken apart for certain`);
  if (mode === "plan") return byMode(mode);
  if (mode === "bypassPermissions" && rules.deny.length + rules.ask.length === 0) return byMode(mode);
  return wholeRule(rules.allow, analysis)
    ? undefined
    : { decision: "ask", by: "built-in", reason: `It is asked for because ${analysis.unclear}` };
}

function isMentioned({ pattern }: ShellRule, text: string): boolean {
  const words = looseWords(pattern);
  return words !== undefined && (words.length === 0 || mentions(text, words));
}

const wholeRule = (rules: ShellRule[], { text }: Analysis) =>
  rules.find(({ pattern }) => pattern.kind === "exact" && pattern.text === text.trim());

function judgePart(command: SimpleCommand, question: ShellQuestion): Judged {
  const { rules, mode, analysis } = question;
  const denied = rules.deny.find(({ pattern }) => forbids(pattern, command) === "yes");
  if (denied) return ruling("deny", denied, `The rule ${denied.text} denies it`);
  const files = command.files.map((use) => judgeUse(use, question));
  const denies = files.find(({ decision }) => decision === "deny");
  if (denies) return denies;
  const asked = rules.ask.find(({ pattern }) => forbids(pattern, command) === "yes");
  if (asked) return ruling("ask", asked, `The rule ${asked.text} asks for it`);
  const possible = [...rules.deny, ...rules.ask].find(({ pattern }) => forbids(pattern, command) === "maybe");
  if (possible) return ruling("ask", possible, `Whether the rule ${possible.text} stands against it is not known before it runs`);
  const asks = files.find(({ decision, by }) => decision === "ask" && by !== "default");
  if (asks) return asks;
  const moded = byMode(mode);
  const isUnclear = command.unclear !== undefined || analysis.unclear !== undefined;
  if (moded && !(moded.decision === "allow" && isUnclear && rules.deny.length + rules.ask.length > 0)) return moded;
  const exact = exactRule(command, question);
  if (exact) return exact;
  if (command.unclear !== undefined) return { decision: "ask", by: "default", reason: `It is asked for because ${command.unclear}` };
  const open = files.find(({ decision, purpose }) => decision === "ask" && !purpose);
  if (open) return open;
  const excludes = files.some((file) => file.excludes) ? { excludes: true as const } : {};
  const allowed = allowRule(command, question);
  if (allowed) return { ...allowed, ...excludes };
  if (command.harmless) return { decision: "allow", by: "default", reason: "It changes nothing", harmless: true, ...excludes };
  return { ...notAllowed(command, question), ...excludes };
}

function judgeUse(use: FileUse, { judgeFile, below }: ShellQuestion): Judged & { purpose?: true } {
  const { path } = use;
  if (path === undefined) {
    const what = use.access === "write" ? "written" : "read";
    return { decision: "ask", by: "default", reason: `Which file is ${what} is not known before it runs` };
  }
  const known = { ...use, path };
  const judged = judgeFile(known);
  if (use.mention) return judged.by !== "default" && judged.by !== "mode" ? judged : { ...judged, decision: "allow" };
  if (judged.decision === "allow" && (use.recursive || use.pattern) && use.access === "read") {
    const kept = below?.(known) ?? "none";
    if (kept === "open")
      return { decision: "ask", by: "built-in", reason: `Below ${path} are files that may not be read, and nothing hides them from it` };
    if (kept === "hidden") return { ...judged, excludes: true };
  }
  return { ...judged, ...(use.purpose && judged.by === "default" && { purpose: true as const }) };
}

function byMode(mode: PermissionMode): Judged | undefined {
  switch (mode) {
    case "plan":
      return { decision: "deny", by: "mode", reason: "In the mode plan nothing is changed and no command is run" };
    case "bypassPermissions":
      return { decision: "allow", by: "mode", reason: "The mode bypassPermissions allows it" };
    case "default":
    case "acceptEdits":
    case "dontAsk":
      return undefined;
  }
}

/** A rule for exactly this simple command, or for one that it is a part of. */
function exactRule(command: SimpleCommand, { rules, analysis }: ShellQuestion): Judged | undefined {
  let one: SimpleCommand | undefined = command;
  while (one) {
    const { text, unclear, words } = one;
    // With values that come from elsewhere in the text it would be another command than the one that the rule was written for.
    const isSame = ({ pattern }: ShellRule) =>
      pattern.kind === "exact" && pattern.text === text.trim() && unclear === undefined && words.every(({ value }) => value !== undefined);
    const rule = rules.allow.find(isSame);
    if (rule) return allowedBy(rule, "rule");
    const grant = rules.grants.find(isSame);
    if (grant) return allowedBy(grant, "grant");
    one = one.parent === undefined ? undefined : analysis.commands[one.parent];
  }
  return undefined;
}

function allowRule(command: SimpleCommand, { rules, analysis }: ShellQuestion): Judged | undefined {
  const covering = ({ pattern }: ShellRule) => {
    const spelled = spelledFor(pattern, command, analysis);
    return spelled !== undefined && (pattern.kind === "exact" || command.hazards.every((hazard) => isSpelledOut(hazard, spelled, command)));
  };
  const rule = rules.allow.find(covering);
  if (rule) return allowedBy(rule, "rule");
  const grant = rules.grants.find(covering);
  return grant && allowedBy(grant, "grant");
}

/** How many of its words a rule spells out. `Bash(npx tsc:*)` spells out the first word of what npx runs. */
function spelledFor(pattern: BashPattern, command: SimpleCommand, analysis: Analysis): number | undefined {
  const own = covers(pattern, command);
  if (own !== undefined || command.parent === undefined || command.offset === undefined) return own;
  const outer = spelledFor(pattern, analysis.commands[command.parent]!, analysis);
  return outer !== undefined && outer > command.offset ? outer - command.offset : undefined;
}

/** A rule that names the dangerous word, and for an option what follows it too, was written with it in mind. */
function isSpelledOut({ at, option }: Hazard, spelled: number, { words }: SimpleCommand): boolean {
  return spelled > at + (option && !words[at]?.value?.includes("=") ? 1 : 0);
}

function notAllowed(command: SimpleCommand, { rules }: ShellQuestion): Judged {
  const [hazard] = command.hazards;
  const near = hazard && [...rules.allow, ...rules.grants].some(({ pattern }) => covers(pattern, command) !== undefined);
  return { decision: "ask", by: "default", reason: near ? `Rules with a wildcard do not cover that ${hazard.does}` : "No rule allows it" };
}

function ruling(decision: "ask" | "deny", rule: ShellRule, reason: string): Judged {
  return { decision, by: "rule", rule: rule.text, ...(rule.file !== undefined && { file: rule.file }), reason };
}

function allowedBy({ text, file }: ShellRule, by: "rule" | "grant"): Judged {
  return { decision: "allow", by, rule: text, ...(file !== undefined && { file }), reason: `The rule ${text} allows it` };
}
