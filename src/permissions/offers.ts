// Which rules a person may be offered with a question: those that say what they mean, and that would have let this very call pass.
import { dirname } from "node:path";
import type { LocatedCall } from "./call.ts";
import { decide } from "./decision.ts";
import { escapePattern } from "./path-rules.ts";
import type { Policy } from "./policy.ts";
import { parseRule, type Rule, saysWhatItMeans, showRule } from "./rules.ts";
import { visible } from "./visible.ts";

/** Rules that let the call pass together, with the text of each. `always`: also in a settings file, which not everything can be lifted by. */
export type Offer = { rules: Rule[]; texts: string[]; always: boolean };

/** The narrowest first. Empty when no rule would help, so that nothing is promised that does not hold. */
export function offers(call: LocatedCall, suggestion: Rule | undefined, policy: Policy): Offer[] {
  if (!suggestion) return [];
  return candidates(call, suggestion, policy)
    .filter(isPlain)
    .flatMap((rule) => {
      const granted = { ...policy, grants: { ...policy.grants, rules: [...policy.grants.rules, rule] } };
      if (decide(call, granted).decision !== "allow") return [];
      const written = { ...rule, scope: "local" as const };
      const kept = { ...policy, allow: [...policy.allow, written] };
      return [{ rules: [rule], texts: [showRule(rule)], always: decide(call, kept).decision === "allow" }];
    });
}

/** Text that is not all visible, or that is read back as another rule, is not what a person would be agreeing to. */
function isPlain(rule: Rule): boolean {
  const text = showRule(rule);
  return visible(text) === text && saysWhatItMeans(rule);
}

/** Exactly this, then what is wider. Each text once. */
function candidates({ subject }: LocatedCall, suggestion: Rule, { cwd }: Policy): Rule[] {
  switch (subject.kind) {
    case "command":
      return forCommand(subject.command.trim(), suggestion);
    case "path":
      return suggestion.kind === "any" && subject.access === "write" ? forWrite(subject.real, cwd) : [suggestion];
    case "host":
    case "agent":
    case "none":
    case "unclear":
      return [suggestion];
  }
}

/** The file, its folder, and every file: by Edit, which is every way to write. */
function forWrite(path: string, cwd: string): Rule[] {
  const folder = dirname(path);
  const below = folder === cwd ? undefined : parseRule(`Edit(/${escapePattern(folder)}/**)`);
  return [{ tool: "Edit", kind: "file", path }, ...(below?.ok ? [below.rule] : []), { tool: "Edit", kind: "any" }];
}

function forCommand(command: string, suggestion: Rule): Rule[] {
  // A star in a rule stands for more than itself.
  const parsed = command.includes("*") ? undefined : parseRule(`Bash(${command})`);
  const exact = parsed?.ok ? [parsed.rule] : [];
  const all = [...exact, suggestion, ...exact.flatMap(wider)];
  return all.filter((rule, index) => all.findIndex((other) => showRule(other) === showRule(rule)) === index);
}

/** The same command of a program whose second word says what it does, with whatever follows. */
function wider(rule: Rule): Rule[] {
  const command = /^Bash\(([^()]*)\)$/.exec(showRule(rule))?.[1] ?? "";
  const [program = "", ...words] = command.split(" ");
  const verbs = words[0] === "run" ? words.slice(0, 2) : words.slice(0, 1);
  const [verb = ""] = verbs;
  if (!verbed.has(program) || runsAnything.has(verb)) return [];
  if (words.length <= verbs.length || !verbs.every((word) => /^[a-z][\w.-]*$/.test(word))) return [];
  const parsed = parseRule(`Bash(${[program, ...verbs].join(" ")}:*)`);
  return parsed.ok ? [parsed.rule] : [];
}

const verbed = new Set(["git", "npm", "pnpm", "yarn", "cargo", "go", "gh", "kubectl"]);
const runsAnything = new Set(["exec", "x", "dlx", "config", "alias"]);
