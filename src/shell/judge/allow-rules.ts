// Finds the rule that allows a simple command.
import { handsCode, sameLanguage } from "../tables/inline-code.ts";
import { followsSame, letsTreeRun } from "../tables/tree-runners.ts";
import { isConfigured } from "../uses/git-repositories.ts";
import { onlySaysVersion } from "../uses/says-version.ts";
import { type Hazard, runsFile, type SimpleCommand } from "../words/analysis.ts";
import { type BashPattern, covers, coversSpelling, isExactly, speaksOf } from "./bash-pattern.ts";
import { allowedBy, type Judged, type ShellQuestion, type ShellRule } from "./shell-rule.ts";

/** A rule with exactly this text, or with the text of a command that contains this one. */
export function exactRule(command: SimpleCommand, { rules }: ShellQuestion): Judged | undefined {
  let one: SimpleCommand | undefined = command;
  while (one) {
    const { text, unclear, words } = one;
    // A command whose words depend on other parts of the text may not be the one that the rule was written for.
    const exact = {
      text: text.trim(),
      known: (unclear === undefined || unclear === runsFile) && words.every(({ value }) => value !== undefined),
    };
    const isSame = ({ pattern }: ShellRule) => isExactly(pattern, exact);
    const rule = rules.allow.find(isSame);
    if (rule) return allowedBy(rule, "rule");
    const grant = rules.grants.find(isSame);
    if (grant) return allowedBy(grant, "grant");
    one = one.parent;
  }
  return undefined;
}

/** A rule that covers the command. A wildcard rule does not cover hazards that it does not spell out. */
export function allowRule(command: SimpleCommand, { rules, remotes }: ShellQuestion): Judged | undefined {
  const hazards = uncovered(command, remotes);
  const covering = ({ pattern }: ShellRule, spelled: number | undefined) => {
    if (spelled === undefined) return isInline(command) && coversCode(pattern, command, hazards);
    return pattern.kind === "exact" || hazards.every((hazard) => isSpelledOut(hazard, spelled, command));
  };
  const rule = rules.allow.find((one) => covering(one, spelledFor(one.pattern, command)));
  if (rule) return allowedBy(rule, "rule");
  const grant = rules.grants.find(
    (one) =>
      covering(one, spelledFor(one.pattern, command) ?? spelledOtherwise(one, command, rules)) ||
      (isScript(command) && coversCode(one.pattern, command, hazards)),
  );
  return grant && allowedBy(grant, "grant");
}

/** Whether its code is in its arguments, or on its standard input. */
const isInline = ({ words, hazards }: SimpleCommand) =>
  hazards.some(({ code }) => code) || words.some(({ value }) => handsCode(words[0]?.value ?? "", value));

/** Whether it runs a file of the tree: an answer that lets any code of that language run leaves nothing to ask. */
const isScript = ({ words }: SimpleCommand) => /^(?![-/~])(?!.*\.\.\/)[\w./-]+\.\w+$/.test(words[1]?.value ?? "");

/** An answer to a question is meant for the tool or script, in every spelling of which no rule says more. A written rule is its text. */
function spelledOtherwise({ pattern }: ShellRule, command: SimpleCommand, { deny, ask }: ShellQuestion["rules"]): number | undefined {
  const spelled = coversSpelling(pattern, command);
  return spelled === undefined || [...deny, ...ask].some((rule) => speaksOf(rule.pattern, command)) ? undefined : spelled;
}

/** `Bash(python -c *)` allows any Python code, so it covers `python3 - <<EOF` too. */
function coversCode(pattern: BashPattern, { words }: SimpleCommand, hazards: Hazard[]): boolean {
  if (pattern.kind !== "words" || !hazards.every(({ code }) => code)) return false;
  const [program = "", ...rest] = pattern.words;
  return rest.length > 0 && rest.every((word) => handsCode(program, word)) && sameLanguage(program, words[0]?.value);
}

/**
 * Whether a rule already lets code of the tree run that this program follows, or an answer lets a program look that follows the same: looking
 * does no more. For the version of a program, any code of the tree.
 */
export function mayRunTree({ words }: SimpleCommand, { rules }: ShellQuestion): boolean {
  const program = words[0]?.value;
  const isSame = onlySaysVersion(words);
  const isRule = ({ pattern }: ShellRule, says: (rule: string) => boolean) => pattern.kind === "words" && says(pattern.words.join(" "));
  return (
    [...rules.allow, ...rules.grants].some((one) => isRule(one, (rule) => letsTreeRun(rule, isSame ? undefined : program))) ||
    rules.grants.some((one) => isRule(one, (rule) => followsSame(rule, program)))
  );
}

/** What a wildcard rule does not cover. */
function uncovered({ hazards, repositories }: SimpleCommand, remotes: ShellQuestion["remotes"]): Hazard[] {
  return repositories.length === 0 ? hazards : [...hazards, ...repositories.filter((each) => !isConfigured(each, remotes))];
}

/** How many words of the command a rule spells out. `Bash(npx tsc:*)` spells out the first word of the command that npx runs. */
function spelledFor(pattern: BashPattern, command: SimpleCommand): number | undefined {
  const own = covers(pattern, command);
  if (own !== undefined || command.parent === undefined || command.offset === undefined) return own;
  const { parent } = command;
  const outer = spelledFor(pattern, parent);
  if (outer === undefined) return undefined;
  return outer > command.offset || parent.coversChildren ? Math.max(outer - command.offset, 0) : undefined;
}

/** A rule that spells out the dangerous word, and the value of a dangerous option, was written with that use in mind. */
function isSpelledOut({ at, option, exactOnly, code }: Hazard, spelled: number, { words }: SimpleCommand): boolean {
  return !exactOnly && spelled > at + (option && !(code && at > 0) && !words[at]?.value?.includes("=") ? 1 : 0);
}

/** If a rule nearly covers the command, the reason says which hazard is in the way. */
export function notAllowed(command: SimpleCommand, { rules, remotes }: ShellQuestion): Judged {
  const ask = (reason: string): Judged => ({ decision: "ask", by: "default", reason });
  const near = [...rules.allow, ...rules.grants].some(({ pattern }) => spelledFor(pattern, command) !== undefined);
  const [hazard] = uncovered(command, remotes);
  if (near && hazard) return ask(`A rule with a wildcard does not cover this use: ${hazard.does}`);
  return ask("No rule allows it");
}
