// The search in a worker thread, without an agent: what it finds, and what stops it.
import { afterEach, beforeEach, expect, it } from "vitest";
import { searchByWorker, searchLimits, searchOutcome } from "../../../src/edge/disk/search.ts";
import { clip } from "../../../src/edge/disk/search-worker.js";
import { type Tree, tree } from "../../tools/tree.ts";

let folder: Tree;
beforeEach(() => {
  folder = tree({});
});
afterEach(() => folder.remove());

const place = (paths: string[]) => ({ folder: folder.path, paths, cut: "nothing" }) as const;
const query = (pattern: string, options: { ignoreCase?: boolean; multiline?: boolean; signal?: AbortSignal } = {}) => ({
  pattern,
  ignoreCase: false,
  keep: () => true,
  signal: new AbortController().signal,
  ...options,
});

it("searchByWorker() finds lines in the order of paths and lines, in text only", async () => {
  folder.put("b.txt", "x\nneedle\r\nNEEDLE\n");
  folder.put("a.txt", "needle");
  folder.put("c.bin", "needle\0");
  const found = await searchByWorker(place(["b.txt", "a.txt", "c.bin", "gone.txt"]), query("needle", { ignoreCase: true }));
  expect(found).toEqual({
    kind: "matches",
    folder: folder.path,
    matches: [
      { path: "a.txt", line: 1, text: "needle" },
      { path: "b.txt", line: 2, text: "needle" },
      { path: "b.txt", line: 3, text: "NEEDLE" },
    ],
    cut: "nothing",
  });
});

it("searchByWorker() reports each line that a match over several lines spans, once", async () => {
  folder.put("a.txt", "one\ntwo\nthree two\nfour\n");
  const found = await searchByWorker(place(["a.txt"]), query("one.t|o$.three", { multiline: true }));
  expect(found).toMatchObject({ matches: [{ line: 1 }, { line: 2 }, { line: 3 }] });
});

it("searchByWorker() refuses what is no regular expression", async () => {
  expect(await searchByWorker(place([]), query("("))).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("Unterminated group"),
  });
});

it("searchByWorker() is stopped by its signal, also inside a pattern that would take forever", async () => {
  folder.put("a.txt", `${"a".repeat(64)}b`);
  const stop = new AbortController();
  const found = searchByWorker(place(["a.txt"]), query("^(a+)+$", { signal: stop.signal }));
  stop.abort();
  expect(await found).toMatchObject({ kind: "matches", matches: [], cut: "time" });
});

it("searchOutcome() keeps the limit, and says that something is missing", () => {
  const matches = Array.from({ length: searchLimits.matches + 1 }, (_, at) => ({ path: "a", line: at + 1, text: "" }));
  const outcome = searchOutcome({ folder: "/", paths: [], cut: "nothing" }, { matches, cut: "nothing" });
  expect(outcome).toMatchObject({ cut: "limit", matches: { length: searchLimits.matches } });
  expect(searchOutcome({ folder: "/", paths: [], cut: "time" }, { matches: [], cut: "nothing" })).toMatchObject({ cut: "time" });
});

it("clip() keeps the surroundings of the match", () => {
  expect(clip("short", 2)).toBe("short");
  const long = `${"x".repeat(500)}needle${"y".repeat(500)}`;
  expect(clip(long, 500)).toMatch(/^…x+needley+…$/);
  expect(clip(long, 500)).toHaveLength(302);
});
