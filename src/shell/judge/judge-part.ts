// Judges one simple command: deny rules, its files, ask rules, the mode, exact rules, allow rules.
import type { PermissionMode } from "../../permissions/policy.ts";
import { builtins } from "../uses/builtins.ts";
import { printsUnnamed, showsHidden } from "../uses/git-history.ts";
import { isGit } from "../uses/is-git.ts";
import { isKnownGit, leavesSandbox, losesFile } from "../uses/leaves-sandbox.ts";
import { effectsOf } from "../uses/marks.ts";
import { followsOf, givenNames, opensOf, readsLinks } from "../uses/opened-files.ts";
import type { Analysis, FileUse, SimpleCommand } from "../words/analysis.ts";
import { allowRule, exactRule, mayRunTree, notAllowed } from "./allow-rules.ts";
import { type Forbidding, forbids } from "./forbids.ts";
import { type FileRuling, type Judged, ruling, type ShellQuestion, type ShellRule } from "./shell-rule.ts";

export function judgePart(given: SimpleCommand, question: ShellQuestion): Judged {
  const { rules, mode, analysis } = question;
  const command = given.splits && question.maySplit?.(given, givenNames(given, analysis)) ? withUnknownWords(given) : given;
  const denied = ruleThat("yes", rules.deny, command);
  if (denied) return ruling("deny", denied, `The rule ${denied.text} denies it`);
  const files = command.files.length === 0 ? none : command.files.map((use) => judgeUse(use, question));
  const denies = files.find(({ decision }) => decision === "deny");
  if (denies) return denies;
  const asked = ruleThat("yes", rules.ask, command);
  if (asked) return ruling("ask", asked, `The rule ${asked.text} asks for it`);
  const possible = ruleThat("maybe", rules.deny, command) ?? ruleThat("maybe", rules.ask, command);
  if (possible) return ruling("ask", possible, `Whether the rule ${possible.text} applies is not known before it runs`);
  const asks = files.find(({ decision, by }) => decision === "ask" && by !== "default");
  if (asks) return asks;
  const shown = question.hiddenInGit && showsHidden(command, question.hiddenInGit, analysis);
  if (shown !== undefined) return { decision: "ask", by: "built-in", reason: shown };
  const moves = question.sharedTree ? whyItMovesTree(command) : undefined;
  if (moves !== undefined) return { decision: "ask", by: "built-in", reason: moves };
  const unasked = allowedUnasked(command, files, question);
  if (unasked?.decision === "allow") return unasked;
  const isUnclear = command.unclear !== undefined || analysis.unclear !== undefined;
  const mayBeNamed = isUnclear && rules.deny.length + rules.ask.length > 0;
  const contained = mayBeNamed ? undefined : question.contained; // what files it opens, the sandbox decides
  const leaves = contained && leavesSandbox(command, contained);
  if (contained && leaves === undefined && mode === "plan") return byContainment(contained);
  const moded = byMode(mode);
  const mayBeForbidden = mayBeNamed || (question.guarded && command.files.some(({ path }) => path === undefined));
  if (moded && !(moded.decision === "allow" && mayBeForbidden)) return moded;
  const exact = exactRule(command, question);
  if (question.gitRuns !== undefined && isGit(command) && exact?.by !== "grant")
    return { decision: "ask", by: "built-in", reason: gitFollows(question.gitRuns) };
  if (exact) return exact;
  if (contained && leaves === undefined) return byContainment(contained);
  if (command.unclear !== undefined) return { decision: "ask", by: "default", reason: `It needs permission because ${command.unclear}` };
  const open = files.find(({ decision, purpose }) => decision === "ask" && !purpose);
  if (open) return open;
  const through = question.unasked && goesThrough(command, { unasked: question.unasked, analysis }, readsLinks(command));
  if (through !== undefined) return { decision: "ask", by: "default", reason: through };
  const allowed = allowRule(command, question);
  if (allowed) return allowed;
  if (command.harmless) return { decision: "allow", by: "default", reason: "It changes nothing", harmless: "beside" };
  if (unasked) return unasked;
  return leaves === undefined ? notAllowed(command, question) : { decision: "ask", by: "default", reason: leaves };
}

const byContainment = ({ by, reason }: NonNullable<ShellQuestion["contained"]>): Judged => ({ decision: "allow", by, reason });

/** Allows a command that does nothing but use its files, if Read and Write may do the same to each of them without asking. */
function allowedUnasked(command: SimpleCommand, files: Judged[], question: ShellQuestion): Judged | undefined {
  const { unasked, analysis } = question;
  if (!unasked || files.some(({ decision }) => decision !== "allow")) return undefined;
  const mayFollow = (command.plainInside || command.followsTree) && mayRunTree(command, question);
  if (!command.plain && !(command.plainInside && unasked.isConfined) && !mayFollow) return undefined;
  if (unasked.gitRuns !== undefined && startsGit(command)) return undefined;
  const loses = removing.has(command.words[0]?.value ?? "") || (isGit(command) && effectsOf(command).has("loses its files"));
  if (loses && command.files.some((use) => losesFile(use, command) && !use.outputs && !(isKnown(use) && unasked.isKept(use))))
    return undefined;
  if (command.words[0]?.value === "ln" && !onlyLinks(command, analysis)) return undefined;
  const program = command.words[0]?.value;
  const isNamedThere = mayFollow && command.followsTree && program?.includes("/");
  if (program !== undefined && !builtins.has(program) && !isNamedThere && unasked.isWithin(program)) return undefined;
  const printed = isGit(command) ? printsUnnamed(command) : undefined;
  const [shown] = printed ? unasked.trackedBelow(printed.below) : [];
  if (shown !== undefined) return { decision: "ask", by: "default", reason: `It may print ${shown}, which needs permission to read` };
  const met = command.files.some(({ recursive, pattern }) => recursive || pattern) ? comesTo(command, unasked, analysis) : undefined;
  if (met !== undefined) return { decision: "ask", by: "default", reason: met };
  const changes = command.files.some(({ access, mention }) => access === "write" && !mention);
  const reason = changes ? "It only changes files, and each of them may be changed" : "It only reads";
  return { decision: "allow", by: "default", reason, ...(!changes && { harmless: "alone" }) };
}

/** go asks git about the tree, and pip does so for packages installed from a checkout. */
const startsGit = (command: SimpleCommand) => isGit(command) || /^(?:go|pip3?)$/.test(command.words[0]?.value ?? "");

/** A removed file must be recoverable. Emptying a file is judged as writing it. */
const removing = new Set(["rm", "unlink", "find"]);

/** Where a new link leads is not known to the other commands of the same text, so they may only show it, and name nothing behind it. */
function onlyLinks(link: SimpleCommand, { commands }: Analysis): boolean {
  const names = link.words.slice(-2).map(({ value = "" }) => `${value.replace(/\/+$/, "").split("/").at(-1)}/`);
  const isBefore = ({ path }: FileUse) => path !== undefined && names.every((name) => !path.includes(name));
  const showsIt = ({ words, files }: SimpleCommand) => showsLink.has(words[0]?.value ?? "") && files.every(isBefore);
  return commands.every((other) => other === link || other.files.length === 0 || showsIt(other));
}

const showsLink = new Set(["ls", "readlink", "mkdir"]);

/** The same command, with unknown words in it. */
function withUnknownWords(command: SimpleCommand): SimpleCommand {
  const unclear = "names with spaces in them become several words";
  return {
    ...command,
    unclear: command.unclear ?? unclear,
    files: [...command.files, { access: "read" }],
    plain: false,
    plainInside: false,
    followsTree: false,
    harmless: false,
  };
}

/** Names, as a sentence, a file or link that a search or glob would open although it needs a question. */
function comesTo(command: SimpleCommand, unasked: NonNullable<ShellQuestion["unasked"]>, analysis: Analysis): string | undefined {
  const link = goesThrough(command, { unasked, analysis });
  if (link !== undefined) return link;
  const opened = wideUses(command)
    .flatMap((use) => unasked.askedBelow(use))
    .find(opensOf(command, analysis));
  return opened === undefined ? undefined : `It may read ${opened}, which needs permission`;
}

type Unasked = { unasked: NonNullable<ShellQuestion["unasked"]>; analysis: Analysis };

/** Names, as a sentence, a link to a place that needs a question. */
function goesThrough(
  command: SimpleCommand,
  { unasked, analysis }: Unasked,
  counts: (use: FileUse) => boolean = () => true,
): string | undefined {
  const follows = followsOf(command, analysis);
  const given = givenNames(command, analysis); // a search goes into a folder whatever names it looks for
  const uses = wideUses(command).filter((use) => counts(use) && follows(use));
  const link = uses.flatMap((use) => unasked.linksBelow(use)).find(({ path }) => given(path));
  return link && `It may go through ${link.path}, which leads to ${link.target}`;
}

const wideUses = ({ files }: SimpleCommand) =>
  files.filter((use): use is FileUse & { path: string } => isKnown(use) && Boolean(use.recursive || use.pattern));

function whyItMovesTree(command: SimpleCommand): string | undefined {
  if (effectsOf(command).has("moves the tree"))
    return "It changes a working tree that others are working in, which always needs permission";
  if (!isGit(command) || isKnownGit(command)) return undefined;
  return "What this git command does is not known here, and it may change a working tree that others are working in";
}

const gitFollows = (what: string) => `This repository is not trusted, and without a sandbox git would follow ${what}`;

const none: (Judged & { purpose?: true })[] = [];

/** The first rule that applies with this certainty. */
function ruleThat(stands: Forbidding, rules: ShellRule[], command: SimpleCommand): ShellRule | undefined {
  return rules.length === 0 ? undefined : rules.find(({ pattern }) => forbids(pattern, command) === stands);
}

function judgeUse(use: FileUse, { judgeFile, isOpenBelow, guarded }: ShellQuestion): Judged & { purpose?: true } {
  if (!isKnown(use)) {
    const what = use.access === "write" ? "written" : "read";
    return { decision: "ask", by: "default", reason: `Which file is ${what} is not known before it runs` };
  }
  const judged = judgeFile(use);
  if (use.mention) return mentioned(judged, use);
  const isWhole = (use.recursive || use.pattern) && !(use.outputs && use.access === "write" && !guarded);
  if (judged.decision !== "deny" && isWhole && (judged.decision === "allow" || use.access === "write") && isOpenBelow?.(use))
    return { decision: "ask", by: "built-in", reason: `${use.path} ${use.access === "read" ? searched : taken}` };
  return use.purpose && judged.by === "default" ? { ...judged, purpose: true } : judged;
}

const searched = "contains files that rules restrict, and nothing hides them from the command";
const taken = "is changed with everything in it, and rules or built-in protections restrict some of that";

const isKnown = (use: FileUse): use is FileUse & { path: string } => use.path !== undefined;

function mentioned(judged: FileRuling, { access, mention, path }: FileUse): Judged {
  const isNamed = mention === "named";
  const forbidden = judged.by === "rule" && judged.decision !== "allow";
  const isProtected = judged.by === "built-in" && access === "write";
  const counts = isNamed ? judged.by !== "default" && judged.by !== "mode" : forbidden || isProtected;
  if (!counts) return { ...judged, decision: "allow" };
  if (isNamed || !forbidden) return judged;
  return { ...judged, decision: "ask", reason: `${path} may be a file that the rule ${judged.rule} covers` };
}

export const planReason = "In the mode plan nothing is changed, and a command runs only if it reads or stays in the sandbox";

/** The decision of a mode that needs no rules. */
export function byMode(mode: PermissionMode): Judged | undefined {
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
