// What V8 made of our chunks when the program was built (scripts/code-cache/): a start reads it instead of compiling them again.
// Node's own cache (module.enableCompileCache) comes with Node 22, and writes while the program runs; this one is written by the build, and at a
// place, where nothing was built, by hands that end.
import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

/**
 * Beside a chunk, its cache for this Node: a seal over both, then what V8 made. V8 itself compares only its version, its flags and two lengths.
 * Machines with other versions may share the folder.
 */
export const cacheOf = (chunk: string) => `${chunk}.${process.versions.v8}-${process.arch}.cache`;

export type CodeCache = {
  /** Writes what V8 has made by now of the chunks that had no cache. A cache that cannot be written is missing the next time too. */
  keep(): void;
};

/** What a chunk is evaluated into. */
type Chunk = { exports: object };
type Require = (id: string) => unknown;

/**
 * Takes what is loaded from that folder from now on from its caches. Without a cache, or with one of another Node or text, it is compiled.
 * A chunk that another one requires is looked up by its name alone: Node would ask the file system for each folder of its path.
 */
export function useCodeCache(chunks: URL): CodeCache {
  const folder = fileURLToPath(chunks);
  const { _extensions: loaders } = Module as unknown as { _extensions: Record<".js" | ".cjs", (module: Chunk, path: string) => void> };
  const ordinary = loaders[".js"];
  const known = new Map<string, Chunk>();
  const made = new Map<string, Compiled>();
  const outside = Module.createRequire(join(folder, "any.cjs"));
  const require: Require = (id) => (id.startsWith("./") ? chunkAt(join(folder, id)) : outside(id));
  const chunkAt = (path: string) => {
    if (!known.has(path)) evaluate(path, { exports: {} });
    return known.get(path)!.exports;
  };
  const evaluate = (path: string, chunk: Chunk) => {
    known.set(path, chunk); // before it runs, since two chunks may require each other
    try {
      const one = compiled(path);
      if (!one.isCached) made.set(path, one);
      (one.script.runInThisContext() as Wrapper).call(chunk.exports, chunk.exports, require, chunk, path, folder);
    } catch (error) {
      known.delete(path);
      throw error;
    }
  };
  loaders[".cjs"] = (module, path) => {
    if (dirname(path) !== folder) ordinary(module, path);
    else if (known.has(path)) module.exports = known.get(path)!.exports;
    else evaluate(path, module);
  };
  return {
    keep() {
      asAtStart();
      for (const [path, { source, script, isNew }] of made)
        if (!isNew || !existsSync(cacheOf(path))) writeCache(path, source, script.createCachedData()); // others may have written it meanwhile
      made.clear();
    },
  };
}

/** V8 takes only what was made with the flags of a process that starts. */
export const asAtStart = (): void => collectOnce(false);

/** Some seconds after its last work, V8 frees memory in one collection instead of three. */
export function collectOnce(once: boolean): void {
  const flag = reducerFlag(process.versions.v8);
  if (flag !== undefined) setFlagsFromString(`--${once ? "" : "no-"}${flag}`);
}

/** `v8`: a version as in process.versions. Since Node 22 it has no such flag, and writes onto the terminal that it does not know it. */
export const reducerFlag = (v8: string): string | undefined => (Number.parseInt(v8, 10) < 12 ? "memory-reducer-single-gc" : undefined);

/** Whole or not at all: others may start from it meanwhile. */
export function writeCache(chunk: string, source: Buffer, data: Buffer): void {
  const unfinished = `${cacheOf(chunk)}.${process.pid}`;
  try {
    writeFileSync(unfinished, Buffer.concat([seal.of(source, data), data]), { mode: 0o600 });
    renameSync(unfinished, cacheOf(chunk));
  } catch {
    rmSync(unfinished, { force: true }); // the disk is full, or the folder is gone
  }
}

type Wrapper = (exports: object, require: Require, module: Chunk, filename: string, folder: string) => void;

/** `isNew`: there was no cache. */
type Compiled = { source: Buffer; script: Script; isCached: boolean; isNew: boolean };

function compiled(path: string): Compiled {
  const source = readFileSync(path);
  const isNew = !existsSync(cacheOf(path));
  const cachedData = isNew ? undefined : sealedData(source, cacheOf(path));
  const text = source.toString(isAscii(source) ? "latin1" : "utf8"); // the build writes ASCII: see build.js
  const script = new Script(`${opening}${text}\n})`, {
    filename: path,
    columnOffset: -opening.length,
    cachedData,
  });
  return { source, script, isCached: cachedData !== undefined && !script.cachedDataRejected, isNew };
}

/** Node's wrapper around a CommonJS module. */
const opening = "(function (exports, require, module, __filename, __dirname) { ";

function sealedData(source: Buffer, path: string): Buffer | undefined {
  try {
    const cache = readFileSync(path);
    const data = cache.subarray(seal.length);
    return seal.of(source, data).equals(cache.subarray(0, seal.length)) ? data : undefined;
  } catch {
    return undefined; // this chunk was in none of the sessions of the build, or nothing was recorded
  }
}

/** Says that the data were made from this text and that all of them are there. */
export const seal = { length: 32, of: (source: Buffer, data: Buffer) => createHash("sha256").update(source).update(data).digest() };
