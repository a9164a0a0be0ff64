// Draws a streamed reply under a long transcript, or writes the bytes that this made, piece by piece at the same pace, and prints what
// processor time it took: node stream-screen.js screen|plain <file for the bytes> <tokens> <ms between tokens>.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createSessionScreen } from "../../src/screen/session-screen.ts";
import { createStyle } from "../../src/screen/style.ts";
import type { Terminal } from "../../src/screen/terminal.ts";

const [mode, file = "", count = "", gap = ""] = process.argv.slice(2);
const tokens = Number(count);
const gapMs = Number(gap);
const linesAbove = 5_000;

await (mode === "screen" ? drawReply() : writePieces());

async function drawReply(): Promise<void> {
  const sink = openSync("/dev/null", "w");
  const pieces: string[] = [];
  const terminal: Terminal = {
    columns: 100,
    rows: 40,
    measure: () => {},
    write(bytes) {
      pieces.push(bytes.toString());
      writeSync(sink, bytes.toString());
    },
    listen: () => () => {},
    onResize: () => () => {},
    every(ms, listener) {
      const timer = setInterval(listener, ms);
      return () => clearInterval(timer);
    },
  };
  const screen = createSessionScreen({
    terminal,
    style: createStyle({ LANG: "C.UTF-8" }),
    statusLine: () => "working │ 12.4k tokens  $0.21",
    onLine: () => true,
    onEscape: () => {},
    onInterrupt: () => {},
    now: () => performance.now(),
  });
  for (let line = 0; line < linesAbove; line++) screen.print(`line ${line} of what was said before`);
  const reply = replyOf(tokens);
  pieces.length = 0;
  const before = process.cpuUsage();
  screen.show({ type: "request", turn: 1, retryCount: 0, at: "" });
  for (const text of reply) {
    screen.show({ type: "text", text });
    await pause(gapMs);
  }
  screen.show({ type: "ended", ending: { kind: "done" }, text: "", at: "" });
  report(before);
  screen.close();
  closeSync(sink);
  writeFileSync(file, JSON.stringify(pieces));
}

async function writePieces(): Promise<void> {
  const pieces = JSON.parse(readFileSync(file, "utf8")) as string[];
  const sink = openSync("/dev/null", "w");
  const before = process.cpuUsage();
  for (let token = 0; token < tokens; token++) {
    const from = Math.floor((token * pieces.length) / tokens);
    for (const piece of pieces.slice(from, Math.floor(((token + 1) * pieces.length) / tokens))) writeSync(sink, piece);
    await pause(gapMs);
  }
  report(before);
  closeSync(sink);
}

/** Prose, lists, code and a table, a word or a sign at a time. */
function replyOf(size: number): string[] {
  const section = `## What was found

The **parser** reads \`fields\` one after the other; a quoted one may hold commas, line ends and doubled quotes, as in [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180).

- the first case, with a line that is long enough to be wrapped where the terminal is not very wide
- the second case

\`\`\`ts
export function parse(text: string): string[][] {
  const rows: string[][] = []; // one for each record
  for (const line of text.split("\\n")) rows.push(line.split(","));
  return rows;
}
\`\`\`

| case | before | after |
|------|--------|-------|
| quoted | wrong | right |

`;
  const parts = section.match(/\s*\S{1,6}|\s+$/g) ?? [];
  return Array.from({ length: size }, (_, index) => parts[index % parts.length] ?? "");
}

function report(before: NodeJS.CpuUsage): void {
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ cpuMs: (user + system) / 1000 })}\n`);
}
