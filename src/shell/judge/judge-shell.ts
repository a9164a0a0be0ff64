// One verdict for a whole command: each simple command is judged, and the strictest result wins.
import { actsAsPerson, mentions, namesUs } from "../uses/mentions.ts";
import type { Analysis, SimpleCommand, Word } from "../words/analysis.ts";
import { isExactly, looseWords, spans } from "./bash-pattern.ts";
import { judgePart, modeVerdict, type ShellQuestion, type ShellRule } from "./judge-part.ts";
import { allowed, asked, builtInAsk, denied, inOrder, openAsk, refusal, type Verdict } from "./verdict.ts";

/** One simple command that can run, and its verdict. */
export type ShellPart = { text: string; where: string } & Pick<Verdict, "decision" | "harmless">;

export function judgeShell(question: ShellQuestion): Verdict & { parts: ShellPart[] } {
  const { analysis, rules, mode } = question;
  const limit = question.limit ?? actingAsPerson(analysis);
  const judged = limit ? [] : judgeParts(question);
  const verdict = inOrder({
    deny: () => limit ?? judged.find(({ decision }) => decision === "deny") ?? textDeny(question),
    insist: () => question.insists,
    grant: () => allowed(wholeRule(rules.grants, analysis), "grant"),
    ask: () => judged.find(({ decision, by }) => decision === "ask" && by !== "default") ?? unclearAsk(question),
    allow: () => (mode === "plan" ? undefined : allowed(wholeRule(rules.allow, analysis), "rule")),
    otherwise: () =>
      judged.find(({ decision }) => decision === "ask") ??
      judged.find(({ harmless }) => !harmless) ??
      judged[0] ??
      openAsk("No rule allows it"),
  });
  const parts = analysis.commands.map(({ text, where }, at): ShellPart => {
    const { decision, harmless } = judged[at] ?? verdict;
    return { text, where, decision, ...(harmless && { harmless }) };
  });
  const { harmless: _, ...whole } = verdict;
  return { ...whole, parts };
}

/** Judges a repeated command only once. */
function judgeParts(question: ShellQuestion): Verdict[] {
  const known = new Map<SimpleCommand, Verdict>();
  return question.analysis.commands.map((command) => {
    const judged = known.get(command) ?? judgePart(command, question);
    known.set(command, judged);
    return judged;
  });
}

/** Compared as the shell would expand them; the raw text is searched only if the command is unclear. */
function actingAsPerson({ text, commands, unclear }: Analysis): Verdict | undefined {
  const isUnclear = unclear !== undefined || commands.some((command) => command.unclear !== undefined);
  const speaks = (words: Word[]) =>
    words.some(({ value }) => value !== undefined && namesUs(value)) && actsAsPerson(words.map(({ value }) => value ?? "").join(" "));
  return (isUnclear && actsAsPerson(text)) || commands.some(({ words, possibleCommands }) => speaks(words) || possibleCommands.some(speaks))
    ? refusal("Agents may not run commands that answer, assign or write in the name of the user or of another agent")
    : undefined;
}

/** Applies deny rules that span several simple commands, and searches a text that cannot be parsed for the words of deny rules. */
function textDeny({ analysis, rules }: ShellQuestion): Verdict | undefined {
  const spanning = denied(rules.deny.find(({ pattern }) => spans(pattern, analysis.text)));
  return spanning ?? denied(mentioned(rules.deny, analysis), ({ text }) => `The rule ${text} may deny a part of it, ${notParsed}`);
}

function unclearAsk({ analysis, rules, mode }: ShellQuestion): Verdict | undefined {
  if (analysis.unclear === undefined) return undefined;
  const rule = asked(mentioned(rules.ask, analysis), ({ text }) => `The rule ${text} may ask for a part of it, ${notParsed}`);
  if (rule) return rule;
  if (mode === "plan" || (mode === "bypassPermissions" && rules.deny.length + rules.ask.length === 0)) return modeVerdict(mode);
  return wholeRule(rules.allow, analysis) ? undefined : builtInAsk(`It needs permission because ${analysis.unclear}`);
}

const notParsed = "and the command cannot be parsed with certainty";

/** The first rule with words that a text which cannot be parsed contains. */
function mentioned(rules: ShellRule[], { text, unclear }: Analysis): ShellRule | undefined {
  if (unclear === undefined) return undefined;
  return rules.find(({ pattern }) => {
    const words = looseWords(pattern);
    return words !== undefined && (words.length === 0 || mentions(text, words));
  });
}

/** If the shell expands a `*` of the text, a rule with the same `*` is not an exact rule for it. */
function wholeRule(rules: ShellRule[], { text, commands, unclear }: Analysis): ShellRule | undefined {
  const known = unclear === undefined && commands.every(({ words }) => words.every(({ pattern }) => pattern === undefined));
  const trimmed = text.trim();
  return rules.find(({ pattern }) => isExactly(pattern, { text: trimmed, known: pattern.kind === "exact" || known }));
}
