// A disk whose files show placeholders instead of secrets. Writing restores the secrets, so that an edit next to a secret keeps it.
import { join } from "node:path";
import type { Disk, Match, SearchQuery } from "../../tools/disk.ts";
import type { Redactor } from "./redactor.ts";

/** Larger files are redacted only in the parts that are shown. */
const largest = 2 * 1024 * 1024;

/** At most this many lines or files of a search are shown, and nothing of a file that was not looked at. */
const mostFiles = 300;

/** The lines that match; undefined if that takes too long. Throws if the pattern is none of JavaScript's. */
export type MatchingLines = (lines: string[], pattern: string, ignoreCase: boolean) => string[] | undefined;

/** Wraps the guarded disk. `version` remains the version of the real bytes, so that a change on disk is noticed as before. */
export function redactingDisk(disk: Disk, redactor: Redactor, matchingLines: MatchingLines): Disk {
  /** The real name of a file, by the names under which it was read. */
  const names = new Map<string, string>();
  return {
    ...disk,
    async read(path, how) {
      const found = await disk.read(path, how);
      if (found.kind === "file" || found.kind === "missing") names.set(path, found.path);
      if (found.kind !== "file" || found.bytes.length > largest || isBinary(found.bytes) || isPdf(found.bytes)) return found;
      const { bytes, placeholders } = await redactor.file(found.path, found.bytes);
      const lines = () => redactor.lines(found.path, found.bytes);
      return { ...found, bytes, placeholders, size: found.bytes.length, ...(placeholders.length > 0 && { lines }) };
    },
    async write(path, { bytes, expected }) {
      const restored = isBinary(bytes) ? ({ ok: true, bytes } as const) : redactor.restore(names.get(path) ?? path, bytes);
      if (!restored.ok) return { kind: "refused", reason: restored.reason };
      const outcome = await disk.write(path, { bytes: restored.bytes, expected });
      return outcome.kind === "written" ? { ...outcome, size: restored.bytes.length } : outcome;
    },
    async search(folder, query) {
      const outcome = await disk.search(folder, query);
      if (outcome.kind !== "matches") return outcome;
      const shown: Match[] = [];
      const files = inFiles(outcome.matches);
      for (const [path, matches] of files.slice(0, mostFiles)) {
        const file = await redactedLines(join(outcome.folder, path), { disk, redactor });
        shown.push(...(file ? visibleMatches(matches, { file, query, matchingLines }) : matches));
      }
      const cut = outcome.cut === "nothing" && files.length > mostFiles ? "limit" : outcome.cut;
      return { ...outcome, matches: shown, cut };
    },
  };
}

/** `raw`: the lines of the file itself. */
type RedactedLines = { lines: string[]; raw: string[] };

/** Undefined if there is nothing to hide. */
async function redactedLines(path: string, { disk, redactor }: { disk: Disk; redactor: Redactor }): Promise<RedactedLines | undefined> {
  const found = await disk.read(path);
  if (found.kind !== "file" || found.bytes.length > largest || isBinary(found.bytes)) return undefined;
  const lines = await redactor.lines(found.path, found.bytes);
  return lines && { lines, raw: found.bytes.toString("utf8").split(/\r?\n/) };
}

type Shown = { file: RedactedLines; query: SearchQuery; matchingLines: MatchingLines };

/** The matches in what is shown of the file: whether a pattern matches a secret would say what the secret is. */
function visibleMatches(matches: Match[], { file: { lines, raw }, query, matchingLines }: Shown): Match[] {
  const isRedacted = ({ line }: Match) => lines[line - 1] !== raw[line - 1];
  const shown = (match: Match) => lines[match.line - 1] ?? "";
  const matching = (texts: string[]) => {
    try {
      return matchingLines(texts, query.pattern, query.ignoreCase);
    } catch {
      return []; // a pattern of ripgrep's that JavaScript does not know
    }
  };
  const whole = query.multiline
    ? linesTogether(matches)
        .filter((group) => !group.some(isRedacted))
        .flat()
    : matches;
  const redacted = [...new Set(whole.filter(isRedacted).map(shown))];
  const fitting = new Set(redacted.length > 0 ? matching(redacted) : []);
  return whole
    .filter((match) => !isRedacted(match) || fitting.has(shown(match)))
    .map((match) => (isRedacted(match) ? { ...match, text: shown(match).slice(0, Math.max(match.text.length, 400)) } : match));
}

/** A match of several lines is reported line by line. */
function linesTogether(matches: Match[]): Match[][] {
  const groups: Match[][] = [];
  for (const match of matches) {
    const last = groups.at(-1);
    if (last?.at(-1)?.line === match.line - 1) last.push(match);
    else groups.push([match]);
  }
  return groups;
}

function inFiles(matches: Match[]): [path: string, matches: Match[]][] {
  const files = new Map<string, Match[]>();
  for (const match of matches) {
    const known = files.get(match.path);
    if (known) known.push(match);
    else files.set(match.path, [match]);
  }
  return [...files];
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** A placeholder would damage the document, and the provider would refuse it. */
function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1024).includes("%PDF-");
}
