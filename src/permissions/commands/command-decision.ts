// Decides whether a command may run: gives the rules about Bash and about files to the judge of shell commands.
import { basename, dirname, join } from "node:path";
import { type BashPattern, covers } from "../../shell/judge/bash-pattern.ts";
import { forbids as forbidsCommand } from "../../shell/judge/forbids.ts";
import type { ShellRule } from "../../shell/judge/judge-part.ts";
import { judgeShell, type ShellPart } from "../../shell/judge/judge-shell.ts";
import { builtInAsk, openAsk, pass, refusal, type Verdict } from "../../shell/judge/verdict.ts";
import { gitFolders, isGit } from "../../shell/uses/git-reach.ts";
import { effectsOf } from "../../shell/uses/marks.ts";
import { literalStart } from "../../shell/uses/pathspecs.ts";
import type { FileUse, SimpleCommand } from "../../shell/words/analysis.ts";
import { isOwn } from "../built-in.ts";
import { type Access, type At, type Call, locate, type Subject } from "../call.ts";
import type { RunPass } from "../grants.ts";
import type { Places } from "../paths/given-path.ts";
import { readGlob, standsFor } from "../paths/glob-meets.ts";
import { holdsSpecial, placeOf, within } from "../paths/places.ts";
import { placesInBoth } from "../paths/tree-copy.ts";
import { containedBy, type Policy } from "../policy.ts";
import { forbids, type Rule, showRule } from "../rules.ts";
import { isMadeBy, withMoved } from "./moved-files.ts";

type Command = Extract<Subject, { kind: "command" }>;
type JudgeFile = (access: Access, at: At, policy: Policy) => Verdict;
type Around = { insists: Verdict | undefined; judgeFile: JudgeFile };

export function judgeCommand(subject: Command, policy: Policy, { insists, judgeFile }: Around): Verdict & { parts: ShellPart[] } {
  const { deny, ask, allow, grants, mode, sandbox } = policy;
  const guarded = policy.ignore.file !== undefined || [...deny, ...ask].some(({ kind }) => kind === "path" || kind === "file");
  const isMade = isMadeBy(subject.analysis, subject.files);
  const reached = gitFolders(subject.analysis).flatMap((path) => subject.files.get(path) ?? []);
  const places = [policy.cwd, ...reached.flatMap(({ written, real }) => [written, real])]; // where git may work
  return judgeShell({
    analysis: withMoved(subject.analysis, subject.files, policy),
    rules: { deny: shellRules(deny), ask: shellRules(ask), allow: shellRules(allow), grants: shellRules(grants.rules) },
    mode,
    limit: refusal(sandbox.kind === "refused" ? refused(sandbox.why) : undefined),
    insists: builtInAsk(sandbox.kind === "lost" ? lost(sandbox.why) : undefined) ?? insists,
    gitRuns: sandbox.kind === "active" ? undefined : places.flatMap((place) => policy.gitRuns.get(place) ?? [])[0],
    trusted: policy.trusted,
    guarded,
    exposed: guarded && sandbox.kind !== "active",
    sharedTree: policy.sharedTree,
    isWithin: (program) => policy.programs?.(program, isMade) === "within",
    contained: containedBy(policy),
    isKept: (path) => subject.kept?.get(path),
    judgeFile: fileJudge(subject, policy, judgeFile),
  });
}

const refused = (why: string) => `No command runs, because sandbox.required is set and there is no sandbox: ${why}`;
const lost = (why: string) => `The sandbox is lost, and what commands left may run outside it now: ${why}`;

/** Whether the rules cover the command, ignoring its files: a part of it, and no other part does more than pass on what it is given. */
export function coversCommand(rules: Rule[], { analysis }: Command): boolean {
  const only = { deny: [], ask: [], allow: shellRules(rules), grants: [] };
  const { decision, parts } = judgeShell({ analysis, rules: only, mode: "default", judgeFile: () => open });
  const isFilter = (command: SimpleCommand) => command.files.length === 0 && !isGit(command);
  const isCovered = parts.every(({ harmless }, at) => !harmless || isFilter(analysis.commands[at]!));
  return decision === "allow" && isCovered && parts.some(({ harmless }) => !harmless);
}

/** Lets git set something in a repository, where rules of the person's own cover the command, and one of them names what git is to do. */
export function openedSettings(subject: Command, { allow, grants }: Policy): RunPass | undefined {
  const setting = subject.analysis.commands.filter(({ files }) => files.some(({ settings }) => settings));
  const own = setting.length === 0 ? [] : [...allow.filter(isOwn), ...grants.rules];
  const named = own.flatMap((rule) => (rule.kind === "command" && namesUse(rule.pattern) ? [rule.pattern] : []));
  const isOpen = setting.every((command) => named.some((pattern) => covers(pattern, command)));
  if (named.length === 0 || !isOpen || !coversCommand(own, subject)) return undefined;
  const said = setting.filter((command) => named.some((pattern) => pattern.kind === "exact" && covers(pattern, command)));
  const uses = setting.flatMap(({ files }) => files.filter(({ settings }) => settings));
  return { changes: { paths: uses.flatMap(({ path = "" }) => subject.files.get(path)?.real ?? []), words: wordsOf(said) } };
}

const namesUse = (pattern: BashPattern) => pattern.kind !== "any" && /^\w/.test(pattern.words[1] ?? "");
export const wordsOf = (commands: SimpleCommand[]) => commands.flatMap(({ words }) => words.flatMap(({ value = [] }) => value));

function shellRules(rules: (Rule & { file?: string; said?: string })[]): ShellRule[] {
  return rules.flatMap((rule): ShellRule[] => {
    if (rule.tool !== "Bash" || (rule.kind !== "any" && rule.kind !== "command")) return [];
    const pattern: BashPattern = rule.kind === "any" ? { kind: "any" } : rule.pattern;
    return [{ text: rule.said ?? showRule(rule), pattern, ...(rule.file !== undefined && { file: rule.file }) }];
  });
}

type Judge = (use: FileUse & { path: string }, command: SimpleCommand) => Verdict;

const open = pass("It is not known to be restricted");

function fileJudge(subject: Command, policy: Policy, judgeFile: JudgeFile): Judge {
  const anyFile: Policy = { ...policy, ownFiles: undefined }; // passing a file's name to a program does not change the file
  const known = new Map<SimpleCommand, ReturnType<typeof effectsOf>>();
  return (use, command) => {
    const at = subject.files.get(use.path);
    if (!at) return builtInAsk(`Where ${use.path.slice(0, 120)} leads cannot be determined`);
    const place = use.pattern ? { ...at, glob: readGlob(at.real) } : at;
    const effects = known.get(command) ?? effectsOf(command); // a long command names many files
    known.set(command, effects);
    const isPassed = use.mention && !(use.access === "write" && effects.has("loses its files"));
    const judged = judgeFile(use.access, place, isPassed ? anyFile : policy);
    const isOpened = judged.by === "built-in" && use.settings && openedSettings(subject, policy);
    const ruling = isOpened ? open : use.mention ? mentioned(judged, use, { at, policy }) : judged;
    if (ruling.decision === "deny") return ruling;
    const restricted = restrictedBelow(use, at, { command, effects, policy, judgeFile });
    return restricted && (ruling.decision === "allow" || restricted.by === "built-in") ? restricted : ruling;
  };
}

/** What a word means that the program may read or write as a file. */
function mentioned(judged: Verdict, { access, mention, path }: FileUse, { at, policy }: { at: At; policy: Policy }): Verdict {
  const isForbidden = judged.by === "rule" && judged.decision !== "allow";
  // Where a link is, the word is a path, whatever its name looks like.
  if (mention === "possible" && at.real === at.written)
    return isForbidden ? { ...judged, decision: "ask", reason: `${path} may be a file that the rule ${judged.rule} covers` } : open;
  if (isForbidden) return judged;
  if (access === "read") return judged.by === "default" && !isThere(at, policy) ? open : judged;
  const { inside, memory } = placeOf(at, policy);
  return judged.by === "built-in" || (judged.by === "limit" && (inside || memory)) ? judged : open;
}

/** Whether a word can be the path of something: it is there, or its folder is. */
function isThere({ real }: At, { isThere: there }: Policy): boolean {
  return !there || there(real) || (dirname(real) !== "/" && there(dirname(real)));
}

/** Whether it is or may become a folder: all but a file that is there. */
const mayBeFolder = ({ real, glob }: At, { isThere: there }: Policy) =>
  !there || glob !== undefined || !there(real) || there(join(real, "/"));

type Below = { command: SimpleCommand; effects: ReturnType<typeof effectsOf>; policy: Policy; judgeFile: JudgeFile };

/** Whether files that rules or their contents restrict are among those that a search, a glob or a folder takes in. */
function restrictedBelow(use: FileUse & { path: string }, at: At, { command, effects, policy, judgeFile }: Below): Verdict | undefined {
  const { access, pattern, mention } = use;
  const recursive = use.recursive && mayBeFolder(at, policy);
  const isMatched = recursive && pattern && mention !== undefined; // git's wildcards stand for slashes too
  const around = isMatched ? { ...at, real: literalStart(at.real) } : at;
  const isActive = policy.sandbox.kind === "active";
  const isTaken =
    (isMatched || (!isActive && ((use.purpose && recursive) || (mention !== undefined && command.looks !== true)))) &&
    isOpenBelow(around, policy, use.purpose || fills(command) || effects.has("deletes") ? "gone" : "named");
  const isReached =
    (recursive && !use.purpose && isOpenBelow(around, policy, "searched")) || (pattern && isOpenAmong(at.real, access, policy));
  if (isTaken || isReached) return builtInAsk(`${use.path} contains files that rules restrict, and nothing hides them from the command`);
  const isDotted = pattern && use.purpose === "replaces" && /^\.|^[*?]+$/.test(basename(at.real)); // as most protected names, or as all
  if (access === "write" && (isDotted || ((recursive || pattern || (mention === "named" && fills(command))) && holdsSpecial(at, policy))))
    return builtInAsk(`${use.path} may get files that run later or set rights, which no mode allows unasked`);
  if (!(recursive || pattern) || (mention && !command.looks && (recursive || !pattern)) || containedBy(policy)) return undefined;
  const reach = { access, pattern, recursive: recursive ? use.recursive : undefined, place: at.real };
  const isAsked = (path: string) => judgeFile(access, { written: path, real: path }, policy).decision !== "allow";
  const reached = reachedBelow(reach, policy.outliers, isAsked);
  return access === "write" ? builtInAsk(reached) : openAsk(reached);
}

/** Whether it puts files with the names that they have into a folder, or under another name. */
const fills = ({ words }: SimpleCommand) => words.some(({ value }) => filling.test(value ?? ""));

const filling = /(?:^|\/)(?:mv|cp|rsync|install|ln|read-tree|checkout-index)$/;

/** `named`: only a rule that names a place inside the folder counts. `gone`: also one for some of the files in it. */
type Taken = "searched" | "named" | "gone";

/** Whether rules restrict files below the folder or glob, existing or not. The sandbox hides denied files, and shows what is asked for. */
function isOpenBelow(at: At, { ask, deny, ignore, sandbox, copy }: Policy, taken: Taken): boolean {
  const folders = placesInBoth(at.real, copy);
  const reachesIt = (rule: Rule) => folders.some((folder) => reaches(rule, folder, taken));
  if (ask.some(reachesIt)) return true;
  return sandbox.kind !== "active" && ((taken === "searched" && ignore.file !== undefined) || deny.some(reachesIt));
}

/** The same for files that a glob could match. */
function isOpenAmong(path: string, access: Access, { ask, deny, ignore, sandbox, copy }: Policy): boolean {
  const globs = placesInBoth(path, copy).map(readGlob);
  const meets = (rule: Rule) => {
    if (access === "read" ? rule.tool !== "Read" : rule.tool !== "Edit" && rule.tool !== "Write") return false;
    return rule.kind === "path" && globs.some((one) => rule.meets(one) !== undefined);
  };
  return ask.some(meets) || (sandbox.kind !== "active" && (globs.some(ignore.mayHide) || deny.some(meets)));
}

const startOf = (rule: Rule) => (rule.kind === "file" ? rule.path : rule.kind === "path" ? rule.pattern.start : undefined);

function reaches(rule: Rule, folder: string, taken: Taken): boolean {
  const start = startOf(rule);
  if (start === undefined) return false;
  const isBelow = standsFor(readGlob(folder), start, { deeper: true });
  if (taken === "searched") return rule.tool === "Read" && (isBelow || within(start, folder));
  return isBelow && !(rule.kind === "path" && rule.pattern.loose) && (taken === "gone" || start !== folder);
}

/** True in doubt, as for a deny rule: a hook that guards must not be left out. Links on the disk are not followed. */
export async function concerns(rule: Rule, call: Pick<Call, "tool" | "input">, places: Places): Promise<boolean> {
  const located = await locate(call, places, async (path) => path);
  const { subject } = located;
  if (rule.kind !== "command") return subject.kind === "unclear" ? rule.tool === call.tool : forbids(rule, located);
  if (call.tool !== "Bash") return false;
  if (subject.kind !== "command" || subject.analysis.unclear !== undefined) return true;
  return subject.analysis.commands.some((command) => command.unclear !== undefined || forbidsCommand(rule.pattern, command) !== "no");
}

/** Real paths below the working directories. */
export type Outliers = {
  sensitive: string[];
  links: Link[];
  /** Whether it is in a folder of installed packages, where no search from above looks for them. `unread`: none is known there. */
  packages(path: string): "read" | "unread" | undefined;
};

type Link = { path: string; target: string };

/** `place`: the real path where it begins, with its glob characters. */
type Reach = Pick<FileUse, "access" | "pattern" | "recursive"> & { place: string };

/** Says that a search or a glob would come to a file that needs a question to be so used; undefined if it does not. */
function reachedBelow(reach: Reach, outliers: Policy["outliers"], isAsked: (path: string) => boolean): string | undefined {
  if (!outliers) return undefined;
  const { access, pattern, recursive, place } = reach;
  const found = outliers();
  if (!found) return `It may ${access} any file below ${place}, and there are too many to look through`;
  const isFollowed = pattern || recursive === "through links";
  const start = `${literalStart(place)}/`;
  const within = found.packages(start);
  if (isFollowed && within === "unread") return `It may go through links below ${start}, and nobody looks which are there`;
  const counts = (path: string) => within !== undefined || !recursive || found.packages(path) === undefined;
  const file = found.sensitive.find((path) => counts(path) && meets(reach, path) && isAsked(path));
  if (file !== undefined) return `It may ${access} ${file}, which needs permission`;
  const link = found.links.find(
    ({ path, target }) => isFollowed && counts(path) && leadsThrough(reach, path) && isAsked(join(target, behind(place, path))),
  );
  return link && `It may go through ${link.path}, which leads to ${link.target}`;
}

function meets({ pattern, recursive, place }: Reach, path: string): boolean {
  if (!pattern) return path === place || path.startsWith(place === "/" ? "/" : `${place}/`);
  return standsFor(readGlob(place), path, { deeper: recursive !== undefined });
}

/** The same for a link on the way to a file. */
const leadsThrough = (reach: Reach, path: string): boolean =>
  meets(reach, path) || standsFor(readGlob(reach.place).slice(0, path.split("/").length - 1), path, { deeper: false });

/** What the glob says of the way behind the link. */
const behind = (place: string, link: string) => place.split("/").slice(link.split("/").length).join("/");
