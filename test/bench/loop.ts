// What the loop costs for each turn, beside a bare loop that is given the same replies; how that grows with the conversation, and memory.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replyEvents, sse, text, toolUse } from "../messages-api.ts";
import type { LoopOrder, LoopReport } from "../programs/loop-worker.ts";
import { median, ms, type Part } from "./row.ts";

type Tool = "Read" | "Bash";
const inputs: Record<Tool, Record<string, unknown>> = { Read: { path: "notes.txt" }, Bash: { command: "echo some output" } };

export const loopBench: Part = async (report) => {
  for (const tool of ["Read", "Bash"] as const) {
    const runs = await alternately({ tool, turns: 60, rounds: 5 });
    const [ours, bare] = [middle(runs.product, 10, 60), middle(runs.bare, 10, 60)];
    report({
      name: `loop: end of a reply → next request, ${tool}`,
      ours: ms(ours),
      beside: `${ms(bare)} of a bare loop`,
      ratio: (ours / bare).toFixed(2),
      target: "≤ 1.6",
      met: ours <= 1.6 * bare,
    });
  }
  const long = await alternately({ tool: "Read", turns: 1000, rounds: 3 });
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
  const grown = median(long.reports.map(({ rss }) => ((rss[200] ?? 0) - (rss[20] ?? 0)) / 2 ** 20));
  report({ name: "loop: memory from turn 20 to 200", ours: `${grown.toFixed(1)} MiB`, target: "≤ 30 MiB", met: grown <= 30 });
};

type Runs = { product: number[][]; bare: number[][]; reports: LoopReport[] };

/** Milliseconds from the end of each reply to the request after it, of several runs each. */
async function alternately({ tool, turns, rounds }: { tool: Tool; turns: number; rounds: number }): Promise<Runs> {
  const runs: Runs = { product: [], bare: [], reports: [] };
  for (let round = 0; round < rounds; round++) {
    for (const as of ["product", "bare"] as const) {
      const { gaps, report } = await oneRun({ as, tool, turns });
      runs[as].push(gaps);
      if (as === "product") runs.reports.push(report);
    }
  }
  return runs;
}

function middle(runs: number[][], from: number, to: number): number {
  return median(runs.flatMap((gaps) => gaps.slice(from, to)));
}

async function oneRun({
  as,
  tool,
  turns,
}: {
  as: LoopOrder["as"];
  tool: Tool;
  turns: number;
}): Promise<{ gaps: number[]; report: LoopReport }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  mkdirSync(join(folder, "repo"));
  writeFileSync(join(folder, "repo/notes.txt"), "a line of notes, neither long nor short\n".repeat(50));
  const gaps: number[] = [];
  let repliedAt = 0;
  let turn = 0;
  const server = createServer((incoming, response) => {
    incoming.on("data", () => {});
    incoming.on("end", () => {
      if (turn > 0) gaps.push(performance.now() - repliedAt);
      turn++;
      const block = turn < turns ? toolUse(tool, inputs[tool], `toolu_${turn}`) : text("Done.");
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(sse(replyEvents([block])), () => {
        repliedAt = performance.now();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const order: LoopOrder = { as, url, folder, memoryAt: [20, 200] };
    const env = { PATH: process.env["PATH"], HOME: folder };
    const child = spawn(process.execPath, ["--expose-gc", "dist/test/loop-worker.js", JSON.stringify(order)], { stdio: "inherit", env });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code !== 0) throw new Error(`The loop ended with exit code ${String(code)}`);
    return { gaps, report: JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
