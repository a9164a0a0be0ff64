import { expect, it } from "vitest";
import { eventFact } from "../../../src/screen/events/team-lines.ts";

it("words the reason and the task of a member that waits as one sentence, whether the reason is one of its own or not", () => {
  const waits = (reason: string, holds: string | null) =>
    eventFact({ kind: "member_waits", at: "2024-06-01T00:00:00.000Z", by: "ada", member: "ada", reason, holds });
  expect([waits("interrupted", "task-1"), waits("529. Retrying after 30 seconds.", "task-1"), waits("No key is set.", null)]).toEqual([
    "ada waits for a person: interrupted, with task-1 in progress",
    "ada waits for a person: 529. Retrying after 30 seconds, with task-1 in progress",
    "ada waits for a person: No key is set.",
  ]);
});
