import { expect, it } from "vitest";
import { progressOf } from "../../../src/app/batch/make-plan.ts";

it("reports each call of the planning agent, and those that failed", () => {
  const at = "";
  const call = { id: "1", name: "Read", subject: "src/a.ts", at } as const;
  const ended = { ...call, type: "tool_ended", text: "", touched: [] as string[], ms: 1 } as const;
  expect([
    progressOf({ ...call, type: "tool_started" }),
    progressOf({ ...ended, isError: true, summary: "not found" }),
    progressOf({ ...ended, isError: false, summary: "3 lines" }),
  ]).toEqual(["Read src/a.ts", "Read src/a.ts: not found", undefined]);
});
