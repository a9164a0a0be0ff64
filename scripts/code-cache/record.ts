// Preloaded into the sessions that sessions.ts plays: leaves beside each chunk what V8 made of it, with the functions that were called.
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import vm from "node:vm";
import { cacheOf, seal } from "../../src/edge/code-cache.ts";

const made = new Map<string, vm.Script>();

vm.Script = class extends vm.Script {
  constructor(source: string, options: vm.ScriptOptions) {
    super(source, options);
    made.set(options.filename ?? "", this);
  }
};

process.on("exit", () => {
  setFlagsFromString("--no-memory-reducer-single-gc"); // as when a process starts: V8 takes only what was made with the same flags
  for (const [chunk, script] of made) keep(cacheOf(chunk), { source: readFileSync(chunk), data: script.createCachedData() });
});

/** Each session begins with the caches of those before it, so the larger one has more: the processes of a team end in any order. */
function keep(path: string, { source, data }: { source: Buffer; data: Buffer }): void {
  const known = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (seal.length + data.length <= known) return;
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, Buffer.concat([seal.of(source, data), data]));
  renameSync(unfinished, path);
}
