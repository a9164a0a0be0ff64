// How soon a key is echoed while a reply streams and a command prints, beside a loop that only writes each byte back, in the same
// pseudo-terminal. Measured from outside.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { replyEvents, sse, text } from "../messages-api.ts";
import { median, ms, type Part, quantile } from "./row.ts";
import { openTypist } from "./typed-keys.ts";

const keys = 200;
const gapMs = 60;
/** 30 tokens a second. */
const tokenMs = 33;
/** 100 lines a second. */
const printing = "!while :; do echo a line of the output of a command; sleep 0.01; done";
const targetMs = 16;

/** Needs `npm run build`. */
export const typingBench: Part = async (report) => {
  const root = mkdtempSync(join(tmpdir(), "tool-bench-"));
  try {
    const bare = await bareEcho(root);
    const busy = await echoWhileBusy(root);
    const within = busy.filter((took) => took <= targetMs).length / busy.length;
    report({
      name: `typing: ${keys} keys while 30 tokens a second stream and a command prints 100 lines a second`,
      ours: `median ${ms(median(busy))}, 95 % ${ms(quantile(busy, 0.95))}, slowest ${ms(Math.max(...busy))}; ${(within * 100).toFixed(1)} % within ${targetMs} ms`,
      beside: `median ${ms(median(bare))}, 95 % ${ms(quantile(bare, 0.95))}, slowest ${ms(Math.max(...bare))} of a bare echo`,
      target: `95 % within ${targetMs} ms`,
      met: within >= 0.95,
    });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
};

const envOf = (root: string) => ({ PATH: process.env["PATH"] ?? "", HOME: root, LANG: "C.UTF-8", TERM: "xterm-256color" });

async function bareEcho(root: string): Promise<number[]> {
  const typist = openTypist([resolve("dist/test/echo-keys.js")], { cwd: root, env: envOf(root) });
  try {
    await typist.shown("ready");
    return await typist.type(keys, gapMs);
  } finally {
    await typist.end();
  }
}

async function echoWhileBusy(root: string): Promise<number[]> {
  const cwd = mkdtempSync(join(root, "repo-"));
  spawnSync("git", ["init", "--quiet", cwd]);
  const provider = await startProvider();
  const env = { ...envOf(root), ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: provider.url };
  const typist = openTypist([resolve("bin/tool.js")], { cwd, env });
  try {
    await typist.shown("ready");
    typist.write(`${printing}\r`);
    await typist.shown("a line of the output");
    typist.write("write\r");
    await typist.shown("writing");
    return await typist.type(keys, gapMs);
  } finally {
    await typist.end();
    await provider.close();
  }
}

/** A reply that does not end. */
async function startProvider() {
  const server = createServer((asked, response) => {
    asked.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    void stream(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const paragraph =
  "The **parser** reads `fields` one after the other; a quoted one may hold commas and line ends.\n\n".match(/\s*\S+|\s+$/g) ?? [];

async function stream(response: ServerResponse): Promise<void> {
  const [start, ping, open] = replyEvents([text("")]);
  if (!start || !ping || !open) throw new Error("a reply without its events");
  response.write(sse([start, ping, open]));
  for (let index = 0; !response.closed; index++) {
    const piece = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: paragraph[index % paragraph.length] } };
    response.write(sse([piece]));
    await pause(tokenMs);
  }
}
