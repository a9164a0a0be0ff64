import { expect, it } from "vitest";
import { estimateTokens } from "../../src/agent/requests/tokens.ts";
import { callLines, failedCallsIn, reportOf } from "../../src/subagents/report.ts";

function store() {
  const kept: string[] = [];
  return {
    kept,
    outputs: { folder: "/out", begin: () => ({ path: "/out/1.txt", append: (bytes: Buffer) => void kept.push(bytes.toString()) }) },
  };
}

it("leaves a short report unchanged, and names the calls that failed", () => {
  expect(reportOf({ text: " Done. \n", failedCalls: ["Bash npm test: ✗ 1 of 3 failed"], mostTokens: 100, outputs: undefined })).toBe(
    "Done.\n\nTool calls that failed:\n- Bash npm test: ✗ 1 of 3 failed",
  );
  expect(reportOf({ text: "", failedCalls: [], mostTokens: 100, outputs: undefined })).toBe("It ended without a word.");
});

it("cuts a long report to its limit and keeps the whole in a file that it names", () => {
  const { kept, outputs } = store();
  const text = `First.\n${"A finding in src/größe.ts:12. ".repeat(2_000)}\nLast.`;
  const report = reportOf({ text, failedCalls: [], mostTokens: 1_500, outputs });
  expect(estimateTokens(report)).toBeLessThanOrEqual(1_500);
  expect(report).toMatch(/^First\.\n[\s\S]*\/out\/1\.txt[\s\S]*\nLast\.$/);
  expect(kept).toEqual([text]);
});

it("lists the calls that failed and did not succeed later, one line each", () => {
  const ended = (isError: boolean, summary: string, text = "", subject = "npm\ntest") => ({
    type: "tool_ended" as const,
    id: "c",
    name: "Bash",
    subject,
    text,
    isError,
    summary,
    touched: [],
    ms: 1,
    at: "",
  });
  const failed = failedCallsIn([
    ended(false, "✓ 3 passed"),
    ended(true, "✗ 1 of 3 failed"),
    ended(true, "", "error: no\nmore"),
    ended(true, "exit 2", "", "tsc"),
    ended(false, "exit 0", "", "tsc"),
  ]);
  expect(callLines(failed)).toEqual(["Bash npm test: ✗ 1 of 3 failed", "Bash npm test: error: no"]);
});
