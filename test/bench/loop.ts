// The program's own time for each turn, beside a bare loop that receives the same replies; how that time and memory grow with the
// conversation.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Block, replyEvents, sse, text, toolUse } from "../messages-api.ts";
import type { BareOrder } from "../programs/bare-loop.ts";
import { pssMiB } from "./process-figures.ts";
import { median, ms, type Part } from "./row.ts";

type Tool = "Read" | "Bash";
/** Every turn reads or runs something new. */
const inputs: Record<Tool, (turn: number) => Record<string, unknown>> = {
  Read: (turn) => ({ path: `src/part-${turn}.ts` }),
  Bash: (turn) => ({ command: `echo some output of turn ${turn}` }),
};

/** Needs `npm run build`; the figures of the sandbox need bubblewrap. */
export const loopBench: Part = async (report) => {
  for (const [tool, sandbox] of [
    ["Read", "on"],
    ["Bash", "off"],
    ["Bash", "on"],
  ] as const) {
    const runs = await alternately({ tool, sandbox, turns: 60, rounds: 5, thinkingMs: 20, streamedMs: 0 });
    const [ours, bare] = [middle(runs.product, 10, 60), middle(runs.bare, 10, 60)];
    report({
      name: `loop: end of a reply → next request, ${tool}${tool === "Bash" ? `, sandbox ${sandbox}` : ""}`,
      ours: ms(ours),
      beside: `${ms(bare)} of a bare loop`,
      ratio: (ours / bare).toFixed(2),
      target: "≤ 1.3",
      met: ours <= 1.3 * bare,
    });
  }
  const streamed = await alternately({ tool: "Read", sandbox: "on", turns: 25, rounds: 3, thinkingMs: 0, streamedMs: 900 });
  const [ours, bare] = [middle(streamed.product, 3, 25), middle(streamed.bare, 3, 25)];
  report({
    name: "loop: end of a reply that streamed for 0.9 s → next request, Read",
    ours: ms(ours),
    beside: `${ms(bare)} of a bare loop`,
    target: "≤ 16 ms more",
    met: ours <= bare + 16,
  });
  const long = await alternately({ tool: "Read", sandbox: "on", turns: 1000, rounds: 3, thinkingMs: 0, streamedMs: 0 });
  const beyond = (turn: number) => middle(long.product, turn - 8, turn + 8) - middle(long.bare, turn - 8, turn + 8);
  for (const turn of [190, 990]) {
    const [late, early] = [beyond(turn), beyond(18)];
    report({
      name: `loop: time beyond the bare loop at turn ${turn}, beside turn 10`,
      ours: ms(late),
      beside: ms(early),
      ...(early > 0 && { ratio: (late / early).toFixed(2) }),
      target: "≤ 1.15, or less than the bare loop takes",
      met: late <= 1.15 * Math.max(early, 0),
    });
  }
  const grown = median(long.grownMiB);
  report({ name: "loop: memory from turn 20 to 200, Pss", ours: `${grown.toFixed(1)} MiB`, target: "≤ 30 MiB", met: grown <= 30 });
};

type Run = { tool: Tool; sandbox: "on" | "off"; turns: number; thinkingMs: number; streamedMs: number };
type Runs = { product: number[][]; bare: number[][]; grownMiB: number[] };

/**
 * Milliseconds from the end of each reply to the next request, over several runs of each. `thinkingMs`: the delay before each reply in
 * both, much less than any model needs; `streamedMs`: how long each takes to its end, 0 for all at once.
 */
async function alternately({ rounds, ...run }: Run & { rounds: number }): Promise<Runs> {
  const runs: Runs = { product: [], bare: [], grownMiB: [] };
  for (let round = 0; round < rounds; round++) {
    for (const as of ["product", "bare"] as const) {
      const { gaps, grownMiB } = await oneRun({ as, ...run });
      runs[as].push(gaps);
      if (as === "product") runs.grownMiB.push(grownMiB);
    }
  }
  return runs;
}

function middle(runs: number[][], from: number, to: number): number {
  return median(runs.flatMap((gaps) => gaps.slice(from, to)));
}

type OneRun = Run & { as: "product" | "bare" };

async function oneRun({ as, tool, sandbox, turns, thinkingMs, streamedMs }: OneRun): Promise<{ gaps: number[]; grownMiB: number }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  const cwd = join(folder, "repo");
  mkdirSync(join(cwd, "src"), { recursive: true });
  mkdirSync(join(folder, ".tool"));
  writeFileSync(join(folder, ".tool/settings.json"), JSON.stringify({ sandbox: { enabled: sandbox === "on" } }));
  for (let turn = 1; tool === "Read" && turn < turns; turn++) writeFileSync(join(cwd, `src/part-${turn}.ts`), sourceOf(turn));
  const gaps: number[] = [];
  const memory = new Map<number, number>();
  let repliedAt = 0;
  let turn = 0;
  const server = createServer((incoming, response) => {
    incoming.on("data", () => {});
    incoming.on("end", () => {
      if (turn > 0) gaps.push(performance.now() - repliedAt);
      turn++;
      if (turn === 20 || turn === 200) memory.set(turn, pssMiB(child.pid ?? 0));
      const block = turn < turns ? toolUse(tool, inputs[tool](turn), `toolu_${turn}`) : text("Done.");
      setTimeout(() => {
        void answer(response, block, streamedMs).then(() => {
          repliedAt = performance.now();
        });
      }, thinkingMs);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const order: BareOrder = { url, cwd };
  const argv =
    as === "bare"
      ? [resolve("dist/test/bare-loop.js"), JSON.stringify(order)]
      : [resolve("bin/tool.js"), "--print", "Look at everything.", "--allow", "Bash(echo:*)"];
  const env = { PATH: process.env["PATH"], HOME: folder, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: url };
  const child = spawn(process.execPath, argv, { cwd, stdio: ["ignore", "ignore", "inherit"], env });
  try {
    const code = await new Promise((ended) => child.once("exit", ended));
    if (code !== 0 || turn !== turns) throw new Error(`The ${as} loop ended in turn ${turn} with exit code ${String(code)}`);
    return { gaps, grownMiB: (memory.get(200) ?? 0) - (memory.get(20) ?? 0) };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves when its end is sent. */
async function answer(response: ServerResponse, block: Block, streamedMs: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = replyEvents(streamedMs > 0 ? [text("I look at the next part of the source code.".repeat(10)), block] : [block]);
  const end = streamedMs > 0 ? events.splice(-3) : events;
  for (const event of streamedMs > 0 ? events : []) {
    response.write(sse([event]));
    await pause(streamedMs / events.length);
  }
  await new Promise<void>((sent) => response.end(sse(end), sent));
}

/** About two kilobytes of source code, different for each turn. */
function sourceOf(turn: number): string {
  const one = (n: number) =>
    `export function part${turn}of${n}(list: string[]): number {\n  return list.length + ${n}; // the step ${n}\n}\n`;
  return Array.from({ length: 20 }, (_, n) => one(n)).join("\n");
}
