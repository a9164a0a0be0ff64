// What it costs to show a reply while it comes: processor time of the screen alone, beside writing the bytes that it writes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, ms, type Row } from "./row.ts";

const tokens = 2_000;
/** 200 tokens a second: more than most models send. */
const gapMs = 5;
const runs = 3;

export async function screenBench(report: (row: Row) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tool-bench-"));
  const run = (mode: "screen" | "plain"): number => {
    const args = ["dist/test/stream-screen.js", mode, join(folder, "pieces"), String(tokens), String(gapMs)];
    return (JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as { cpuMs: number }).cpuMs;
  };
  try {
    const pairs = Array.from({ length: runs }, () => ({ screen: run("screen"), plain: run("plain") }));
    const ours = median(pairs.map(({ screen }) => screen));
    const plain = median(pairs.map((pair) => pair.plain));
    report({
      name: `screen: ${tokens} streamed tokens under 5,000 lines, processor time, median of ${runs}`,
      ours: ms(ours),
      beside: `${ms(plain)} writing the same bytes at the same pace`,
      ratio: (ours / plain).toFixed(1),
      target: "under 500 ms",
      met: ours < 500,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
