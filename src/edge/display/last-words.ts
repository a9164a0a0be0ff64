// The report on a program that failed: its last lines, and how it ended.
import { constants } from "node:os";

/** How a program ended; `unknown` if the display could not find out. */
export type End = { kind: "exited"; code: number } | { kind: "signalled"; signal: number } | { kind: "unknown" };

/** The last nonempty lines, then the end in brackets. `end` is undefined while the program runs. */
export function lastWords(lines: string[], end: End | undefined): string {
  const shown = lines.map((line) => line.slice(0, longestLine).trimEnd()).filter(Boolean);
  return [...shown.slice(-mostLines), ...(end ? [`(${describe(end)})`] : [])].join("\n");
}

/** The text in a terminal's bytes, without escape sequences; of an overwritten line, the last version. */
export function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString("utf8").replace(escapeSequences, "");
  return text.split("\n").map((line) => (line.trimEnd().split("\r").at(-1) ?? "").replace(/[^\P{Cc}\t]/gu, ""));
}

/** Keeps the newest bytes: at least the given number, if that many arrived, and not many more. */
export function newestBytes(atLeast: number): { add(bytes: Buffer): void; bytes(): Buffer } {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    add(bytes) {
      chunks.push(bytes);
      size += bytes.length;
      if (size <= 2 * atLeast) return;
      chunks = [Buffer.concat(chunks).subarray(-atLeast)];
      size = atLeast;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

const mostLines = 30;
const longestLine = 2000;

/** Strings (title, clipboard, images), then control sequences, then short escapes. */
const [esc, bell] = ["\u001b", "\u0007"];
const escapeSequences = new RegExp(
  `${esc}[\\]PX^_][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?|${esc}\\[[0-?]*[ -/]*[@-~]|${esc}[ -/]*[0-~]`,
  "g",
);

function describe(end: End): string {
  switch (end.kind) {
    case "exited":
      return `exit status ${end.code}`;
    case "signalled":
      return `killed by ${Object.entries(constants.signals).find(([, number]) => number === end.signal)?.[0] ?? `signal ${end.signal}`}`;
    case "unknown":
      return "ended, exit status unknown";
  }
}
