// A disk whose files show placeholders instead of secrets. Writing restores the secrets, so that an edit next to a secret keeps it.
import { join } from "node:path";
import type { Disk, Match } from "../../tools/disk.ts";
import type { Redactor } from "./redactor.ts";

/** Larger files are redacted only in the parts that are shown. */
const largest = 2 * 1024 * 1024;

/** At most this many lines of a search are shown. */
const shownMatches = 300;

/** Wraps the guarded disk. `version` remains the version of the real bytes, so that a change on disk is noticed as before. */
export function redactingDisk(disk: Disk, redactor: Redactor): Disk {
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
      const lines = linesOnce(disk, redactor);
      const shown: Match[] = [];
      for (const match of outcome.matches.slice(0, shownMatches)) {
        const line = (await lines(join(outcome.folder, match.path)))?.[match.line - 1];
        shown.push(line === undefined ? match : { ...match, text: line.slice(0, Math.max(match.text.length, 400)) });
      }
      return { ...outcome, matches: [...shown, ...outcome.matches.slice(shownMatches)] };
    },
  };
}

/** The redacted lines of files that contain secrets; each file is read once. */
function linesOnce(disk: Disk, redactor: Redactor): (path: string) => Promise<string[] | undefined> {
  const loaded = new Map<string, Promise<string[] | undefined>>();
  const load = async (path: string) => {
    const found = await disk.read(path);
    if (found.kind !== "file" || found.bytes.length > largest || isBinary(found.bytes)) return undefined;
    return redactor.lines(found.path, found.bytes);
  };
  return (path) => {
    const lines = loaded.get(path) ?? load(path);
    loaded.set(path, lines);
    return lines;
  };
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** A placeholder would damage the document, and the provider would refuse it. */
function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1024).includes("%PDF-");
}
