// Uses ripgrep, if installed, to list and search the files of a tree, faster than our own code. It reads no settings of its own.
import type { Cut, Match, SearchOutcome, SearchQuery } from "../../tools/disk.ts";
import { type RunOptions, type RunResult, run } from "../processes/run.ts";
import { holdFolder } from "./held-folder.ts";
import { type SearchPlace, searchLimits, searchOutcome } from "./search.ts";
import { clip } from "./search-worker.js";
import { type Found, repositoryTop, type WalkOptions, walkLimits } from "./walk.ts";

export async function ripgrepHere(): Promise<boolean> {
  const { code } = await run(["rg", "--version"], { timeoutMs: 2000 });
  return code === 0;
}

/** Like `walkByHand`. */
export async function walkByRipgrep(folder: string, { holding, signal }: WalkOptions): Promise<Found> {
  const held = holdFolder(folder, holding);
  try {
    const scope = repositoryTop(folder) ? [] : ["--no-require-git", "--no-ignore-parent"];
    const args = ["--files", "--null", "--hidden", "--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-global", ...scope];
    const skip = walkLimits.skippedFolders.flatMap((name) => ["--glob", `!${name}`]);
    // The child has its own /proc/self, so the descriptor is named by our process id.
    const cwd = held.self.replace("/proc/self", `/proc/${process.pid}`);
    const { stdout, timedOut, failed } = await ripgrep([...args, ...skip], { cwd, signal, timeoutMs: walkLimits.ms });
    const paths = stdout.split("\0").slice(0, -1);
    const limit = failed !== undefined || paths.length > walkLimits.files;
    return { paths: paths.slice(0, walkLimits.files), cut: timedOut ? "time" : limit ? "limit" : "nothing" };
  } finally {
    held.close();
  }
}

/** Like `searchByWorker`, but opens files by name: search-check.ts verifies what was found. */
export async function searchByRipgrep(place: SearchPlace, { pattern, ignoreCase, multiline, signal }: SearchQuery): Promise<SearchOutcome> {
  const end = performance.now() + searchLimits.ms;
  const matches: Match[] = [];
  let cut: Cut = "nothing";
  const over = multiline ? ["--multiline", "--multiline-dotall"] : [];
  const flags = ["--json", "--crlf", "--max-count", "2000", ...over, ...(ignoreCase ? ["--ignore-case"] : []), "--regexp", pattern, "--"];
  for (const portion of portions(place.paths)) {
    const timeoutMs = Math.ceil(end - performance.now());
    if (timeoutMs <= 0 || signal.aborted) return searchOutcome(place, { matches, cut: "time" });
    const result = await ripgrep([...flags, ...portion.map((path) => `./${path}`)], { cwd: place.folder, signal, timeoutMs });
    if (result.code === 2 && result.stdout === "" && result.stderr !== "") return { kind: "refused", reason: result.stderr.trim() };
    matches.push(...matchesOf(result.stdout));
    if (result.timedOut) cut = "time";
    else if (result.failed !== undefined) cut = "limit";
    if (matches.length > searchLimits.matches) break;
  }
  return searchOutcome(place, { matches, cut });
}

/** The absolute paths of the files that a search with these options comes to, by which it chooses them. Undefined if that cannot be told. */
export async function listedByRipgrep(folder: string, args: string[]): Promise<ReadonlySet<string> | undefined> {
  if (process.env["RIPGREP_CONFIG_PATH"]) return undefined; // options of the person's, which may show more
  const { code, stdout, failed, timedOut } = await ripgrep(["--files", "--null", ...args], { cwd: folder, timeoutMs: walkLimits.ms });
  const isWhole = (code === 0 || code === nothingFound) && failed === undefined && !timedOut;
  return isWhole ? new Set(stdout.split("\0").slice(0, -1)) : undefined;
}

const nothingFound = 1;

function ripgrep(args: string[], options: RunOptions): Promise<RunResult> {
  return run(["rg", "--no-config", "--no-messages", "--color", "never", ...args], options);
}

/** Paths in portions that fit an argument vector (a kernel allows at least 128 KB). */
function portions(paths: string[]): string[][] {
  const portions: string[][] = [];
  let room = 0;
  for (const path of paths) {
    room -= Buffer.byteLength(path) + 3;
    if (room < 0 || portions.length === 0) {
      portions.push([]);
      room = 64 * 1024;
    }
    portions.at(-1)!.push(path);
  }
  return portions;
}

/** https://docs.rs/grep-printer/latest/grep_printer/struct.JSON.html; a truncated last line is left out. */
function matchesOf(stdout: string): Match[] {
  const matches: Match[] = [];
  const binary = new Set<string>();
  for (const line of stdout.split("\n").slice(0, -1)) {
    const { type, data } = JSON.parse(line);
    const path = textOf(data.path).replace(/^\.\//, "");
    if (type === "end" && data.binary_offset !== null) binary.add(path);
    if (type !== "match") continue;
    const [first = "", ...more] = textOf(data.lines)
      .replace(/\r?\n$/, "")
      .split(/\r?\n/);
    matches.push({ path, line: data.line_number, text: clip(first, data.submatches[0]?.start ?? 0) });
    matches.push(...more.map((text, n) => ({ path, line: data.line_number + n + 1, text: clip(text, 0) })));
  }
  return matches.filter(({ path }) => !binary.has(path));
}

/** Text that is not UTF-8 arrives as base64. */
function textOf(part: { text?: string; bytes?: string } | undefined): string {
  return part?.text ?? Buffer.from(part?.bytes ?? "", "base64").toString("utf8");
}
