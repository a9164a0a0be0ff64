// How long the program takes to start, beside Node itself.
import { spawnSync } from "node:child_process";
import { median, ms, type Row } from "./row.ts";

const pairs = 40;

/** The two alternate, so that other load on the machine affects both alike. Needs `npm run build`. */
export async function startupBench(report: (row: Row) => void): Promise<void> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const measure = [() => ours.push(timeOf(["bin/tool.js", "--version"])), () => bare.push(timeOf(["-e", "0"]))];
    for (const one of pair % 2 === 0 ? measure : measure.reverse()) one();
  }
  const ratio = median(ours.map((time, pair) => time / (bare[pair] ?? Number.NaN)));
  report({
    name: "startup: tool --version",
    ours: ms(median(ours)),
    beside: `${ms(median(bare))} node -e 0`,
    ratio: `${ratio.toFixed(2)}, the median of ${pairs} pairs`,
    target: "ratio ≤ 1.4",
    met: ratio <= 1.4,
  });
}

function timeOf(argv: string[]): number {
  const begin = performance.now();
  const { status } = spawnSync(process.execPath, argv, { env: { PATH: process.env["PATH"], HOME: process.env["HOME"] } });
  if (status !== 0) throw new Error(`node ${argv.join(" ")} ended with ${status}`);
  return performance.now() - begin;
}
