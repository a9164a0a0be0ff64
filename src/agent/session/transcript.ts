// A session's transcript: JSON Lines on disk, from which the agent is rebuilt after a restart.
import type { BoardDisk } from "../../board/disk.ts";
import type { AgentEvent, TranscriptEvent } from "../events.ts";
import { beginningOfLine, jsonLine, jsonLines } from "./json-lines.ts";

type TranscriptDisk = Pick<BoardDisk, "read" | "append">;

export interface Transcript {
  path: string;
  /** One line at the end of the file. With `durable` it is on the disk itself before this returns. */
  append(event: TranscriptEvent, options?: { durable?: boolean }): void;
  /** Numbers of the lines, from 1, that should hold an event and cannot be read. The last one is cut by a kill, which loses nothing. */
  damagedLines(): number[];
  /** Every whole line so far. A line that was cut by a kill is skipped; the agent continues from the last whole event. */
  events(): TranscriptEvent[];
}

export function openTranscript(disk: TranscriptDisk, path: string): Transcript {
  let begin = beginningOfLine(disk.read(path));
  return {
    path,
    append(event, options) {
      disk.append(path, `${begin}${JSON.stringify(event)}\n`, options);
      begin = "";
    },
    damagedLines: () => damagedLines(disk.read(path)?.toString("utf8") ?? ""),
    events: () => parseTranscript(disk.read(path)?.toString("utf8") ?? ""),
  };
}

/** The events of a transcript's text. An event whose line is torn did not happen. */
export const parseTranscript = (text: string): TranscriptEvent[] => jsonLines<TranscriptEvent>(text);

function damagedLines(text: string): number[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.flatMap((line, index) => (line !== "" && parseTranscriptLine(line).length === 0 ? [index + 1] : []));
}

/** The warning when resuming a session whose transcript has gaps; undefined without gaps. */
export function damageNotice({ path, damagedLines }: Transcript): string | undefined {
  const lines = damagedLines();
  if (lines.length === 0) return undefined;
  const [which, is] = lines.length === 1 ? [`Line ${lines[0]}`, "is"] : [`Lines ${lines.join(", ")}`, "are"];
  return `${which} of ${path} cannot be read and ${is} left out of this session: what was said there is gone from the conversation.`;
}

/** The event of one line; none of an empty or a torn one. */
export const parseTranscriptLine = (line: string): TranscriptEvent[] => jsonLine<TranscriptEvent>(line);

/** Whether the transcript keeps it; events that only affect the screen are not kept. */
export function isKept(event: AgentEvent): event is TranscriptEvent {
  return (
    event.type !== "text" &&
    event.type !== "thought" &&
    event.type !== "call_text" &&
    event.type !== "request" &&
    event.type !== "tool_started" &&
    event.type !== "tool_output" &&
    event.type !== "compacting"
  );
}

/** The path of a session's transcript: `projects/{project}/{session}.jsonl` below the configuration folder. */
export function transcriptPath(configDir: string, cwd: string, session: string): string {
  return `${projectFolder(configDir, cwd)}/${session}.jsonl`;
}

/** Where all sessions with this working directory lie. */
export function projectFolder(configDir: string, cwd: string): string {
  return `${configDir}/projects/${projectName(cwd)}`;
}

/** The folder for full texts of shortened outputs, beside the session's transcript. */
export function outputsFolder(transcript: string): string {
  return `${transcript.slice(0, -".jsonl".length)}/outputs`;
}

/** The working directory as a folder name: other characters become `-`; a long name is cut and gets a hash. */
export function projectName(cwd: string): string {
  const name = cwd.replace(/[^A-Za-z0-9]/g, "-");
  return name.length <= 120 ? name : `${name.slice(0, 100)}-${hash(cwd)}`;
}

/** FNV-1a, 32 bits: enough to tell two long paths apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, "0");
}
