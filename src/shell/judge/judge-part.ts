// Judges one simple command: the question, the rules that speak of commands, and which of them allows it.
import type { PermissionMode } from "../../permissions/policy.ts";
import { wrappers } from "../tables/wrappers.ts";
import { builtins } from "../uses/builtins.ts";
import { isGit } from "../uses/git-reach.ts";
import { type Containment, type IsKept, leavesSandbox, losesWork, whyStuck } from "../uses/leaves-sandbox.ts";
import { effectsOf, unknownGit } from "../uses/marks.ts";
import { type Analysis, type FileUse, runsFile, type SimpleCommand } from "../words/analysis.ts";
import { type BashPattern, covers, isExactly } from "./bash-pattern.ts";
import { type Forbidding, forbids } from "./forbids.ts";
import { allowed, asked, builtInAsk, denied, inOrder, openAsk, pass, type Verdict } from "./verdict.ts";

/** A rule about Bash from the settings: `text` as written, `file` where it is defined. */
export type ShellRule = { text: string; file?: string; pattern: BashPattern };

export type ShellQuestion = {
  analysis: Analysis;
  rules: { deny: ShellRule[]; ask: ShellRule[]; allow: ShellRule[]; grants: ShellRule[] };
  mode: PermissionMode;
  /** No command runs. */
  limit?: Verdict | undefined;
  /** It is asked about, whatever rules and grants say. */
  insists?: Verdict | undefined;
  /** Programs that git would start because the repository says so, if no sandbox confines them. */
  gitRuns?: string | undefined;
  trusted?: boolean;
  /** Rules or lines of .toolignore hide files here. */
  guarded?: boolean;
  /** The same where no sandbox hides them. */
  exposed?: boolean;
  sharedTree?: boolean | undefined;
  /** Whether the program of that name is in a place where agents or repositories can put programs. */
  isWithin?: (program: string) => boolean;
  /** Set if the sandbox is trusted to contain commands, so that all that stays inside is allowed. */
  contained?: Containment | undefined;
  isKept?: IsKept;
  judgeFile: (use: FileUse & { path: string }, command: SimpleCommand) => Verdict;
};

type Part = { command: SimpleCommand; files: Verdict[]; question: ShellQuestion };

export function judgePart(command: SimpleCommand, question: ShellQuestion): Verdict {
  const { deny, ask } = question.rules;
  const files = command.files.map((use) => judgeUse(use, command, question));
  const part = { command, files, question };
  return inOrder({
    deny: () => denied(ruleThat("yes", deny, command)) ?? files.find(({ decision }) => decision === "deny"),
    ask: () =>
      asked(ruleThat("yes", ask, command)) ??
      asked(ruleThat("maybe", deny, command) ?? ruleThat("maybe", ask, command), notKnown) ??
      files.find(({ decision, by }) => decision === "ask" && by !== "default") ??
      builtInAsk(whyItMovesTree(part) ?? whyStuck(command, question.contained?.overSsh)),
    mode: () => byMode(part),
    allow: () =>
      untrustedGit(part) ??
      exactRule(command, question.rules) ??
      contained(part) ??
      notClear(part) ??
      notNamed(part) ??
      allowRule(command, question.rules),
    otherwise: () => looking(part) ?? openAsk(whyItLeaves(part) ?? "No rule allows it"),
  });
}

/** The first rule that applies with this certainty. */
const ruleThat = (stands: Forbidding, rules: ShellRule[], command: SimpleCommand) =>
  rules.find(({ pattern }) => forbids(pattern, command) === stands);

const notKnown = ({ text }: { text: string }) => `Whether the rule ${text} applies is not known before it runs`;

function whyItMovesTree({ command, question }: Part): string | undefined {
  if (!question.sharedTree) return undefined;
  if (effectsOf(command).has("moves the tree"))
    return "It changes a working tree that others are working in, which always needs permission";
  const unknown = unknownGit(command);
  return unknown && `What ${unknown} does is not known here, and it may change a working tree that others are working in`;
}

/** In the mode plan a command runs if it only looks, or in the sandbox, where the tree is read-only then. */
function byMode(part: Part): Verdict | undefined {
  const { command, files, question } = part;
  if (question.mode === "plan") {
    const looksOnly = question.analysis.plain && command.looks === true && files.every(({ decision }) => decision === "allow");
    return looksOnly || staysIn(part) ? undefined : modeVerdict("plan");
  }
  const isUnknown = question.guarded === true && command.files.some(({ path }) => path === undefined);
  return mayBeNamed(part) || isUnknown ? undefined : modeVerdict(question.mode);
}

/** The verdict of a mode that needs no rules. */
export function modeVerdict(mode: PermissionMode): Verdict | undefined {
  if (mode === "plan") return { decision: "deny", by: "mode", reason: planReason };
  return mode === "bypassPermissions" ? { decision: "allow", by: "mode", reason: "The mode bypassPermissions allows it" } : undefined;
}

export const planReason = "In plan mode nothing is changed, and a command runs only if it reads or stays in the sandbox";

/** A command that is not seen through may be one that rules name. */
const mayBeNamed = ({ command, question: { analysis, rules } }: Part) =>
  (command.unclear !== undefined || analysis.unclear !== undefined) && rules.deny.length + rules.ask.length > 0;

/** A rule for exactly this git command does not trust the repository that makes it start programs; a person's grant does. */
function untrustedGit({ command, question: { gitRuns, trusted, rules } }: Part): Verdict | undefined {
  if (gitRuns === undefined || trusted || !isGit(command) || exactRule(command, rules)?.by === "grant") return undefined;
  return builtInAsk(`This repository is not trusted, and without a sandbox git would follow ${gitRuns}`);
}

const whyItLeaves = ({ command, question: { contained: by, mode, isKept = () => undefined } }: Part) =>
  by ? leavesSandbox(command, by, mode === "plan" ? "read-only" : isKept) : losesWork(command, isKept);

/** The sandbox that it does not leave. */
const staysIn = (part: Part) => (mayBeNamed(part) || whyItLeaves(part) !== undefined ? undefined : part.question.contained);

/** What files a program opens, the sandbox decides; those that are named outside are asked for. */
function contained(part: Part): Verdict | undefined {
  const { command, files } = part;
  const sandbox = staysIn(part);
  const isOpen = files.every(({ decision }, at) => {
    const { path, access } = command.files[at]!;
    return decision === "allow" || path === undefined || access === "write";
  });
  return isOpen && sandbox ? { decision: "allow", by: sandbox.by, reason: sandbox.reason } : undefined;
}

/** What no wildcard covers: a command that is not seen through, and a file that is to be asked about. */
const notClear = ({ command, files }: Part): Verdict | undefined =>
  openAsk(command.unclear && `It needs permission because ${command.unclear}`) ??
  files.find(({ decision }, at) => decision === "ask" && !command.files[at]!.purpose);

/** Under a rule, a program may not be told to read or write a file that nothing but another rule keeps from it. */
const notNamed = ({ command, question }: Part): Verdict | undefined =>
  question.exposed && command.files.some(({ path }) => path === undefined)
    ? openAsk("Which files it names is not known before it runs, and rules restrict some")
    : undefined;

/** A command that only looks, or changes files that may be changed, by a program that neither agents nor repositories can put there. */
function looking(part: Part): Verdict | undefined {
  const { command, files, question } = part;
  const { isWithin, gitRuns, mode, isKept = () => undefined } = question;
  const program = command.words[0]?.value;
  const isForeign = program !== undefined && (!builtins.has(program) || command.isRun) && isWithin?.(program) === true;
  if (!command.looks || isForeign) return undefined;
  if (files.some(({ decision }) => decision !== "allow") || (gitRuns !== undefined && isGit(command))) return undefined;
  if (losesWork(command, isKept) !== undefined || (command.looks === "stages" && mode !== "acceptEdits")) return undefined;
  if (!question.analysis.plain) return openAsk("No rule allows it, and a part of it computes, defines or passes on values");
  const edits = command.looks === "stages" || command.files.some(({ access, mention }) => access === "write" && !mention);
  return edits ? pass("It only changes files, and each of them may be changed") : { ...pass("It only reads"), harmless: true };
}

function judgeUse(use: FileUse, command: SimpleCommand, { judgeFile, mode, contained: sandbox }: ShellQuestion): Verdict {
  const { path, access, mention } = use;
  if (path === undefined && mention) return pass("It may be no file");
  if (path === undefined) return openAsk(`Which file is ${access === "write" ? "written" : "read"} is not known before it runs`);
  const judged = judgeFile({ ...use, path }, command);
  const isReadOnly = mode === "plan" && sandbox && access === "write" && judged.by !== "rule";
  return isReadOnly ? pass("It is read-only in the sandbox") : judged;
}

type Allowing = Pick<ShellQuestion["rules"], "allow" | "grants">;

/** A rule with exactly this text, or with the text of a command that contains this one. */
function exactRule(command: SimpleCommand, rules: Allowing): Verdict | undefined {
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

/** A rule for the command, or for the one told to run it: `find` covers `find -exec`. One for a wrapper does not cover what it runs. */
function allowRule(command: SimpleCommand, rules: Allowing): Verdict | undefined {
  const runners: SimpleCommand[] = [];
  for (let one = command.isRun && command.parent; one; one = one.isRun && one.parent) if (!isLight(one)) runners.push(one);
  return firstOf([command, ...runners], rules, ({ pattern }, one) => covers(pattern, one) && (one === command || pattern.kind !== "mask"));
}

const isLight = ({ words }: SimpleCommand) => wrappers.get(words[0]?.value ?? "")?.light === true;

function firstOf(commands: SimpleCommand[], { allow, grants }: Allowing, fits: (rule: ShellRule, one: SimpleCommand) => boolean) {
  const findIn = (rules: ShellRule[]) => {
    for (const command of commands) {
      const rule = rules.find((one) => fits(one, command));
      if (rule) return rule;
    }
    return undefined;
  };
  return allowed(findIn(allow), "rule") ?? allowed(findIn(grants), "grant");
}
