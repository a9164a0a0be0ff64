// Which of the files that a command would take away can be had again, so that nothing is lost with them.

import { basename, relative } from "node:path";
import { isBuildOutput, isSureOutput } from "../shell/tables/build-outputs.ts";
import { printsUnnamed } from "../shell/uses/git-history.ts";
import { isGit } from "../shell/uses/is-git.ts";
import { effectsOf } from "../shell/uses/marks.ts";
import type { SimpleCommand } from "../shell/words/analysis.ts";
import type { At, LocatedCall } from "./call.ts";
import { containedBy } from "./contained.ts";
import { within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/**
 * Whether nothing is there, or git has it as it is, by absolute path; links are not followed. What is `ours` counts as if it were not there,
 * and so does what is an `output` that git ignores.
 */
export type KeptByGit = (
  path: string,
  counts?: { isOurs: (path: string) => boolean; isOutput: (path: string) => boolean },
) => Promise<boolean>;

/** The same call, with what was found out; it is looked for only where the answer counts. */
export async function withKept(call: LocatedCall, policy: Policy, keptByGit: KeptByGit | undefined): Promise<LocatedCall> {
  const { subject } = call;
  if (!keptByGit || subject.kind !== "command" || !(containedBy(policy) || policy.mode === "acceptEdits")) return call;
  const { commands } = subject.analysis;
  const losing = commands.filter((command) => effectsOf(command).has("loses its files"));
  const named = new Set(losing.flatMap(({ files }) => files.flatMap(({ path }) => (path === undefined ? [] : [path]))));
  const patterns = new Set(
    losing.flatMap(({ files }) => files.flatMap(({ path, pattern }) => (pattern && path !== undefined ? [path] : []))),
  );
  const kept = new Set<string>();
  const madeHere = await firstMade(subject, keptByGit);
  const counts = {
    isOurs: (path: string) => madeHere.has(path) || policy.made.has(path),
    isOutput: (path: string) => [policy.cwd, ...policy.directories].some((top) => within(top, path) && isBuildOutput(relative(top, path))),
  };
  for (const path of named) {
    const found = subject.files.get(path);
    const at = found && patterns.has(path) ? folderOf(found) : found;
    if (
      found &&
      at &&
      (isOfSession(found, policy) ||
        isMadeAgain(found, at, policy) ||
        ((await keptByGit(at.real, counts)) && (await keptByGit(at.written, counts))))
    )
      kept.add(path);
  }
  return { ...call, subject: { ...subject, kept } };
}

/** By a name that only tools give, in a folder that is known. */
function isMadeAgain(found: At, folder: At, { cwd, directories }: Policy): boolean {
  const isInside = [folder.real, folder.written].every((path) => [cwd, ...directories].some((top) => within(top, path)));
  return isInside && [found.real, found.written].every((path) => isSureOutput(basename(path)));
}

/** Where everything lies that a pattern of names in one folder stands for; undefined for any other pattern. */
function folderOf({ real, written }: At): At | undefined {
  const folder = (path: string) => /^([^*?[{\\]*)\/[^/]+$/.exec(path)?.[1];
  const [ofReal, ofWritten] = [folder(real), folder(written)];
  return ofReal && ofWritten ? { real: ofReal, written: ofWritten } : undefined;
}

/** What the command itself makes before it removes anything, where nothing stood before or git has that. */
async function firstMade(subject: Extract<LocatedCall["subject"], { kind: "command" }>, keptByGit: KeptByGit): Promise<Set<string>> {
  const { commands } = subject.analysis;
  const first = commands.findIndex((command) => effectsOf(command).has("loses its files"));
  const made = new Set<string>();
  for (const { real, written } of writtenBy(commands.slice(0, first), subject.files))
    if (real === written && (await keptByGit(real))) made.add(real);
  return made;
}

/** Which of the files below a folder are under version control. */
export type Tracked = (folder: string, paths: string[]) => Promise<string[]>;

/** The same call, with the files that git might print without their names being said. */
export async function withTracked(call: LocatedCall, policy: Policy, tracked: Tracked | undefined): Promise<LocatedCall> {
  const { subject } = call;
  if (!tracked || subject.kind !== "command" || !subject.analysis.commands.some((one) => isGit(one) && printsUnnamed(one))) return call;
  const sensitive = policy.outliers?.()?.sensitive ?? [];
  const folders = [policy.cwd, ...policy.directories];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const below = sensitive.filter((path) => within(folder, path));
      return below.length > 0 ? tracked(folder, below) : [];
    }),
  );
  return { ...call, subject: { ...subject, tracked: found.flat() } };
}

/** Called before an allowed call runs: what was not there, or as git has it, is this session's own from now on. */
export async function noteMade({ subject }: LocatedCall, policy: Policy, keptByGit: KeptByGit | undefined): Promise<void> {
  if (!keptByGit || policy.mode !== "acceptEdits") return;
  const written =
    subject.kind === "path" && subject.access === "write"
      ? [subject]
      : subject.kind === "command"
        ? writtenBy(subject.analysis.commands, subject.files)
        : [];
  for (const { real, written: name } of written)
    if (real === name && !policy.made.has(real) && (await keptByGit(real))) policy.made.note(real);
}

function writtenBy(commands: SimpleCommand[], files: ReadonlyMap<string, At>): At[] {
  const uses = commands.flatMap((command) => command.files);
  return uses.flatMap(({ access, path, pattern, mention }) => {
    const at = path === undefined || access !== "write" || pattern || mention ? undefined : files.get(path);
    return at ? [at] : [];
  });
}

/** Where its temporary files are: in the sandbox that folder is called /tmp, begins empty, and nobody but this session sees it. */
function isOfSession({ real, written }: At, { cwd, directories, temporary, sandbox }: Policy): boolean {
  const isOwn = (path: string) => temporary !== undefined && path !== temporary && within(temporary, path);
  const isScratch = (path: string) =>
    sandbox.kind === "active" &&
    path !== "/tmp" &&
    within("/tmp", path) &&
    ![cwd, ...directories].some((folder) => within(folder, path) || within(path, folder));
  return [real, written].every((path) => isOwn(path) || isScratch(path));
}
