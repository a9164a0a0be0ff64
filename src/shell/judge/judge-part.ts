// Judges one simple command, in the order of precedence: deny, ask, what is always asked, the mode, allow, the default.
import type { PermissionMode } from "../../permissions/policy.ts";
import { builtins } from "../uses/builtins.ts";
import { isGit } from "../uses/is-git.ts";
import { isKnownGit, leavesSandbox } from "../uses/leaves-sandbox.ts";
import { effectsOf } from "../uses/marks.ts";
import type { FileUse, SimpleCommand } from "../words/analysis.ts";
import { type Allowing, allowRule, exactRule } from "./allow-rules.ts";
import { type Forbidding, forbids } from "./forbids.ts";
import { type Judged, ruling, type ShellQuestion, type ShellRule } from "./shell-rule.ts";

export function judgePart(command: SimpleCommand, question: ShellQuestion, rules: Allowing): Judged {
  const files = command.files.map((use) => judgeUse(use, command, question));
  return (
    denied(command, question, files) ??
    asked(command, question, files) ??
    byMode(command, question, files) ??
    exactly(command, question, rules) ??
    byContainment(command, question, files) ??
    unclear(command) ??
    files.find(({ decision }, at) => decision === "ask" && !command.files[at]!.purpose) ??
    allowRule(command, rules) ??
    byLooking(command, question, files) ?? { decision: "ask", by: "default", reason: whyAsked(command, question) }
  );
}

const ask = (by: "built-in" | "default", reason: string): Judged => ({ decision: "ask", by, reason });

function denied(command: SimpleCommand, { rules }: ShellQuestion, files: Judged[]): Judged | undefined {
  const rule = ruleThat("yes", rules.deny, command);
  if (rule) return ruling("deny", rule, `The rule ${rule.text} denies it`);
  return files.find(({ decision }) => decision === "deny");
}

/** By a rule, or by what no allow rule and no mode removes. */
function asked(command: SimpleCommand, { rules, sharedTree }: ShellQuestion, files: Judged[]): Judged | undefined {
  const rule = ruleThat("yes", rules.ask, command);
  if (rule) return ruling("ask", rule, `The rule ${rule.text} asks for it`);
  const possible = ruleThat("maybe", rules.deny, command) ?? ruleThat("maybe", rules.ask, command);
  if (possible) return ruling("ask", possible, `Whether the rule ${possible.text} applies is not known before it runs`);
  const moves = sharedTree ? whyItMovesTree(command) : undefined;
  return (
    files.find(({ decision, by }) => decision === "ask" && by !== "default") ?? (moves === undefined ? undefined : ask("built-in", moves))
  );
}

/** The first rule that applies with this certainty. */
const ruleThat = (stands: Forbidding, rules: ShellRule[], command: SimpleCommand) =>
  rules.find(({ pattern }) => forbids(pattern, command) === stands);

function whyItMovesTree(command: SimpleCommand): string | undefined {
  if (effectsOf(command).has("moves the tree"))
    return "It changes a working tree that others are working in, which always needs permission";
  if (!isGit(command) || isKnownGit(command)) return undefined;
  return "What this git command does is not known here, and it may change a working tree that others are working in";
}

/** In the mode plan a command runs if it only looks, or in the sandbox, where the tree is read-only then. */
function byMode(command: SimpleCommand, question: ShellQuestion, files: Judged[]): Judged | undefined {
  const { mode, guarded } = question;
  if (mode === "plan") {
    const isFree = files.every(({ decision }) => decision === "allow");
    return (command.looks && isFree) || byContainment(command, question, files) ? undefined : modeRuling(mode);
  }
  const isUnknown = guarded === true && command.files.some(({ path }) => path === undefined);
  return mayBeNamed(command, question) || isUnknown ? undefined : modeRuling(mode);
}

export const planReason = "In the mode plan nothing is changed, and a command runs only if it reads or stays in the sandbox";

/** The decision of a mode that needs no rules. */
export function modeRuling(mode: PermissionMode): Judged | undefined {
  switch (mode) {
    case "plan":
      return { decision: "deny", by: "mode", reason: planReason };
    case "bypassPermissions":
      return { decision: "allow", by: "mode", reason: "The mode bypassPermissions allows it" };
    case "default":
    case "acceptEdits":
    case "dontAsk":
      return undefined;
  }
}

/** A command that is not seen through may be one that rules name. */
const mayBeNamed = (command: SimpleCommand, { analysis, rules }: ShellQuestion) =>
  (command.unclear !== undefined || analysis.unclear !== undefined) && rules.deny.length + rules.ask.length > 0;

function exactly(command: SimpleCommand, { gitRuns, trusted }: ShellQuestion, rules: Allowing): Judged | undefined {
  const exact = exactRule(command, rules);
  if (gitRuns === undefined || trusted || !isGit(command) || exact?.by === "grant") return exact;
  return ask("built-in", `This repository is not trusted, and without a sandbox git would follow ${gitRuns}`);
}

const mayContain = (command: SimpleCommand, question: ShellQuestion) =>
  question.contained !== undefined && !mayBeNamed(command, question) && leavesSandbox(command, question.contained) === undefined;

/** What files a program opens, the sandbox decides; those that are named outside are asked for. */
function byContainment(command: SimpleCommand, question: ShellQuestion, files: Judged[]): Judged | undefined {
  const { contained } = question;
  const isOpen = files.every(({ decision }, at) => {
    const { path, access } = command.files[at]!;
    return decision === "allow" || path === undefined || access === "write";
  });
  return contained && isOpen && mayContain(command, question)
    ? { decision: "allow", by: contained.by, reason: contained.reason }
    : undefined;
}

const unclear = (command: SimpleCommand): Judged | undefined =>
  command.unclear === undefined ? undefined : ask("default", `It needs permission because ${command.unclear}`);

/** A command that only looks, or changes files that may be changed, by a program that neither agents nor repositories can put there. */
function byLooking(command: SimpleCommand, { isWithin, gitRuns }: ShellQuestion, files: Judged[]): Judged | undefined {
  const program = command.words[0]?.value;
  const isForeign = program !== undefined && !builtins.has(program) && isWithin?.(program) === true;
  if (!command.looks || isForeign || files.some(({ decision }) => decision !== "allow") || (gitRuns !== undefined && isGit(command)))
    return undefined;
  const edits = command.files.some(({ access, mention }) => access === "write" && !mention);
  return edits
    ? { decision: "allow", by: "default", reason: "It only changes files, and each of them may be changed" }
    : { decision: "allow", by: "default", reason: "It only reads", harmless: true };
}

const whyAsked = (command: SimpleCommand, { contained }: ShellQuestion) =>
  (contained && leavesSandbox(command, contained)) ?? "No rule allows it";

function judgeUse(use: FileUse, command: SimpleCommand, { judgeFile }: ShellQuestion): Judged {
  if (use.path === undefined && use.mention) return { decision: "allow", by: "default", reason: "It may be no file" };
  if (use.path === undefined)
    return ask("default", `Which file is ${use.access === "write" ? "written" : "read"} is not known before it runs`);
  return judgeFile({ ...use, path: use.path }, command);
}
