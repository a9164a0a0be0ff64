// The real disk under the file tools. It takes paths literally and works on open descriptors, so that the file that the guard judged is the
// file that is used.
import { closeSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ReadOutcome, RealDisk, Refused, WalkOutcome, WriteOutcome } from "../../tools/disk.ts";
import { diskErrorWords, errorText } from "../../wording/error-text.ts";
import { codeOf } from "../system-error.ts";
import { type Holding, holdFolder, holdingHere, PathMoved } from "./held-folder.ts";
import { maxMegabytes, openFile, readWhole, refusal, special, versionOf } from "./opened-file.ts";
import { realPath } from "./real-path.ts";
import { removeFile } from "./remove-file.ts";
import { replaceFile } from "./replace-file.ts";
import { ripgrepHere, searchByRipgrep, walkByRipgrep } from "./ripgrep.ts";
import { searchByWorker } from "./search.ts";
import { checked } from "./search-check.ts";
import { type IgnorePatterns, walkByHand } from "./walk.ts";

export type FilesOptions = {
  /** Compiles the text of one .gitignore. */
  ignorePatterns: IgnorePatterns;
  /** How folders are held open; by default, the best way that the system offers. */
  holding?: Holding;
  /** Whether ripgrep walks and searches; by default, found out on first use. */
  ripgrep?: boolean;
};

export function files({ ignorePatterns, holding = holdingHere(), ...options }: FilesOptions): RealDisk {
  let trial = options.ripgrep === undefined ? undefined : Promise.resolve(options.ripgrep);
  const ripgrep = () => {
    trial ??= ripgrepHere();
    return trial;
  };
  const walkHere = (path: string, signal: AbortSignal) =>
    asOutcome(path, () =>
      walkFrom(path, async (folder) => {
        const found = await ((await ripgrep()) ? walkByRipgrep : walkByHand)(folder, { ignorePatterns, holding, signal });
        return { kind: "files", folder, paths: found.paths.sort(), cut: found.cut };
      }),
    );
  return {
    real: async (path) => realPath(resolve(path)),
    read: async (path) => asOutcome(path, () => read(path, holding)),
    write: (path, content) => asWriteOutcome(path, () => replaceFile(path, { ...content, holding })),
    async remove(path, expected) {
      const outcome = await asOutcome(path, () => removeFile(path, { expected, holding }));
      return outcome.kind === "missing" ? { kind: "changed", path } : outcome;
    },
    names: async (folder) => names(folder, holding),
    walk: walkHere,
    modified: async (folder, paths) => paths.map((path) => modifiedMs(join(folder, path))),
    async search(folder, query) {
      const found = await walkHere(folder, query.signal);
      if (found.kind !== "files") return found;
      const place = { ...found, paths: found.paths.filter(query.keep) };
      if (!(await ripgrep())) return searchByWorker(place, query);
      return checked(await searchByRipgrep(place, query), (path) => asOutcome(path, () => read(path, holding)), query.signal);
    },
  };
}

function read(path: string, holding: Holding): ReadOutcome {
  if (dirname(path) === path) return { kind: "folder", path };
  const folder = holdFolder(dirname(path), holding);
  try {
    const found = openFile(folder, path);
    if (found.kind !== "open") return found;
    try {
      const bytes = readWhole(found);
      if (!bytes) return refusal(`it is larger than ${maxMegabytes} MB. Use Grep, or a command that shows a part of it`);
      return { kind: "file", path, bytes, version: versionOf(bytes) };
    } finally {
      closeSync(found.fd);
    }
  } finally {
    folder.close();
  }
}

function names(path: string, holding: Holding): string[] {
  try {
    const folder = holdFolder(path, holding);
    try {
      return readdirSync(folder.self).sort();
    } finally {
      folder.close();
    }
  } catch {
    // Names are only suggestions, so a folder that cannot be listed has none.
    return [];
  }
}

async function walkFrom(path: string, walkFolder: (folder: string) => Promise<WalkOutcome>): Promise<WalkOutcome> {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw new PathMoved(path);
  if (stats.isDirectory()) return walkFolder(path);
  if (!stats.isFile()) return refusal(special(stats));
  return { kind: "files", folder: dirname(path), paths: [basename(path)], cut: "nothing" };
}

async function asOutcome<T>(path: string, work: () => T | Promise<T>): Promise<T | { kind: "missing"; path: string } | Refused> {
  try {
    return await work();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return { kind: "missing", path };
    return refusal(faultReason(error));
  }
}

async function asWriteOutcome(path: string, work: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
  const outcome = await asOutcome(path, work);
  if (outcome.kind !== "missing") return outcome;
  return refusal("a part of its path is a file, or was removed meanwhile");
}

function faultReason(error: unknown): string {
  if (error instanceof PathMoved) return `${error.message}: a link was put in its way. Nothing was done`;
  const code = codeOf(error);
  if (code === "EAGAIN") return nothingToRead;
  if (code === "ELOOP") return `${diskErrorWords(code)}. Nothing was done`;
  return diskErrorWords(code) ?? errorText(error);
}

/** For the file tools alone, which nothing that is not a file may keep waiting. */
const nothingToRead = "it has nothing to read now, and reading it could wait for ever";

function modifiedMs(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
