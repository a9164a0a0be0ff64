// Finds the rule that allows a simple command.
import { wrappers } from "../tables/wrappers.ts";
import { runsFile, type SimpleCommand } from "../words/analysis.ts";
import { covers, isExactly } from "./bash-pattern.ts";
import { allowedBy, type Judged, type ShellQuestion, type ShellRule } from "./shell-rule.ts";

/** A rule with exactly this text, or with the text of a command that contains this one. */
export function exactRule(command: SimpleCommand, { rules }: ShellQuestion): Judged | undefined {
  for (let one: SimpleCommand | undefined = command; one; one = one.parent) {
    const { text, unclear, words } = one;
    // A command whose words depend on other parts of the text may not be the one that the rule was written for.
    const known = (unclear === undefined || unclear === runsFile) && words.every(({ value }) => value !== undefined);
    const exact = { text: text.trim(), known };
    const isSame = ({ pattern }: ShellRule) => isExactly(pattern, exact);
    const found = firstOf(rules, isSame);
    if (found) return found;
  }
  return undefined;
}

/**
 * A rule that covers the command, or the command whose words say to run it: who allows `find` has allowed `find -exec`. A wrapper such as
 * `timeout` needs no rule, so one for it says nothing about what it runs.
 */
export function allowRule(command: SimpleCommand, { rules }: ShellQuestion): Judged | undefined {
  const runners: SimpleCommand[] = [];
  for (let one = command.isRun && command.parent; one; one = one.isRun && one.parent) if (!isLight(one)) runners.push(one);
  return firstOf(
    rules,
    ({ pattern }) => covers(pattern, command) || (pattern.kind !== "mask" && runners.some((one) => covers(pattern, one))),
  );
}

const isLight = ({ words }: SimpleCommand) => wrappers.get(words[0]?.value ?? "")?.light === true;

function firstOf({ allow, grants }: ShellQuestion["rules"], fits: (rule: ShellRule) => boolean): Judged | undefined {
  const rule = allow.find(fits);
  if (rule) return allowedBy(rule, "rule");
  const grant = grants.find(fits);
  return grant && allowedBy(grant, "grant");
}
