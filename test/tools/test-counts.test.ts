import { expect, it } from "vitest";
import { testCounts } from "../../src/tools/test-counts.ts";

it.each([
  ["# tests 3\n# pass 2\n# fail 1\n", "✗ 1 failed, 2 passed"],
  ["ℹ pass 11\nℹ fail 0\n", "✓ 11 passed"],
  [" Test Files  1 passed (1)\n      Tests  8 passed (8)\n", "✓ 8 passed"],
  ["      Tests  3 failed | 8 passed (11)\n", "✗ 3 failed, 8 passed"],
  ["Tests:       1 failed, 10 passed, 11 total\n", "✗ 1 failed, 10 passed"],
  ["===== 3 passed, 1 failed in 0.12s =====\n", "✗ 1 failed, 3 passed"],
  ["test result: ok. 5 passed; 0 failed; 0 ignored\n", "✓ 5 passed"],
  ["I passed the 3 exams", undefined],
])("%j is %s", (output, counts) => {
  expect(testCounts(output)).toBe(counts);
});
