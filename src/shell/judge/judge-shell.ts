// One decision for a whole command: each simple command is judged, and the strictest result wins.

import { actsAsPerson, mentions, namesUs } from "../uses/mentions.ts";
import type { Analysis, SimpleCommand, Word } from "../words/analysis.ts";
import { byProgram } from "./allow-rules.ts";
import { isExactly, looseWords, spans } from "./bash-pattern.ts";
import { judgePart, modeRuling } from "./judge-part.ts";
import { allowedBy, type By, type Judged, type Ruling, ruling, type ShellQuestion, type ShellRule } from "./shell-rule.ts";

/** `harmless`: it passes because it changes nothing, not because of a rule. */
export type ShellPart = { text: string; where: string; decision: Ruling; harmless?: true };

export type ShellRuling = {
  decision: Ruling;
  by: By;
  /** The rule that decided, as written, and the settings file that contains it. */
  rule?: string;
  file?: string;
  /** One sentence, without its full stop. */
  reason: string;
  /** Every simple command that can run. */
  parts: ShellPart[];
};

/**
 * Checks in order: deny, the user's grant for exactly this text, ask, files, mode, allow; otherwise it asks. In the mode dontAsk the caller
 * refuses instead of asking.
 */
export function judgeShell(question: ShellQuestion): ShellRuling {
  const { analysis, rules } = question;
  const limit = fixedLimit(analysis);
  const judged = judgeParts(question);
  const parts = analysis.commands.map(({ text, where }, index): ShellPart => {
    if (limit) return { text, where, decision: "deny" };
    const { decision, harmless } = judged[index]!;
    return { text, where, decision, ...(harmless && { harmless: true }) };
  });
  const finish = (one: Judged): ShellRuling => {
    const { harmless: _, ...ruling } = one;
    return { ...ruling, parts };
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
  const deciding = judged.find(({ harmless }) => !harmless) ?? judged[0];
  return finish(deciding ?? { decision: "ask", by: "default", reason: "No rule allows it" });
}

/** Judges a repeated command only once. */
function judgeParts(question: ShellQuestion): Judged[] {
  const known = new Map<SimpleCommand, Judged>();
  const allowing = { allow: byProgram(question.rules.allow), grants: byProgram(question.rules.grants) };
  return question.analysis.commands.map((command) => {
    const judged = known.get(command) ?? judgePart(command, question, allowing);
    known.set(command, judged);
    return judged;
  });
}

/** Compared as the shell would expand them; the raw text is searched only if the command is unclear. */
function fixedLimit({ text, commands, unclear }: Analysis): Judged | undefined {
  const isUnclear = unclear !== undefined || commands.some((command) => command.unclear !== undefined);
  const speaks = (words: Word[]) =>
    words.some(({ value }) => value !== undefined && namesUs(value)) && actsAsPerson(words.map(({ value }) => value ?? "").join(" "));
  return (isUnclear && actsAsPerson(text)) || commands.some(({ words, possibleCommands }) => [words, ...possibleCommands].some(speaks))
    ? {
        decision: "deny",
        by: "limit",
        reason: "Agents may not run commands that answer, assign or write in the name of the user or of another agent",
      }
    : undefined;
}

/** Applies deny rules that span several simple commands, and searches a text that cannot be parsed for the words of deny rules. */
function textDeny({ analysis, rules }: ShellQuestion): Judged | undefined {
  const spanning = rules.deny.find(({ pattern }) => spans(pattern, analysis.text));
  if (spanning) return ruling("deny", spanning, `The rule ${spanning.text} denies it`);
  if (analysis.unclear === undefined) return undefined;
  const rule = rules.deny.find((each) => isMentioned(each, analysis.text));
  return rule && ruling("deny", rule, `The rule ${rule.text} may deny a part of it, and the command cannot be parsed with certainty`);
}

function unclearAsk({ analysis, rules, mode }: ShellQuestion): Judged | undefined {
  if (analysis.unclear === undefined) return undefined;
  const rule = rules.ask.find((each) => isMentioned(each, analysis.text));
  if (rule) return ruling("ask", rule, `The rule ${rule.text} may ask for a part of it, and the command cannot be parsed with certainty`);
  if (mode === "plan" || (mode === "bypassPermissions" && rules.deny.length + rules.ask.length === 0)) return modeRuling(mode);
  return wholeRule(rules.allow, analysis)
    ? undefined
    : { decision: "ask", by: "built-in", reason: `It needs permission because ${analysis.unclear}` };
}

function isMentioned({ pattern }: ShellRule, text: string): boolean {
  const words = looseWords(pattern);
  return words !== undefined && (words.length === 0 || mentions(text, words));
}

/** If the shell expands a `*` of the text, a rule with the same `*` is not an exact rule for it. */
function wholeRule(rules: ShellRule[], { text, commands, unclear }: Analysis): ShellRule | undefined {
  const known = unclear === undefined && commands.every(({ words }) => words.every(({ pattern }) => pattern === undefined));
  const trimmed = text.trim();
  return rules.find(({ pattern }) => isExactly(pattern, { text: trimmed, known: pattern.kind === "exact" || known }));
}
