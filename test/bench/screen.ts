// What showing a reply costs while it streams: the built program on a terminal, with a Messages API on loopback, below 5,000 lines of an
// earlier reply. Measured from outside: the processor time of all threads between the first token and the last.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { spawn as spawnPty } from "@lydell/node-pty";
import { replyEvents, sse, text } from "../messages-api.ts";
import { processorMs } from "./process-figures.ts";
import { median, ms, type Row } from "./row.ts";

const tokens = 2_000;
const linesAbove = 5_000;
/** 200 tokens a second: more than most models send. */
const gapMs = 5;
const runs = 3;

const tool = [resolve("bin/tool.js")];
const plain = [resolve("dist/test/stream-plain.js")];

/** Needs `npm run build`. */
export async function screenBench(report: (row: Row) => void): Promise<void> {
  const ours: number[] = [];
  const beside: number[] = [];
  for (let run = 0; run < runs; run++) {
    ours.push(await costOfReply(tool));
    beside.push(await costOfReply(plain));
  }
  report({
    name: `screen: ${tokens} streamed tokens under ${linesAbove} lines, processor time, median of ${runs}`,
    ours: ms(median(ours)),
    beside: `${ms(median(beside))} a program that only writes their text as it comes`,
    ratio: (median(ours) / median(beside)).toFixed(1),
    target: "under 500 ms",
    met: median(ours) < 500,
  });
}

/** Milliseconds of processor time that the program needs for the second reply. */
async function costOfReply(program: string[]): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), "tool-bench-"));
  const cwd = join(home, "repo");
  mkdirSync(cwd);
  spawnSync("git", ["init", "--quiet", cwd]);
  const provider = await startProvider();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: provider.url,
  };
  const pty = spawnPty(process.execPath, program === tool ? program : [...program, provider.url], {
    name: "xterm-256color",
    cols: 100,
    rows: 40,
    cwd,
    env,
  });
  const ended = new Promise<void>((done) => pty.onExit(() => done()));
  let output = "";
  pty.onData((bytes) => {
    output += bytes;
  });
  const shown = async (what: string) => {
    for (const end = performance.now() + 30_000; !output.includes(what); await pause(20)) {
      if (performance.now() > end) throw new Error(`${what} was never shown`);
    }
  };
  const ready = program === tool ? shown("ready") : pause(200);
  try {
    await ready;
    pty.write("first\r");
    await shown(`line ${linesAbove - 1} `);
    await pause(1_000);
    let [before, after] = [0, 0];
    provider.onStream({
      begins: () => {
        before = processorMs(pty.pid);
      },
      ends: () => {
        after = processorMs(pty.pid);
      },
    });
    pty.write("second\r");
    await shown("This was all.");
    return after - before;
  } finally {
    pty.kill("SIGKILL");
    await ended;
    await provider.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The first reply has many lines at once, the second one arrives token by token. */
async function startProvider() {
  let answers = 0;
  let watch: StreamWatch = { begins: () => {}, ends: () => {} };
  const server = createServer((asked, response) => {
    asked.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (answers++ === 0) response.end(sse(replyEvents([text(lines())])));
    else void stream(response, watch);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onStream(listener: StreamWatch) {
      watch = listener;
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

type StreamWatch = { begins: () => void; ends: () => void };

async function stream(response: ServerResponse, { begins, ends }: StreamWatch): Promise<void> {
  const [start, ping, open, close, ...end] = replyEvents([text("")]);
  if (!start || !ping || !open || !close) throw new Error("a reply without its events");
  response.write(sse([start, ping, open]));
  begins();
  const begin = performance.now();
  for (const [index, piece] of replyOf(tokens).entries()) {
    await pause(Math.max(0, begin + index * gapMs - performance.now()));
    response.write(sse([textDelta(piece)]));
  }
  await pause(200); // waits until the last tokens are drawn
  ends();
  response.write(sse([textDelta("\n\nThis was all.")]));
  response.end(sse([close, ...end]));
}

function textDelta(piece: string): { type: string } {
  const event = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } };
  return event;
}

function lines(): string {
  return Array.from({ length: linesAbove }, (_, line) => `line ${line} of what was said before\n\n`).join("");
}

/** Prose, lists, code and a table, in pieces of one word or character. */
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
