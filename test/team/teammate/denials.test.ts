import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { denialsIn } from "../../../src/team/teammate/denials.ts";

const denied = (subject: string, second: number): TranscriptEvent => ({
  type: "denied",
  id: `${second}`,
  name: "Bash",
  subject,
  reason: "No.",
  at: new Date(second * 1000).toISOString(),
});

it("names each refused call once with how often, in the order of the first, from the given time on", () => {
  const transcripts = [
    { member: "lead", events: [denied("old", 1), denied("b", 12)] },
    { member: "ada", events: [denied("a", 11), denied("b", 13), denied("a", 14)] },
  ];
  const denial = (member: string, subject: string, times = 1) => ({ member, tool: "Bash", subject, reason: "No.", times });
  expect(denialsIn(transcripts, new Date(10_000))).toEqual([denial("ada", "a", 2), denial("lead", "b"), denial("ada", "b")]);
});
