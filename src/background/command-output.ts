// The output of one command in the background: the whole of it in a file up to a limit, and what the agent has not read yet in memory.
import { keptOutput, type OutputFile, type OutputStore } from "../tools/output.ts";

export type CommandOutput = {
  path: string | undefined;
  /** What the agent has already: for the file, and as what came last. */
  earlier(bytes: Buffer): void;
  add(bytes: Buffer): void;
  /** What is new since `seen` was called. While the command runs, an unfinished line waits for its end unless nothing else is new. */
  unread(isRunning: boolean): string;
  seen(isRunning: boolean): void;
  /** Empty while there is none. */
  lastLine(): string;
  /** What has come so far can be read in the file. */
  flush(): void;
  /** Nothing more comes. */
  end(): void;
};

/** Of one command in its file: what comes after it is not kept. */
export const mostFileBytes = 10 * 1024 * 1024;
const fullNote = Buffer.from(`\n[nothing more is kept here: the output is longer than ${mostFileBytes / 1024 / 1024} MB]\n`);

/** As much as one result of a command in the foreground. */
const room = { headBytes: 10 * 1024, tailBytes: 20 * 1024 };
const longestLine = 4 * 1024;
const flushEveryMs = 500;

/** Holds some tens of kilobytes in memory, however much is added. */
export function commandOutput(store: OutputStore | undefined, nowMs: () => number): CommandOutput {
  const file = store?.begin();
  const kept = cappedFile(file, nowMs);
  const inFile = file && ({ folder: "", begin: () => ({ path: file.path, append: () => {} }) } satisfies OutputStore);
  let lines = keptOutput(room, inFile);
  let hasLines = false;
  let unfinished: Buffer = Buffer.alloc(0);
  let recent: Buffer = Buffer.alloc(0);
  const takeLines = (bytes: Buffer) => {
    if (bytes.length === 0) return;
    lines.add(bytes);
    hasLines = true;
  };
  const isHeld = (isRunning: boolean) => isRunning && hasLines;
  const keep = (bytes: Buffer) => {
    kept.append(bytes);
    recent =
      bytes.length >= longestLine ? Buffer.from(bytes.subarray(-longestLine)) : Buffer.concat([recent, bytes]).subarray(-longestLine);
  };
  return {
    path: file?.path,
    earlier: keep,
    add(bytes) {
      keep(bytes);
      const whole = bytes.lastIndexOf(newline) + 1;
      if (whole > 0) {
        takeLines(unfinished);
        takeLines(bytes.subarray(0, whole));
        unfinished = Buffer.alloc(0);
      }
      unfinished = Buffer.concat([unfinished, bytes.subarray(whole)]);
      if (unfinished.length <= longestLine) return;
      takeLines(unfinished);
      unfinished = Buffer.alloc(0);
    },
    unread(isRunning) {
      if (isHeld(isRunning) || unfinished.length === 0) return lines.text();
      return lines.text() + keptWhole(unfinished);
    },
    seen(isRunning) {
      if (!isHeld(isRunning)) unfinished = Buffer.alloc(0);
      lines = keptOutput(room, inFile);
      hasLines = false;
    },
    lastLine: () => lastLineOf(recent),
    flush: () => file?.flush?.(),
    end: () => file?.end?.(),
  };
}

const newline = 10;

function keptWhole(bytes: Buffer): string {
  const output = keptOutput(room);
  output.add(bytes);
  return output.text();
}

/** A line whose beginning is not there any more is none: half a secret would not be found in it. */
function lastLineOf(recent: Buffer): string {
  const [first = "", ...rest] = keptWhole(recent).split("\n");
  const whole = recent.length < longestLine ? [first, ...rest] : rest;
  return whole.findLast((line) => line.trim() !== "")?.trim() ?? "";
}

/** Readable by others while the command runs, and never longer than its limit. */
function cappedFile(file: OutputFile | undefined, nowMs: () => number): { append(bytes: Buffer): void } {
  let left = mostFileBytes;
  let flushedMs = Number.NEGATIVE_INFINITY;
  return {
    append(bytes) {
      if (left <= 0 || !file) return;
      file.append(bytes.subarray(0, left));
      left -= bytes.length;
      if (left < 0) file.append(fullNote);
      if (left >= 0 && nowMs() - flushedMs < flushEveryMs) return;
      flushedMs = nowMs();
      file.flush?.();
    },
  };
}
