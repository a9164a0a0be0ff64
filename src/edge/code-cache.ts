// What V8 made of our chunks when the program was built (scripts/code-cache/): a start reads it instead of compiling them again.
// Node's own cache (module.enableCompileCache) comes with Node 22, and writes while the program runs; this one is never written by it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Module from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

type Loader = (module: Module, path: string) => void;

/** Beside a chunk, its cache: a seal over both, then what V8 made. V8 itself compares only its version, its flags and two lengths. */
export const cacheOf = (chunk: string) => `${chunk}.cache`;

/** Takes what is loaded from that folder from now on from its caches. Without a cache, or with one of another Node or text, it is compiled. */
export function useCodeCache(chunks: URL): void {
  const folder = fileURLToPath(chunks);
  const { _extensions: loaders } = Module as unknown as { _extensions: { ".js": Loader; ".cjs"?: Loader } };
  const ordinary = loaders[".js"];
  loaders[".cjs"] = (module, path) => (dirname(path) === folder ? load(module, path) : ordinary(module, path));
}

function load(module: Module, path: string): void {
  const source = readFileSync(path);
  const script = new Script(`${opening}${source.toString()}\n})`, {
    filename: path,
    columnOffset: -opening.length,
    cachedData: sealedData(source, cacheOf(path)),
  });
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, (id: string) => module.require(id), module, path, dirname(path));
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
