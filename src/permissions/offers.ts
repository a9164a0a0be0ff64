// Which rules a person may be offered with a question: those that say what they mean, and that would have let this very call pass.
import type { LocatedCall } from "./call.ts";
import { decide } from "./decision.ts";
import type { Policy } from "./policy.ts";
import { parseRule, type Rule, showRule } from "./rules.ts";
import { visible } from "./visible.ts";

/** `always`: also as a rule of a settings file, which not everything can be lifted by. */
export type Offer = { text: string; always: boolean };

/** The narrowest first. Empty when no rule would help, so that nothing is promised that does not hold. */
export function offers(call: LocatedCall, suggestion: Rule | undefined, policy: Policy): Offer[] {
  if (!suggestion) return [];
  return [suggestion, ...wider(suggestion)].filter(saysWhatItMeans).flatMap((rule) => {
    const granted = { ...policy, grants: { ...policy.grants, rules: [...policy.grants.rules, rule] } };
    if (decide(call, granted).decision !== "allow") return [];
    const kept = { ...policy, allow: [...policy.allow, rule] };
    return [{ text: showRule(rule), always: decide(call, kept).decision === "allow" }];
  });
}

/** Text that is not all visible, or that is read back as another rule, is not what a person would be agreeing to. */
function saysWhatItMeans(rule: Rule): boolean {
  const text = showRule(rule);
  const back = parseRule(text);
  return visible(text) === text && back.ok && JSON.stringify(back.rule) === JSON.stringify(rule);
}

/** The same command of a program whose second word says what it does, with whatever follows. */
function wider(rule: Rule): Rule[] {
  if (rule.tool !== "Bash" || rule.kind !== "exact") return [];
  const words = rule.text.split(" ");
  const [program = "", verb = "", name] = words;
  const count = verb === "run" && name ? 3 : 2;
  if (!verbed.has(program) || words.length <= count || !words.slice(1, count).every((word) => /^[a-z][\w:.-]*$/.test(word))) return [];
  if (runsAnything.has(verb)) return [];
  return [{ tool: "Bash", kind: "words", words: words.slice(0, count) }];
}

const verbed = new Set(["git", "npm", "pnpm", "yarn", "cargo", "go", "gh", "kubectl"]);
const runsAnything = new Set(["exec", "x", "dlx", "config", "alias"]);
