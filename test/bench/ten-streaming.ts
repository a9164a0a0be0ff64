// How soon a typed key appears in a session whose ten agents stream at once: the built program on a terminal, measured from outside.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { replyEvents, sse, text, toolUse } from "../messages-api.ts";
import { openTypist } from "./typed-keys.ts";

const agents = 10;
/** For each agent: 50 tokens a second, a usual speed of models. */
const gapMs = 20;
const keys = 100;

/** Milliseconds until each key appears. */
export async function keysWhileTenStream(root: string): Promise<number[]> {
  const cwd = mkdtempSync(join(root, "repo-"));
  spawnSync("git", ["init", "--quiet", cwd]);
  const provider = await startProvider();
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, LANG: "C.UTF-8", TERM: "xterm-256color" };
  const typist = openTypist([resolve("bin/tool.js")], {
    cwd,
    env: { ...env, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: provider.url },
  });
  try {
    await typist.shown("ready");
    typist.write("start them\r");
    while (provider.streaming() < agents) await pause(20);
    await pause(1_000);
    const took = await typist.type(keys, 40);
    if (provider.streaming() < agents) throw new Error("The agents had ended before the last key");
    return took;
  } finally {
    await typist.end();
    await provider.close();
  }
}

/** The session starts ten background agents; each receives a reply that does not end. */
async function startProvider() {
  let streaming = 0;
  const calls = Array.from({ length: agents }, (_, n) => {
    const input = { description: "look", prompt: "Look.", name: `agent-${n}`, background: true };
    return toolUse("Agent", input, `toolu_${n}`);
  });
  let requests = 0;
  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const piece of asked) body += String(piece);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (!/"system":\[\{[^}]*"text":"You are agent-/.test(body))
      return response.end(sse(replyEvents(requests++ === 0 ? calls : [text("Started.")])));
    streaming++;
    await stream(response);
  };
  const server = createServer((asked, response) => void answer(asked, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streaming: () => streaming,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function stream(response: ServerResponse): Promise<void> {
  const [start, ping, open] = replyEvents([text("")]);
  if (!start || !ping || !open) throw new Error("a reply without its events");
  response.write(sse([start, ping, open]));
  const piece = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "look at this " } };
  while (!response.closed) {
    response.write(sse([piece]));
    await pause(gapMs);
  }
}
