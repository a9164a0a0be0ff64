import { describe, expect, it } from "vitest";
import { testCounts } from "../../src/tools/test-counts.ts";

const tap = `TAP version 13
# Subtest: report
    # Subtest: keeps the currency of the row
    not ok 1 - keeps the currency of the row
      ---
      failureType: 'testCodeFailure'
      ...
    ok 2 - exports amounts
    1..2
not ok 1 - report
  ---
  type: 'suite'
  failureType: 'subtestsFailed'
  ...
1..1
# tests 31
# suites 1
# pass 30
# fail 1
# cancelled 0
# skipped 0
# todo 0
# duration_ms 217.89176
`;
const spec = `▶ report
  ✖ keeps the currency of the row (3.248846ms)
✖ report (7.533983ms)
ℹ tests 3
ℹ pass 2
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0

✖ failing tests:

test at a.test.mjs:2:28
✖ keeps the currency of the row (3.248846ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
`;
const go = `--- FAIL: TestRow (0.00s)
    --- FAIL: TestRow/keeps_the_currency (0.00s)
        row_test.go:8: got 1, want 2
FAIL
FAIL\texample.com/report\t0.002s
FAIL
`;
const cargo = `test row::keeps_the_currency ... FAILED
test row::rounds ... ok

failures:
    row::keeps_the_currency

test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;
const pytest = `=========================== short test summary info ============================
FAILED tests/test_row.py::test_keeps_currency[EUR] - assert 1 == 2
FAILED tests/test_row.py::TestRow::test_rounds - assert 1 == 2
========================= 2 failed, 29 passed in 0.12s =========================
`;

describe("testCounts() of runs in which a test fails names it", () => {
  it.each([
    ["node --test as TAP", tap, "✗ 1 of 31 failed: keeps the currency of the row"],
    ["node --test on a terminal", spec, "✗ 1 of 3 failed: keeps the currency of the row"],
    [
      "vitest",
      " FAIL  |unit| test/row.test.ts > row > keeps the currency\n      Tests  3 failed | 8 passed (11)\n",
      "✗ 3 of 11 failed: keeps the currency and 2 more",
    ],
    ["jest", "  ● row › keeps the currency\n\nTests:       1 failed, 10 passed, 11 total\n", "✗ 1 of 11 failed: keeps the currency"],
    ["pytest", pytest, "✗ 2 of 31 failed: test_keeps_currency[EUR] and 1 more"],
    ["pytest -q", "ERROR tests/test_row.py::test_row - NameError\n1 error in 0.12s\n", "✗ 1 failed: test_row"],
    ["go test", go, "✗ 1 failed: TestRow/keeps_the_currency"],
    ["cargo test", cargo, "✗ 1 of 5 failed: row::keeps_the_currency"],
    ["a run whose names are cut away", "# tests 3\n# pass 2\n# fail 1\n", "✗ 1 of 3 failed"],
    ["a run that was cancelled", "# tests 3\n# pass 2\n# fail 0\n# cancelled 1\n", "✗ 1 of 3 failed"],
  ])("%s", (_runner, output, counts) => {
    expect(testCounts(output)).toBe(counts);
  });
});

it.each([
  ["ℹ pass 11\nℹ fail 0\n", "✓ 11 passed"],
  [" Test Files  1 passed (1)\n      Tests  8 passed (8)\n", "✓ 8 passed"],
  ["===== 3 passed, 1 skipped in 0.12s =====\n", "✓ 3 passed"],
  ["test result: ok. 5 passed; 0 failed; 0 ignored\ntest result: ok. 2 passed; 0 failed; 0 ignored\n", "✓ 7 passed"],
  ["=== RUN   TestRow\n--- PASS: TestRow (0.00s)\nPASS\nok  \texample.com/report\t0.003s\n", "✓ 1 passed"],
  ["ok  \texample.com/report\t0.003s\n", undefined],
  ["I passed the 3 exams", undefined],
  ["2 failed attempts in 3s\n", undefined],
])("%j is %s", (output, counts) => {
  expect(testCounts(output)).toBe(counts);
});
