import { expect, it } from "vitest";
import { workerPrompt } from "../../../src/subagents/workers/worker-prompt.ts";
import { anOrder } from "../kit.ts";

it("tells a worker every part of its order, and which of its files are new", () => {
  const prompt = workerPrompt({ ...anOrder(), phase: 1, after: [], newFiles: ["test/orders.test.js"] });
  expect(prompt).toBe(`Component: orders

Log with it.

Files that you may change, and no others:
- src/orders.js
- test/orders.test.js (new)
Framework: src/log.js 1
Patterns: as in src/time.js
Its tests: node --test test/orders.test.js
Your report holds, one line each:
- what was changed
- how the tests ended`);
});
