// Preloaded into the sessions that sessions.ts plays: leaves beside each chunk what V8 made of it, with the functions that were called.
import { readFileSync, statSync } from "node:fs";
import vm from "node:vm";
import { asAtStart, cacheOf, seal, writeCache } from "../../src/edge/code-cache.ts";

const made = new Map<string, vm.Script>();

vm.Script = class extends vm.Script {
  constructor(source: string, options: vm.ScriptOptions) {
    super(source, options);
    made.set(options.filename ?? "", this);
  }
};

process.on("exit", () => {
  asAtStart();
  for (const [chunk, script] of made) keep(chunk, script.createCachedData());
});

/** Each session begins with the caches of those before it, so the larger one has more: the processes of a team end in any order. */
function keep(chunk: string, data: Buffer): void {
  const known = statSync(cacheOf(chunk), { throwIfNoEntry: false })?.size ?? 0;
  if (seal.length + data.length > known) writeCache(chunk, readFileSync(chunk), data);
}
