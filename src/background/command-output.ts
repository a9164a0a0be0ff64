// The output of one background command: all of it in a file, up to a limit, and the part that the agent has not read in memory.
import { keptOutput, type OutputFile, type OutputStore } from "../tools/output.ts";

export type CommandOutput = {
  path: string | undefined;
  /** Adds output that the agent has read already: it goes only into the file and `lastLine`. */
  earlier(bytes: Buffer): void;
  add(bytes: Buffer): void;
  /** The output since `seen` was called. While the command runs, an unfinished last line is held back unless it is all there is. */
  unread(isRunning: boolean): string;
  seen(isRunning: boolean): void;
  /** Empty if nothing was printed. */
  lastLine(): string;
  /** Writes all output so far to the file. */
  flush(): void;
  end(): void;
};

/** The limit for one command's file. Output beyond it is dropped. */
export const mostFileBytes = 10 * 1024 * 1024;
const fullNote = Buffer.from(`\n[nothing more is kept here: the output is longer than ${mostFileBytes / 1024 / 1024} MB]\n`);

/** The same limit as for the result of a foreground command. */
const room = { headBytes: 10 * 1024, tailBytes: 20 * 1024 };
const longestLine = 4 * 1024;
const flushEveryMs = 500;

/** Uses at most some tens of kilobytes of memory. */
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

/** The last line; empty if its beginning has been dropped, because redaction would not recognize half a secret. */
function lastLineOf(recent: Buffer): string {
  const [first = "", ...rest] = keptWhole(recent).split("\n");
  const whole = recent.length < longestLine ? [first, ...rest] : rest;
  return whole.findLast((line) => line.trim() !== "")?.trim() ?? "";
}

/** A file of limited length that others can read while the command runs. */
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
