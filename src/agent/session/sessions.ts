// The sessions of a project, found by their transcripts: what can be continued and resumed.
import type { BoardDisk } from "../../board/disk.ts";
import type { TranscriptEvent } from "../events.ts";
import { parseTranscript } from "./transcript.ts";

export type SessionSummary = {
  id: string;
  cwd: string;
  /** When something was last added to it. */
  changedAt: Date;
  /** The first thing a person said in it. */
  prompt: string;
  turns: number;
};

export type SessionsDisk = Pick<BoardDisk, "read" | "list" | "changedAt">;

/**
 * Solo sessions of a person, the newest first. `cwd`: those with this working directory alone. A member's session continues with its team, not
 * here.
 */
export function listSessions(
  disk: SessionsDisk,
  { folders, cwd, atMost }: { folders: readonly string[]; cwd?: string; atMost: number },
): SessionSummary[] {
  const found: SessionSummary[] = [];
  for (const { path, id, changedAt } of newestFirst(disk, folders)) {
    if (found.length === atMost) break;
    const events = parseTranscript(disk.read(path)?.toString("utf8") ?? "");
    const [first] = events;
    if (!isSolo(first) || first.cwd !== (cwd ?? first.cwd)) continue;
    found.push({ id, cwd: first.cwd, changedAt, prompt: firstPrompt(events), turns: events.filter(({ type }) => type === "reply").length });
  }
  return found;
}

export type DamagedSession = { id: string; path: string; changedAt: Date };

/**
 * Transcripts whose first line cannot be read, so that nobody knows whose they are; the newest first. A first line that a kill cut held nothing
 * yet. `after`: only those that changed later are read.
 */
export function damagedSessions(disk: SessionsDisk, folders: readonly string[], after?: Date): DamagedSession[] {
  const changed = newestFirst(disk, folders).filter(({ changedAt }) => after === undefined || changedAt > after);
  return changed.filter(({ path }) => {
    const text = disk.read(path)?.toString("utf8") ?? "";
    const wasCut = !text.includes("\n") && (text.startsWith(beginning) || beginning.startsWith(text));
    return !wasCut && text.trim() !== "" && parseTranscript(text)[0]?.type !== "session";
  });
}

const beginning = '{"type":"session"';

function newestFirst(disk: SessionsDisk, folders: readonly string[]): { path: string; id: string; changedAt: Date }[] {
  return folders
    .flatMap((folder) => disk.list(folder).map((name) => ({ folder, name })))
    .filter(({ name }) => name.endsWith(".jsonl"))
    .flatMap(({ folder, name }) => {
      const path = `${folder}/${name}`;
      const changedAt = disk.changedAt(path);
      return changedAt ? [{ path, id: name.slice(0, -".jsonl".length), changedAt }] : [];
    })
    .sort((a, b) => b.changedAt.getTime() - a.changedAt.getTime());
}

/** Whether the transcript with this first event is one that its person can continue. */
export function isSolo(first: TranscriptEvent | undefined): first is Extract<TranscriptEvent, { type: "session" }> {
  return first?.type === "session" && first.team === undefined && first.purpose === undefined;
}

function firstPrompt(events: TranscriptEvent[]): string {
  for (const event of events) {
    const said = event.type === "input" && event.inputs.find(({ source }) => source.kind === "user" || source.kind === "skill");
    if (said) return said.source.kind === "skill" ? `/${said.source.name} ${said.source.arguments}`.trim() : said.text;
  }
  return "";
}
