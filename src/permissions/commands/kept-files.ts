// Which files that a command would remove or replace can be recovered, so that nothing is lost.
import { join } from "node:path";
import { lostBy } from "../../shell/uses/leaves-sandbox.ts";
import { effectsOf } from "../../shell/uses/marks.ts";
import type { FileUse, SimpleCommand } from "../../shell/words/analysis.ts";
import type { At, LocatedCall } from "../call.ts";
import { within } from "../paths/places.ts";
import type { Policy } from "../policy.ts";

/** Whether no file is there, or git has stored this version, by absolute path; links are not followed. What is ours, and with `ignored` what git ignores, counts as missing. */
export type KeptByGit = (path: string, counting?: { isOurs?: (path: string) => boolean; ignored?: boolean }) => Promise<boolean>;

/** Adds the result to the call; the check runs only if it matters. */
export async function withKept(call: LocatedCall, policy: Policy, keptByGit: KeptByGit | undefined): Promise<LocatedCall> {
  const { subject } = call;
  if (!keptByGit || subject.kind !== "command") return call;
  const { analysis, files } = subject;
  const isLosing = analysis.commands.some(losesFiles);
  const made = new Set<string>();
  const moved: At[] = [];
  const ignored = policy.sandbox.kind === "active"; // a build and its log are written again and again
  const isOurs = (path: string) => made.has(path) || policy.made.has(path);
  const isKept = async ({ path = "", pattern, purpose }: FileUse, isLoss: boolean) => {
    const found = files.get(path);
    const at = found && pattern ? folderOf(found) : found;
    if (!found || !at || moved.some(({ real }) => within(real, at.real) || within(at.real, real))) return false;
    if (isOfSession(found, policy) || (purpose === "replaces" && policy.isThere?.(join(at.real, "/")))) return true; // a folder gets the file
    const isStored = async (one: string) => (isLoss ? keptByGit(one, { isOurs }) : isOurs(one) || keptByGit(one, { ignored }));
    return (await isStored(at.real)) && (await isStored(at.written));
  };
  const kept = new Map<string, boolean>();
  for (const command of analysis.commands) {
    const isLoss = losesFiles(command);
    for (const use of lostBy(command)) kept.set(use.path ?? "", kept.get(use.path ?? "") !== false && (await isKept(use, isLoss)));
    moved.push(...movedTo([command], files));
    // what the command itself creates, in place of nothing or of what git has stored
    for (const { real, written } of isLosing ? writtenBy([command], files) : [])
      if (real === written && (await keptByGit(real))) made.add(real);
  }
  return { ...call, subject: { ...subject, kept } };
}

const losesFiles = (command: SimpleCommand) => effectsOf(command).has("loses its files");

/** The folder of a glob in a single folder; undefined for any other pattern. */
function folderOf({ real, written }: At): At | undefined {
  const folder = (path: string) => /^([^*?[{\\]*)\/[^/]+$/.exec(path)?.[1];
  const [ofReal, ofWritten] = [folder(real), folder(written)];
  return ofReal && ofWritten ? { real: ofReal, written: ofWritten } : undefined;
}

/** Called before an allowed call runs: files that did not exist, or were stored by git, belong to this session from now on. */
export async function noteMade({ subject }: LocatedCall, policy: Policy, keptByGit: KeptByGit | undefined): Promise<void> {
  if (!keptByGit) return;
  const ofTool = subject.kind === "path" && subject.access === "write" ? [subject] : [];
  const written = subject.kind === "command" ? writtenBy(subject.analysis.commands, subject.files) : ofTool;
  for (const { real, written: name } of written)
    if (real === name && !policy.made.has(real) && (await keptByGit(real))) policy.made.note(real);
  if (subject.kind === "command") for (const { real } of movedTo(subject.analysis.commands, subject.files)) policy.made.disown(real);
}

/** Where files of the person's may lie that were elsewhere before. */
const movedTo = (commands: SimpleCommand[], files: ReadonlyMap<string, At>): At[] =>
  commands
    .filter(({ words }) => words.some(({ value }) => /(?:^|\/)(?:mv|rename)$/.test(value ?? "")))
    .flatMap((command) => command.files.flatMap(({ access, path = "" }) => (access === "write" && files.get(path)) || []));

function writtenBy(commands: SimpleCommand[], files: ReadonlyMap<string, At>): At[] {
  const uses = commands.flatMap((command) => command.files);
  return uses.flatMap(({ access, path = "", pattern, mention }) => (access === "write" && !pattern && !mention && files.get(path)) || []);
}

/** The folder of its temporary files: inside the sandbox it is /tmp, begins empty, and is visible only to this session. */
function isOfSession({ real, written }: At, { cwd, directories, temporary, sandbox }: Policy): boolean {
  const isOwn = (path: string) => temporary !== undefined && path !== temporary && within(temporary, path);
  const isScratch = (path: string) =>
    sandbox.kind === "active" &&
    path !== "/tmp" &&
    within("/tmp", path) &&
    ![cwd, ...directories].some((folder) => within(folder, path) || within(path, folder));
  return [real, written].every((path) => isOwn(path) || isScratch(path));
}

/** Files that this session's writes have created: removing them loses no one else's work. */
export type MadeFiles = ReturnType<typeof madeFiles>;

export function madeFiles() {
  const made = new Set<string>();
  const disowned = new Set<string>();
  const isIn = (folders: Set<string>, path: string) => folders.has(path) || [...folders].some((folder) => within(folder, path));
  return {
    /** For a folder: everything in it. Paths are real ones. */
    note: (path: string) => void made.add(path),
    has: (path: string) => isIn(made, path) && !isIn(disowned, path),
    /** Something was moved there, which may be the person's: nothing there counts any more. */
    disown: (path: string) => void disowned.add(path),
  };
}
