// Which rule allows a simple command, if any does.
import { handsCode, sameLanguage } from "../tables/inline-code.ts";
import { isConfigured } from "../uses/git-repositories.ts";
import { type Hazard, runsFile, type SimpleCommand } from "../words/analysis.ts";
import { type BashPattern, covers, isExactly } from "./bash-pattern.ts";
import { allowedBy, type Judged, type ShellQuestion, type ShellRule } from "./shell-rule.ts";

/** A rule for exactly this simple command, or for one that it is a part of. */
export function exactRule(command: SimpleCommand, { rules }: ShellQuestion): Judged | undefined {
  let one: SimpleCommand | undefined = command;
  while (one) {
    const { text, unclear, words } = one;
    // With values that come from elsewhere in the text it would be another command than the one that the rule was written for.
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

/** A rule that covers the command as it is; what a wildcard cannot cover, it does not. */
export function allowRule(command: SimpleCommand, { rules, remotes }: ShellQuestion): Judged | undefined {
  const hazards = uncovered(command, remotes);
  const covering = ({ pattern }: ShellRule) => {
    const spelled = spelledFor(pattern, command);
    if (spelled === undefined) return coversCode(pattern, command, hazards);
    return pattern.kind === "exact" || hazards.every((hazard) => isSpelledOut(hazard, spelled, command));
  };
  const rule = rules.allow.find(covering);
  if (rule) return allowedBy(rule, "rule");
  const grant = rules.grants.find(covering);
  return grant && allowedBy(grant, "grant");
}

/** `Bash(python -c *)` is about code of that language: `python3 - <<EOF` hands over no more and no less. */
function coversCode(pattern: BashPattern, { words }: SimpleCommand, hazards: Hazard[]): boolean {
  if (pattern.kind !== "words" || hazards.length === 0 || !hazards.every(({ code }) => code)) return false;
  const [program = "", ...rest] = pattern.words;
  return rest.length > 0 && rest.every((word) => handsCode(program, word)) && sameLanguage(program, words[0]?.value);
}

/** What a wildcard does not cover. */
function uncovered({ hazards, repositories }: SimpleCommand, remotes: ShellQuestion["remotes"]): Hazard[] {
  return repositories.length === 0 ? hazards : [...hazards, ...repositories.filter((each) => !isConfigured(each, remotes))];
}

/** How many of its words a rule spells out. `Bash(npx tsc:*)` spells out the first word of what npx runs. */
function spelledFor(pattern: BashPattern, command: SimpleCommand): number | undefined {
  const own = covers(pattern, command);
  if (own !== undefined || command.parent === undefined || command.offset === undefined) return own;
  const { parent } = command;
  const outer = spelledFor(pattern, parent);
  if (outer === undefined) return undefined;
  return outer > command.offset || parent.coversChildren ? Math.max(outer - command.offset, 0) : undefined;
}

/** A rule that names the dangerous word, and for an option what follows it too, was written with it in mind. */
function isSpelledOut({ at, option, exactOnly, code }: Hazard, spelled: number, { words }: SimpleCommand): boolean {
  return !exactOnly && spelled > at + (option && !(code && at > 0) && !words[at]?.value?.includes("=") ? 1 : 0);
}

/** The reason says what is between the command and a rule that is near. */
export function notAllowed(command: SimpleCommand, { rules, remotes }: ShellQuestion): Judged {
  const ask = (reason: string): Judged => ({ decision: "ask", by: "default", reason });
  const near = [...rules.allow, ...rules.grants].some(({ pattern }) => spelledFor(pattern, command) !== undefined);
  const [hazard] = uncovered(command, remotes);
  if (near && hazard) return ask(`Rules with a wildcard do not cover that ${hazard.does}`);
  return ask("No rule allows it");
}
