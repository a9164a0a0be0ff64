// Goes back to an earlier message of the user: the conversation, and the files that this session's Write and Edit have changed since, or its commands
// while git did not have them.
import { relative, resolve } from "node:path";
import type { RealDisk } from "../../tools/disk.ts";
import { errorText } from "../../wording/error-text.ts";
import type { AgentEvent, Input, TranscriptEvent } from "../events.ts";
import { conversationOf, isLine, isTyped, typedText } from "./conversation.ts";
import type { FileVersions } from "./file-versions.ts";
import { changesFrom, type FileLeft, type FileToPutBack, type FoundNow, verdictOn } from "./plan-files.ts";

/**
 * `settleInterrupted`: records what commands of a killed process had changed, and returns what the person has to know of it.
 * `disk`: writes through it are kept as well. `around`: of files that are also elsewhere, where what is written here must arrive; rejects, with
 * nothing written, if it cannot.
 */
export type KeptFiles = {
  disk: Pick<RealDisk, "read" | "write" | "remove">;
  versions: FileVersions;
  settleInterrupted?: () => Promise<string[]>;
  around?: <T>(work: () => Promise<T>) => Promise<T>;
};

/** A message to which the session can go back. `at`: when it was taken in. */
export type RewindPoint = { at: string; text: string };

/** `commands`: how many have run since, the agent's and the user's own; their effects stay. */
export type RewindPlan = { point: RewindPoint; putBack: FileToPutBack[]; left: FileLeft[]; commands: number };

export type RewoundEvent = Extract<AgentEvent, { type: "rewound" }>;

/** In the order in which they were typed. */
export function rewindPoints(events: readonly TranscriptEvent[]): RewindPoint[] {
  const typed = (inputs: Input[]) => inputs.filter(isTyped).map(typedText);
  return conversationOf(events).flatMap((event) => (isLine(event) ? [{ at: event.at, text: typed(event.inputs).join("\n") }] : []));
}

/** `noted`: inputs that wait for the next request. */
export type PlanOrder = { events: readonly TranscriptEvent[]; noted: readonly Input[]; kept: KeptFiles | undefined; cwd: string };

export async function planRewind(point: RewindPoint, order: PlanOrder): Promise<RewindPlan> {
  const plan = () => planNow(point, order);
  return order.kept?.around ? order.kept.around(plan).catch(plan) : plan();
}

async function planNow(point: RewindPoint, { events, noted, kept, cwd }: PlanOrder): Promise<RewindPlan> {
  const standing = conversationOf(events);
  const undone = standing.slice(standing.findIndex((event) => isLine(event) && event.at === point.at));
  const lines = new Set(undone.flatMap((event) => (isLine(event) ? [event.at] : [])));
  const byFile = kept ? changesFrom(lines, kept.versions.changes()) : new Map<string, never>();
  const verdicts = await Promise.all(
    [...byFile].map(async ([path, changes]) => verdictOn(changes, await foundNow(path, kept!), (digest) => isThere(digest, kept!))),
  );
  const unknown = touchedBy(undone, cwd).filter((path) => !byFile.has(path));
  return {
    point,
    putBack: verdicts.flatMap((verdict) => (verdict.kind === "put_back" ? [verdict.file] : [])),
    left: [
      ...verdicts.flatMap((verdict) => (verdict.kind === "left" ? [verdict.file] : [])),
      ...unknown.map((path) => ({ path, why: "what it held then was not kept" })),
    ],
    commands: undone.filter(isCommandRun).length + personsCommands(undone, noted),
  };
}

const isCommandRun = (event: TranscriptEvent) => event.type === "tool_ended" && event.name === "Bash" && !notRun.has(event.summary);

/** Summaries of calls that did not begin. */
const notRun = new Set(["denied", "refused", "bad input", "not run"]);

/** Inputs that came together with the line belong before it. */
function personsCommands([, ...since]: TranscriptEvent[], noted: readonly Input[]): number {
  const inputs = since.flatMap((event) => (event.type === "input" ? event.inputs : []));
  return [...inputs, ...noted].filter(({ source }) => source.kind === "command").length;
}

/** The event, which comes before its files are restored: what a kill interrupts then is known, and is done when the session continues. */
export function rewoundEvent({ point, putBack, left, commands }: RewindPlan, { cwd, at }: { cwd: string; at: string }): RewoundEvent {
  const named = (files: { path: string }[]) => files.map(({ path }) => shownPath(path, cwd)).join(", ");
  const facts = [
    putBack.length > 0 && `Files put back as they were then: ${named(putBack)}.`,
    left.length > 0 && `Files left as they are now: ${left.map(({ path, why }) => `${shownPath(path, cwd)} (${why})`).join(", ")}.`,
    commands > 0 && `What ${putBack.length > 0 ? "else " : ""}commands have done since then is not undone.`,
  ].filter(Boolean);
  const text =
    facts.length === 0
      ? ""
      : `[The person went back to this point of the conversation. ${facts.join(" ")} Read a file again before you rely on it.]`;
  return { type: "rewound", to: point.at, line: point.text, putBack, left, text, at };
}

/** Restores the files and returns those that could not be restored. Can be called again for an interrupted rewind. */
export async function putFilesBack({ putBack, at }: Pick<RewoundEvent, "putBack" | "at">, kept: KeptFiles): Promise<FileLeft[]> {
  const { disk, versions, around = (work) => work() } = kept;
  if (putBack.length === 0) return [];
  versions.lineBegins(at);
  try {
    return await around(async () => {
      const failed: FileLeft[] = [];
      for (const file of putBack) {
        const why = await putBackOne(file, { disk, versions });
        if (why !== undefined) failed.push({ path: file.path, why });
      }
      versions.rewindEnded(at);
      return failed;
    });
  } catch (error) {
    return putBack.map(({ path }) => ({ path, why: errorText(error) }));
  }
}

/** The last rewind, when a kill came before all of its files were done with. */
export function unfinishedRewind(events: readonly TranscriptEvent[], versions: FileVersions): RewoundEvent | undefined {
  const last = events.findLast((event) => event.type === "rewound");
  return last && last.putBack.length > 0 && !versions.hasEnded(last.at) ? last : undefined;
}

/** A path for display: relative to the working directory if it is inside. */
export function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way === "" || way.startsWith("..") ? path : way;
}

async function putBackOne({ path, from, to, mode }: FileToPutBack, { disk, versions }: KeptFiles): Promise<string | undefined> {
  const now = await foundNow(path, { disk });
  if (now.kind === "other") return now.why;
  if (now.digest === to) return undefined;
  if (now.digest !== from) return changedMeanwhile;
  const bytes = to === null ? undefined : versions.content(to);
  if (to !== null && bytes === undefined) return "what it held then is not kept any more";
  const outcome = bytes
    ? await disk.write(path, { bytes, expected: from ?? undefined, ...(mode !== undefined && { mode }) })
    : await disk.remove(path, from ?? "");
  if (outcome.kind === "refused") return outcome.reason;
  return outcome.kind === "changed" ? changedMeanwhile : undefined;
}

const changedMeanwhile = "something else has changed it meanwhile";

async function foundNow(path: string, { disk }: Pick<KeptFiles, "disk">): Promise<FoundNow> {
  const found = await disk.read(path);
  switch (found.kind) {
    case "file":
      return { kind: "content", digest: found.version };
    case "missing":
      return { kind: "content", digest: null };
    case "folder":
      return { kind: "other", why: "it is a folder now" };
    case "refused":
      return { kind: "other", why: found.reason };
  }
}

function isThere(digest: string, { versions }: Pick<KeptFiles, "versions">): boolean {
  return versions.content(digest) !== undefined;
}

/** The absolute paths of files that Write and Edit report as changed. */
function touchedBy(events: TranscriptEvent[], cwd: string): string[] {
  const touched = events.flatMap((event) => (event.type === "tool_ended" ? event.touched : []));
  return [...new Set(touched.map((path) => resolve(cwd, path)))];
}
