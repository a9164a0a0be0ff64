// One verdict for a whole command: each simple command is judged, and the strictest result wins.
import type { Analysis, SimpleCommand, Word } from "../words/analysis.ts";
import { nameOf } from "../words/invocation.ts";
import { isExactly, looseWords, spans } from "./bash-pattern.ts";
import { judgePart, modeVerdict, type ShellQuestion, type ShellRule } from "./judge-part.ts";
import { allowed, asked, builtInAsk, denied, inOrder, openAsk, refusal, type Verdict } from "./verdict.ts";

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
    words.some(({ value }) => value !== undefined && named.test(value)) && actsAsPerson(words.map(({ value }) => value ?? "").join(" "));
  return (isUnclear && actsAsPerson(text)) || commands.some(({ words, possibleCommands }) => speaks(words) || possibleCommands.some(speaks))
    ? refusal("Agents may not run commands that answer, assign or write in the name of the user or of another agent")
    : undefined;
}

/** Applies deny rules that span several simple commands, and searches a text that cannot be parsed for the words of deny rules. */
function textDeny({ analysis, rules }: ShellQuestion): Verdict | undefined {
  const spanning = denied(rules.deny.find(({ pattern }) => spans(pattern, analysis.text)));
  return spanning ?? denied(mentioned(rules.deny, analysis), ({ text }) => `The rule ${text} may deny a part of it, ${notParsed}`);
}

function unclearAsk({ analysis, rules, mode, contained }: ShellQuestion): Verdict | undefined {
  if (analysis.unclear === undefined) return undefined;
  const rule = asked(mentioned(rules.ask, analysis), ({ text }) => `The rule ${text} may ask for a part of it, ${notParsed}`);
  if (rule) return rule;
  // What is hidden in it is in the sandbox as well, as what a script does.
  if (contained && analysis.commands.length > 0 && rules.deny.length + rules.ask.length === 0) return undefined;
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

/** Whether the words follow each other anywhere in the command; the first may end a path (`/bin/rm`). */
function mentions(command: string, words: string[]): boolean {
  const there = wordsIn(command);
  return there.some((_, at) => words.every((word, index) => (index === 0 ? nameOf(there[at]!) : there[at + index]) === word));
}

/** Whether it may be a command of this program that acts for the user or another agent. Such a command also refuses an agent by itself. */
function actsAsPerson(command: string): boolean {
  const there = wordsIn(command);
  return there.some(
    (word, at) => ["tool", "tool.js", "main.js"].includes(nameOf(word.slice(word.lastIndexOf("=") + 1))) && acts(there.slice(at + 1)),
  );
}

/** `tool` or `main.js`, with any quotes or backslashes between the letters: only such a word needs that check. */
const named = /t['"\\\n]*o['"\\\n]*o['"\\\n]*l|m['"\\\n]*a['"\\\n]*i['"\\\n]*n['"\\\n]*\.['"\\\n]*j/;

function acts(words: string[]): boolean {
  if (words.some((word) => rights.test(word))) return true;
  return words.some((word, at) => Object.hasOwn(acting, word) && words.slice(at + 1).some((next) => acting[word]!.includes(next)));
}

/** Arguments that start a session with more rights than its settings give. */
const rights = /^--(trust|dangerously[\w-]*)$|^(--permission-mode=)?bypassPermissions$/;

const acting: Record<string, string[]> = {
  team: ["answer", "task", "send", "exec", "stop", "create", "gc", "inbox", "attach"],
  permissions: ["add", "remove"],
  secrets: ["install-hook", "uninstall-hook"],
};

/** Removes quotes and backslashes, and splits at every character that is not part of a name. */
function wordsIn(command: string): string[] {
  return command
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/['"\\]/g, "")
    .split(/[^\w./@:=+%,-]+/)
    .filter(Boolean);
}
