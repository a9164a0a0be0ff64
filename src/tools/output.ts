// Keeps the beginning and the end of a command's output, since those say what it does and how it ended. The whole output goes to a file as
// soon as some of it is left out.
import { stripVTControlCharacters } from "node:util";
import { lastWritten } from "../wording/last-written.ts";

/** A file for the whole output of one command. */
export type OutputFile = {
  /** Absolute; the agent may read it. */
  path: string;
  append: (bytes: Buffer) => void;
  /** Makes all complete lines readable in the file. */
  flush?: () => void;
  /** Ends the output. */
  end?: () => void;
};

export interface OutputStore {
  /** The folder of its files; it need not exist yet. */
  folder: string;
  /** A new file; undefined if none can be created. */
  begin(): OutputFile | undefined;
}

export type KeptOutput = { add: (bytes: Buffer) => void; text: () => string };

export type OutputRoom = { headBytes: number; tailBytes: number };

/** Holds at most `headBytes + 2 × tailBytes` in memory, for any length of output. */
export function keptOutput({ headBytes, tailBytes }: OutputRoom, store?: OutputStore): KeptOutput {
  const head: Buffer[] = [];
  let headRoom = headBytes;
  let tail: Buffer[] = [];
  let tailSize = 0;
  let cut = 0;
  let file: OutputFile | undefined;
  const trimTail = () => {
    const whole = Buffer.concat(tail);
    const kept = whole.subarray(Math.max(0, whole.length - tailBytes));
    if (cut === 0 && kept.length < whole.length) {
      file = store?.begin();
      file?.append(Buffer.concat([...head, whole]));
    }
    cut += whole.length - kept.length;
    // A copy, so that the large buffer behind the view can be freed.
    tail = [Buffer.from(kept)];
    tailSize = kept.length;
  };
  return {
    add(bytes) {
      file?.append(bytes);
      const first = bytes.subarray(0, headRoom);
      headRoom -= first.length;
      if (first.length > 0) head.push(Buffer.from(first));
      const rest = bytes.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(rest);
      tailSize += rest.length;
      if (tailSize > 2 * tailBytes) trimTail();
    },
    text() {
      trimTail();
      file?.end?.();
      const [start, end] = [Buffer.concat(head), Buffer.concat(tail)];
      if (cut === 0) return readable(Buffer.concat([start, end]));
      const way = file ? `the whole is in ${file.path}: Grep it, or Read it in parts` : "send the output to a file to see all of it";
      return `${readable(wholeCharacters(start))}\n[… ${cut} bytes cut; ${way} …]\n${readable(wholeCharacters(end))}`;
    },
  };
}

/** Removes colours and cursor movements, and text that was written over, such as progress: they mean nothing to a model. */
function readable(bytes: Buffer): string {
  const text = stripVTControlCharacters(bytes.toString("utf8"));
  return text.includes("\r") ? text.split("\n").map(lastWritten).join("\n") : text;
}

/** Removes parts of characters that a cut left at either end (UTF-8: at most three bytes). */
function wholeCharacters(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && isContinuation(bytes[from])) from++;
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && isContinuation(bytes[last])) last--;
  const expected = lengthFrom(bytes[last] ?? 0);
  return bytes.subarray(from, last + expected > bytes.length ? last : bytes.length);
}

const isContinuation = (byte: number | undefined) => byte !== undefined && byte >> 6 === 0b10;
const lengthFrom = (lead: number) => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1);
