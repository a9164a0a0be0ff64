// The search that runs in a worker thread. Its functions are passed as text, since a bundle has no file of its own for them: they may use
// nothing but their parameters.
import type * as fs from "node:fs";
import type * as threads from "node:worker_threads";
import type { Match } from "../../tools/disk.ts";

export type SearchOrder = {
  files: { path: string; absolute: string }[];
  pattern: string;
  flags: string;
  multiline: boolean;
  maxMatches: number;
  /** Whether /proc/self/fd shows the real path of an open file. */
  descriptors: boolean;
};

/** `skipped`: something was left out because of its size or its number of matches. */
export type SearchReport = { kind: "matches"; matches: Match[] } | { kind: "done"; skipped: boolean };

export function searchFiles(worker: typeof threads, disk: typeof fs, clipText: typeof clip): void {
  const order: SearchOrder = worker.workerData;
  const report = (message: SearchReport) => worker.parentPort?.postMessage(message);
  const pattern = new RegExp(order.pattern, order.flags);
  const maxBytes = 32 * 1024 * 1024;
  let [found, skipped] = [0, false];
  for (const file of order.files) {
    if (found >= order.maxMatches) {
      skipped = true;
      break;
    }
    const lines = linesOf(file.absolute);
    const matches = order.multiline
      ? overLines(lines).map((at) => ({ path: file.path, line: at + 1, text: clipText(lines[at]!, 0) }))
      : lines.flatMap((text, index) => {
          const match = pattern.exec(text);
          return match ? [{ path: file.path, line: index + 1, text: clipText(text, match.index) }] : [];
        });
    found += matches.length;
    if (matches.length > 0) report({ kind: "matches", matches });
  }
  report({ kind: "done", skipped });

  /** The lines that matches span, counted from 0. */
  function overLines(lines: string[]): number[] {
    const text = lines.join("\n");
    const found = new Set<number>();
    let [line, end] = [0, lines[0]?.length ?? 0];
    for (const match of text.matchAll(pattern)) {
      const last = match.index + Math.max(0, match[0].length - 1);
      while (end < match.index) end += lines[++line]!.length + 1;
      found.add(line);
      while (end < last) {
        end += lines[++line]!.length + 1;
        found.add(line);
      }
    }
    return [...found];
  }

  /** Empty if it is no longer the plain text file that was listed. */
  function linesOf(path: string): string[] {
    let descriptor: number | undefined;
    try {
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = disk.constants;
      descriptor = disk.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const stats = disk.fstatSync(descriptor);
      if (!stats.isFile()) return [];
      if (order.descriptors && disk.readlinkSync(`/proc/self/fd/${descriptor}`) !== path) return [];
      const head = new Uint8Array(8192);
      if (head.subarray(0, disk.readSync(descriptor, head, 0, head.length, 0)).includes(0)) return [];
      if (stats.size <= maxBytes) return disk.readFileSync(descriptor, "utf8").split(/\r?\n/);
      skipped = true;
      return [];
    } catch {
      // Removed or unreadable: a search shows what it can.
      return [];
    } finally {
      if (descriptor !== undefined) disk.closeSync(descriptor);
    }
  }
}

/** Cuts a long line around the match. */
export function clip(text: string, at: number): string {
  if (text.length <= 300) return text;
  const from = Math.max(0, Math.min(at - 100, text.length - 300));
  return `${from > 0 ? "…" : ""}${text.slice(from, from + 300)}${from + 300 < text.length ? "…" : ""}`;
}
