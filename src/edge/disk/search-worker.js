// The search that runs in a worker thread (search.ts). Plain JavaScript that is copied beside the bundle's chunks (build.js), because a
// worker starts from a file, and Node 20 runs no TypeScript.
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

const maxBytes = 32 * 1024 * 1024;

if (parentPort) searchFiles(workerData, (report) => parentPort.postMessage(report));

/**
 * @param {import("./search.ts").SearchOrder} order
 * @param {(report: import("./search.ts").SearchReport) => void} report
 */
function searchFiles(order, report) {
  const pattern = new RegExp(order.pattern, order.flags);
  let found = 0;
  let skipped = false;
  for (const file of order.files) {
    if (found >= order.maxMatches) {
      skipped = true;
      break;
    }
    const lines = linesOf(file.absolute, order);
    if (!lines) {
      skipped = true;
      continue;
    }
    const matches = order.multiline
      ? overLines(lines, pattern).map((at) => ({ path: file.path, line: at + 1, text: clip(lines[at], 0) }))
      : lines.flatMap((text, index) => {
          const match = pattern.exec(text);
          return match ? [{ path: file.path, line: index + 1, text: clip(text, match.index) }] : [];
        });
    found += matches.length;
    if (matches.length > 0) report({ kind: "matches", matches });
  }
  report({ kind: "done", skipped });
}

/** The lines that matches span, counted from 0. */
function overLines(lines, pattern) {
  const text = lines.join("\n");
  const found = new Set();
  let [line, end] = [0, lines[0]?.length ?? 0];
  for (const match of text.matchAll(pattern)) {
    const last = match.index + Math.max(0, match[0].length - 1);
    while (end < match.index) end += lines[++line].length + 1;
    found.add(line);
    while (end < last) {
      end += lines[++line].length + 1;
      found.add(line);
    }
  }
  return [...found];
}

/** Empty if it is no longer the plain text file that was listed, or unreadable: a search shows what it can. Undefined if it is too large. */
function linesOf(path, { descriptors }) {
  let descriptor;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return [];
    if (descriptors && readlinkSync(`/proc/self/fd/${descriptor}`) !== path) return [];
    const head = new Uint8Array(8192);
    if (head.subarray(0, readSync(descriptor, head, 0, head.length, 0)).includes(0)) return [];
    return stats.size <= maxBytes ? readFileSync(descriptor, "utf8").split(/\r?\n/) : undefined;
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Cuts a long line around the match. */
export function clip(text, at) {
  if (text.length <= 300) return text;
  const from = Math.max(0, Math.min(at - 100, text.length - 300));
  return `${from > 0 ? "…" : ""}${text.slice(from, from + 300)}${from + 300 < text.length ? "…" : ""}`;
}
