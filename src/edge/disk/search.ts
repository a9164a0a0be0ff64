// Finds lines that match a regular expression in given files, if ripgrep is not installed. It runs in a worker thread, so that a pattern
// that would take forever can be stopped.

import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Cut, Match, SearchOutcome, SearchQuery } from "../../tools/disk.ts";
import { errorText } from "../../wording/error-text.ts";

/** Files listed by a walk; `folder` is a real path. */
export type SearchPlace = { folder: string; paths: string[]; cut: Cut };

/** What search-worker.js is given. */
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

export const searchLimits = { matches: 10_000, ms: 10_000 };

export async function searchByWorker(
  place: SearchPlace,
  { pattern, ignoreCase, multiline = false, signal }: SearchQuery,
): Promise<SearchOutcome> {
  const order: SearchOrder = {
    files: place.paths.map((path) => ({ path, absolute: join(place.folder, path) })),
    pattern,
    flags: (ignoreCase ? "i" : "") + (multiline ? "gms" : ""),
    multiline,
    maxMatches: searchLimits.matches + 1,
    descriptors: process.platform === "linux",
  };
  try {
    new RegExp(order.pattern, order.flags);
  } catch (error) {
    return { kind: "refused", reason: errorText(error) };
  }
  return searchInWorker(place, order, signal);
}

/** Sorted by path, then by line; `cut` says what is missing, because of the limit here or of the walk before. */
export function searchOutcome(place: SearchPlace, found: { matches: Match[]; cut: Cut }): SearchOutcome {
  const sorted = found.matches.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  const cut = found.cut === "nothing" && sorted.length > searchLimits.matches ? "limit" : found.cut;
  return {
    kind: "matches",
    folder: place.folder,
    matches: sorted.slice(0, searchLimits.matches),
    cut: cut === "nothing" ? place.cut : cut,
  };
}

function searchInWorker(place: SearchPlace, order: SearchOrder, signal: AbortSignal): Promise<SearchOutcome> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./search-worker.js", import.meta.url), { workerData: order, env: {}, execArgv: [], resourceLimits });
    const matches: Match[] = [];
    const finish = (outcome: SearchOutcome) => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", stop);
      void worker.terminate();
      resolve(outcome);
    };
    const stop = () => finish(searchOutcome(place, { matches, cut: "time" }));
    const deadline = setTimeout(stop, searchLimits.ms);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    worker.on("message", (report: SearchReport) => {
      if (report.kind === "matches") matches.push(...report.matches);
      else finish(searchOutcome(place, { matches, cut: report.skipped ? "limit" : "nothing" }));
    });
    worker.on("error", (error) => finish({ kind: "refused", reason: `the search failed: ${error.message}` }));
  });
}

const resourceLimits = { maxOldGenerationSizeMb: 512 };
