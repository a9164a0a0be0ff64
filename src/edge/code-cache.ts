// What V8 made of our chunks when the program was built (scripts/code-cache/): a start reads it instead of compiling them again.
// Node's own cache (module.enableCompileCache) comes with Node 22, and writes while the program runs; this one is never written by it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** Beside a chunk, its cache: a seal over both, then what V8 made. V8 itself compares only its version, its flags and two lengths. */
export const cacheOf = (chunk: string) => `${chunk}.cache`;

/** What a chunk is evaluated into. */
type Chunk = { exports: object };
type Require = (id: string) => unknown;

/**
 * Takes what is loaded from that folder from now on from its caches. Without a cache, or with one of another Node or text, it is compiled.
 * A chunk that another one requires is looked up by its name alone: Node would ask the file system for each folder of its path.
 */
export function useCodeCache(chunks: URL): void {
  const folder = fileURLToPath(chunks);
  const { _extensions: loaders } = Module as unknown as { _extensions: Record<".js" | ".cjs", (module: Chunk, path: string) => void> };
  const ordinary = loaders[".js"];
  const known = new Map<string, Chunk>();
  const outside = Module.createRequire(join(folder, "any.cjs"));
  const require: Require = (id) => (id.startsWith("./") ? chunkAt(join(folder, id)) : outside(id));
  const chunkAt = (path: string) => {
    if (!known.has(path)) evaluate(path, { exports: {} });
    return known.get(path)!.exports;
  };
  const evaluate = (path: string, chunk: Chunk) => {
    known.set(path, chunk); // before it runs, since two chunks may require each other
    try {
      compiled(path).call(chunk.exports, chunk.exports, require, chunk, path, folder);
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
}

type Wrapper = (exports: object, require: Require, module: Chunk, filename: string, folder: string) => void;

function compiled(path: string): Wrapper {
  const source = readFileSync(path);
  const script = new Script(`${opening}${source.toString()}\n})`, {
    filename: path,
    columnOffset: -opening.length,
    cachedData: sealedData(source, cacheOf(path)),
  });
  return script.runInThisContext() as Wrapper;
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
