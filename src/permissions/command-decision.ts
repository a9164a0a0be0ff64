// Decides whether a command may run: gives the rules about Bash and about files to the judge of shell commands.
import { relative } from "node:path";
import type { BashPattern } from "../shell/judge/bash-pattern.ts";
import { judgeShell } from "../shell/judge/judge-shell.ts";
import { fitsMask } from "../shell/judge/mask.ts";
import type { FileRuling, ShellQuestion, ShellRule } from "../shell/judge/shell-rule.ts";
import { harmlessDevice } from "../shell/walk/redirections.ts";
import type { FileUse } from "../shell/words/analysis.ts";
import type { Access, At, Subject } from "./call.ts";
import { containedBy } from "./contained.ts";
import type { Decision } from "./decision.ts";
import { isSplitName, leadsThrough, meets, type Outliers, splitsInside } from "./outliers.ts";
import { type Glob, readGlob } from "./paths/glob-meets.ts";
import { placeOf } from "./paths/places.ts";
import { globsInBoth, inOtherTree } from "./paths/tree-copy.ts";
import type { Policy } from "./policy.ts";
import { type Rule, showRule } from "./rules.ts";

type Command = Extract<Subject, { kind: "command" }>;
export type JudgeFile = (access: Access, at: At, policy: Policy) => Decision;

export function judgeCommand(subject: Command, policy: Policy, judgeFile: JudgeFile): Decision {
  const { deny, ask, allow, grants, mode, sandbox } = policy;
  const anyFile: Policy = { ...policy, ownFiles: undefined }; // passing a file's name to a program does not change the file
  const rules = { deny: shellRules(deny), ask: shellRules(ask), allow: shellRules(allow), grants: shellRules(grants.rules) };
  // Inside the sandbox, programs that a repository makes git start do no harm.
  const gitRuns = sandbox.kind === "active" ? undefined : [...policy.gitRuns.values()][0];
  const guarded = policy.ignore.file !== undefined || [...deny, ...ask].some(({ kind }) => kind === "path" || kind === "file");
  const ruling = judgeShell({
    analysis: subject.analysis,
    rules,
    mode,
    gitRuns: policy.trusted ? undefined : gitRuns,
    unasked: {
      isWithin: (program) => policy.programs?.(program) === "within",
      isConfined: sandbox.kind === "active" && !policy.network && !policy.openSockets,
      gitRuns,
      ...lookedAt(subject, policy, judgeFile),
      trackedBelow: (places) => trackedBelow(subject, places, (path) => judgeFile("read", { written: path, real: path }, policy)),
      isKept: ({ path }) => subject.kept?.has(path) === true,
    },
    ...(policy.hiddenInGit && { hiddenInGit: policy.hiddenInGit }),
    remotes: policy.remotes,
    sharedTree: policy.sharedTree,
    ...containment(subject, policy),
    guarded,
    maySplit: splitting(subject, policy, guarded),
    judgeFile: once((use) => judgeUse(use, { subject, judge: (at) => judgeFile(use.access, at, use.mention ? anyFile : policy) })),
    isOpenBelow: (use) => {
      const at = subject.files.get(use.path);
      if (use.pattern && at && isOpenAmong(readGlob(at.real), use.access, policy)) return true;
      if (use.pattern && !use.recursive) return !at;
      return use.access === "write" ? holdsForbidden(at, policy) : isOpenBelow(at, policy);
    },
  });
  if (sandbox.kind === "refused") return { decision: "deny", by: "limit", reason: refused(sandbox.why), parts: ruling.parts };
  if (sandbox.kind === "lost" && ruling.decision !== "deny")
    return { decision: "ask", by: "built-in", reason: lost(sandbox.why), parts: ruling.parts };
  return ruling;
}

function containment({ files, kept }: Command, policy: Policy): Pick<ShellQuestion, "contained"> {
  const word = containedBy(policy);
  if (!word) return {};
  const isInside = ({ path }: { path: string }) => {
    const at = files.get(path);
    if (at === undefined) return false;
    const { inside, others } = placeOf(at, policy);
    return (inside && !others) || harmlessDevice.test(at.written);
  };
  return { contained: { ...word, proxied: policy.proxied, isInside, isKept: ({ path }) => kept?.has(path) === true } };
}

/** If there is too much to search, the wanted files may be anywhere. */
function lookedAt(
  subject: Command,
  policy: Policy,
  judgeFile: JudgeFile,
): Pick<NonNullable<ShellQuestion["unasked"]>, "askedBelow" | "linksBelow"> {
  let found: { asked: string[]; leading: Outliers["links"] } | "too much" | undefined;
  const isAsked = (path: string) => judgeFile("read", { written: path, real: path }, policy).decision !== "allow";
  const look = () => {
    const seen = policy.outliers?.();
    if (!seen) return "too much";
    return { asked: seen.sensitive.filter(isAsked), leading: seen.links.filter(({ target }) => isAsked(target)) };
  };
  const placeOfUse = (use: FileUse & { path: string }) => (use.mention || !policy.outliers ? undefined : subject.files.get(use.path)?.real);
  return {
    askedBelow: (use) => {
      const place = placeOfUse(use);
      if (place === undefined || use.access !== "read") return [];
      found ??= look();
      return found === "too much" ? [place] : found.asked.filter((path) => meets(use, place, path));
    },
    linksBelow: (use) => {
      const place = placeOfUse(use);
      if (place === undefined) return [];
      found ??= look();
      return found === "too much" ? [] : found.leading.filter(({ path }) => leadsThrough(use, place, path));
    },
  };
}

function trackedBelow({ tracked = [], files }: Command, places: string[], judge: (path: string) => Decision): string[] {
  const folders = places.map((place) => files.get(place)?.real);
  const isThere = (path: string) => folders.length === 0 || folders.some((folder) => folder === undefined || meets({}, folder, path));
  return tracked.filter((path) => isThere(path) && judge(path).decision !== "allow");
}

/** Whether one of the names may split into words that lead elsewhere, because such a file exists or the command creates it. */
function splitting({ files, analysis }: Command, policy: Policy, guarded: boolean): ShellQuestion["maySplit"] {
  let found: { all: Outliers["split"] | undefined; written: FileUse[]; isMade: boolean } | undefined;
  const look = () => {
    const written = analysis.commands.flatMap((command) => command.files.filter(({ access, mention }) => access === "write" && !mention));
    const isMade = written.some(({ path, pattern }) => path === undefined || (!pattern && path.split("/").some(isSplitName)));
    return { all: policy.outliers?.()?.split, written, isMade };
  };
  return ({ splits = [], files: own }, isGiven) => {
    if (!policy.outliers) return false;
    found ??= look();
    const { all, written, isMade } = found;
    if (!all || isMade || splits.some(({ path }) => path === undefined)) return true;
    const isStrict = guarded || own.some(({ access, mention }) => access === "write" && !mention);
    const places = splits.map((named) => ({ named, place: files.get(named.path!)?.real }));
    return all.some((entry) => {
      if ((!isStrict && splitsInside(entry)) || (entry.kind !== "folder" && !isGiven(entry.path))) return false;
      return written.length > 0 || places.some(({ named, place }) => place === undefined || leadsThrough(named, place, entry.path));
    });
  };
}

const refused = (why: string) => `No command runs, because sandbox.required is set and there is no sandbox: ${why}`;
const lost = (why: string) => `The sandbox is lost, and what commands left may run outside it now: ${why}`;

/** Whether the rules cover every part of the command, ignoring its files. */
export function coversCommand(rules: Rule[], { analysis }: Command): boolean {
  const open = (): FileRuling => ({ decision: "allow", by: "default", reason: "" });
  const only = { deny: [], ask: [], allow: shellRules(rules), grants: [] };
  return judgeShell({ analysis, rules: only, mode: "default", judgeFile: open }).decision === "allow";
}

function shellRules(rules: (Rule & { file?: string; said?: string })[]): ShellRule[] {
  return rules.flatMap((rule): ShellRule[] => {
    if (rule.tool !== "Bash" || (rule.kind !== "any" && rule.kind !== "command")) return [];
    const pattern: BashPattern = rule.kind === "any" ? { kind: "any" } : rule.pattern;
    return [{ text: rule.said ?? showRule(rule), pattern, ...(rule.file !== undefined && { file: rule.file }) }];
  });
}

/** Caches the ruling, because commands name the same file repeatedly. */
function once(judge: (use: FileUse & { path: string }) => FileRuling): (use: FileUse & { path: string }) => FileRuling {
  const known = new Map<string, FileRuling>();
  return (use) => {
    const key = `${use.access} ${use.pattern ?? false} ${use.mention !== undefined} ${use.path}`;
    const ruling = known.get(key) ?? judge(use);
    known.set(key, ruling);
    return ruling;
  };
}

function judgeUse(use: FileUse & { path: string }, { subject, judge }: { subject: Command; judge: (at: At) => Decision }): FileRuling {
  const at = subject.files.get(use.path);
  return at
    ? judge(use.pattern ? { ...at, glob: readGlob(at.real) } : at)
    : { decision: "ask", by: "limit", reason: `Where ${use.path.slice(0, 120)} leads cannot be determined` };
}

/**
 * Whether rules restrict files below the folder, whatever exists on the disk. The sandbox hides denied files, so a search does not find
 * them; files that need a question are visible in it.
 */
function isOpenBelow(at: At | undefined, { ask, deny, ignore, sandbox, copy }: Policy): boolean {
  if (!at) return true;
  const folders = [at.real, (copy && inOtherTree(at.real, copy)) ?? at.real];
  const reachesIt = (rule: Rule) => folders.some((folder) => reaches(rule, folder));
  if (ask.some(reachesIt)) return true;
  return sandbox.kind !== "active" && (ignore.file !== undefined || deny.some(reachesIt));
}

/** The same for files that a glob could match. */
function isOpenAmong(glob: Glob, access: Access, { ask, deny, ignore, sandbox, copy }: Policy): boolean {
  const globs = globsInBoth(glob, copy);
  const meets = (rule: Rule) => {
    if (access === "read" ? rule.tool !== "Read" : rule.tool !== "Edit" && rule.tool !== "Write") return false;
    return rule.kind === "path" && globs.some((one) => rule.meets(one) !== undefined);
  };
  return ask.some(meets) || (sandbox.kind !== "active" && (globs.some(ignore.mayHide) || deny.some(meets)));
}

/** Removing a folder, or changing the rights below it, affects everything in it. */
function holdsForbidden(at: At | undefined, policy: Policy): boolean {
  const { ask, deny, cwd, directories, copy } = policy;
  // Protected files below a working directory cannot be written in the sandbox.
  const own = containedBy(policy) ? [] : [cwd, ...directories];
  const written = [...deny, ...ask].flatMap(placeOfWritten);
  const places = [...own, ...written, ...written.flatMap((place) => (copy && inOtherTree(place, copy)) ?? [])];
  return !at || places.some((place) => mayHold(at.real.split("/"), place.split("/")));
}

/** Compares segment by segment; a star matches any name that does not begin with a dot. */
function mayHold(folder: string[], place: string[]): boolean {
  return folder.every((segment, at) => {
    const name = place[at];
    if (name === undefined) return segment === "";
    return (
      segment === name || (/[*?[]/.test(segment) && !name.startsWith(".") && fitsMask(segment.replaceAll(/\?|\[[^\]]*\]/g, "*"), name))
    );
  });
}

/** The folder of the files that the rule covers, if it names a place and not only file names. */
function placeOfWritten(rule: Rule): string[] {
  if (rule.tool !== "Edit" && rule.tool !== "Write") return [];
  if (rule.kind === "file") return [rule.path];
  return rule.kind === "path" && !rule.pattern.loose ? [rule.pattern.start] : [];
}

function reaches(rule: Rule, folder: string): boolean {
  if (rule.tool !== "Read" || (rule.kind !== "path" && rule.kind !== "file")) return false;
  const start = rule.kind === "file" ? rule.path : rule.pattern.start;
  return isBelow(start, folder) || isBelow(folder, start);
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../");
}
