// How soon the answer to a question takes effect: from the key in to the call's going on where the question was, in a pseudo-terminal, and to the
// provider's receiving what came of it. Half of the questions are the model's own, half ask to write a file, which is on disk by then.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { replyEvents, sse, text, toolUse } from "../messages-api.ts";
import { median, ms, type Part, quantile } from "./row.ts";
import { openTypist } from "./typed-keys.ts";

const questions = 60;
const targetMs = 30;
/** A question has been drawn for a while when its person answers. */
const readMs = 100;

/** Needs `npm run build`. */
export const answersBench: Part = async (report) => {
  const root = mkdtempSync(join(tmpdir(), "tool-bench-"));
  try {
    const { shown, sent } = await answered(root);
    report({
      name: `answers: ${questions} questions, half to the person and half to write a file, from the key to the call on the screen`,
      ours: `median ${ms(median(shown))}, 95 % ${ms(quantile(shown, 0.95))}, slowest ${ms(Math.max(...shown))}; to the next request ${ms(median(sent))}`,
      target: `95 % within ${targetMs} ms`,
      met: quantile(shown, 0.95) <= targetMs,
    });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
};

async function answered(root: string): Promise<{ shown: number[]; sent: number[] }> {
  const cwd = mkdtempSync(join(root, "repo-"));
  spawnSync("git", ["init", "--quiet", cwd]);
  const provider = await startProvider();
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, LANG: "C.UTF-8", TERM: "xterm-256color" };
  const typist = openTypist([resolve("bin/tool.js")], {
    cwd,
    env: { ...env, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: provider.url },
  });
  const shown: number[] = [];
  const sent: number[] = [];
  try {
    await typist.shown("ready");
    typist.write("go on\r");
    for (let at = 0; at < questions; at++) {
      await typist.shown("Enter takes 1");
      await pause(readMs);
      typist.forget();
      const next = provider.asked();
      const from = performance.now();
      typist.write("1");
      await typist.shown(at % 2 === 0 ? `number ${at}?` : `file-${at}.txt`);
      shown.push(performance.now() - from);
      sent.push((await next) - from);
      if (at % 2 === 1 && !existsSync(join(cwd, `file-${at}.txt`))) throw new Error(`file-${at}.txt was not written`);
    }
    return { shown, sent };
  } finally {
    await typist.end();
    await provider.close();
  }
}

/** Answers each request with the next question. */
async function startProvider() {
  let at = 0;
  let onAsked = (_at: number) => {};
  const server = createServer((asked, response) => {
    onAsked(performance.now());
    asked.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(sse(replyEvents([replyAt(at++)])));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** When the next request comes. */
    asked: () =>
      new Promise<number>((came) => {
        onAsked = came;
      }),
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function replyAt(at: number) {
  if (at >= questions) return text("Done.");
  const id = `toolu_${at}`;
  if (at % 2 === 0) return toolUse("AskUser", { question: `Which of them, number ${at}?`, options: ["this one", "the other"] }, id);
  return toolUse("Write", { path: `file-${at}.txt`, content: "one line\n" }, id);
}
