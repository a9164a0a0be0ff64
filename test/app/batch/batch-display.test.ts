import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { batchDisplay } from "../../../src/app/batch/batch-display.ts";
import type { BatchStore } from "../../../src/batch/batch-record.ts";
import type { UnitLine } from "../../../src/batch/unit-agent.ts";
import { memoryWorld } from "../memory-world.ts";

const used = { turns: 1, tokens: 1, cost_usd: null };
const line = (doing: string, newest?: string): UnitLine => ({ type: "progress", at: "testing", doing, newest, ...used });

it("names a command that takes long once a minute where there is no table, and no agent's own call", async () => {
  const memory = memoryWorld();
  let nowMs = 0;
  let passed = 0;
  const clock = {
    ...(await memory.world.edges.clock()),
    monotonicMs: () => nowMs,
    async sleep(ms: number, signal?: AbortSignal) {
      if (++passed > 13) await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      else await setImmediate();
      nowMs += ms;
    },
  };
  const said: string[] = [];
  const stderr = { ...memory.world.stderr, write: (text: string) => void said.push(text) };
  const display = await batchDisplay({ ...memory.world, stderr }, { store: {} as BatchStore, clock, live: false });
  display.onLine("u1", line("npm test", ""));
  display.onLine("u1", line("npm test", "3 of 20 done"));
  display.onLine("u2", line("Bash npm install"));
  for (let turn = 0; turn < 40; turn++) await setImmediate();
  display.close();
  expect(said).toEqual(["01:00 u1 npm test, for 1m00s: 3 of 20 done\n", "02:00 u1 npm test, for 2m00s: 3 of 20 done\n"]);
});
