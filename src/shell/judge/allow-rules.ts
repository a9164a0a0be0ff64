// Finds the rule that allows a simple command.
import { wrappers } from "../tables/wrappers.ts";
import { runsFile, type SimpleCommand } from "../words/analysis.ts";
import { covers, isExactly } from "./bash-pattern.ts";
import type { ShellQuestion, ShellRule } from "./shell-rule.ts";
import { allowed, type Verdict } from "./verdict.ts";

export type Allowing = Pick<ShellQuestion["rules"], "allow" | "grants">;

/** A rule with exactly this text, or with the text of a command that contains this one. */
export function exactRule(command: SimpleCommand, rules: Allowing): Verdict | undefined {
  for (let one: SimpleCommand | undefined = command; one; one = one.parent) {
    const { text, unclear, words } = one;
    // A command whose words depend on other parts of the text may not be the one that the rule was written for.
    const known = (unclear === undefined || unclear === runsFile) && words.every(({ value }) => value !== undefined);
    const exact = { text: text.trim(), known };
    const found = firstOf([one], rules, ({ pattern }) => isExactly(pattern, exact));
    if (found) return found;
  }
  return undefined;
}

/**
 * A rule that covers the command, or the command whose words say to run it: who allows `find` has allowed `find -exec`. A wrapper such as
 * `timeout` needs no rule, so one for it says nothing about what it runs.
 */
export function allowRule(command: SimpleCommand, rules: Allowing): Verdict | undefined {
  const runners: SimpleCommand[] = [];
  for (let one = command.isRun && command.parent; one; one = one.isRun && one.parent) if (!isLight(one)) runners.push(one);
  return firstOf([command, ...runners], rules, ({ pattern }, one) => covers(pattern, one) && (one === command || pattern.kind !== "mask"));
}

const isLight = ({ words }: SimpleCommand) => wrappers.get(words[0]?.value ?? "")?.light === true;

type Fits = (rule: ShellRule, command: SimpleCommand) => boolean;

function firstOf(commands: SimpleCommand[], { allow, grants }: Allowing, fits: Fits): Verdict | undefined {
  const findIn = (rules: ShellRule[]) => {
    for (const command of commands) {
      const rule = rules.find((one) => fits(one, command));
      if (rule) return rule;
    }
    return undefined;
  };
  return allowed(findIn(allow), "rule") ?? allowed(findIn(grants), "grant");
}
