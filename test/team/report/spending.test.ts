import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { spendingOf } from "../../../src/team/report/spending.ts";

const usage = { input_tokens: 1, cache_creation_input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 };
const request = (costUsd: number | null) => ({ type: "reply", usage, costUsd }) as unknown as TranscriptEvent;
const claims = (task: string) => ({ type: "input", inputs: [{ source: { kind: "task", task }, text: "" }] }) as unknown as TranscriptEvent;

it("adds up what each task cost, in the order of the first request", () => {
  const events = [request(1), claims("task-1"), request(2), request(3), claims("task-2"), request(4), request(null)];
  expect(spendingOf(events)).toEqual([
    { task: null, tokens: 10, costUsd: 1 },
    { task: "task-1", tokens: 20, costUsd: 5 },
    { task: "task-2", tokens: 20, costUsd: null },
  ]);
});
