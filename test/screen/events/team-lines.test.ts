import { expect, it } from "vitest";
import { eventFact, teamLine } from "../../../src/screen/events/team-lines.ts";
import { createStyle } from "../../../src/screen/style.ts";

it("words the reason and the task of a member that waits as one sentence, whether the reason is one of its own or not", () => {
  const waits = (reason: string, holds: string | null) =>
    eventFact({ kind: "member_waits", at: "2024-06-01T00:00:00.000Z", by: "ada", member: "ada", reason, holds });
  expect([waits("interrupted", "task-1"), waits("529. Retrying after 30 seconds.", "task-1"), waits("No key is set.", null)]).toEqual([
    "ada waits for a person: interrupted, with task-1 in progress",
    "ada waits for a person: 529. Retrying after 30 seconds, with task-1 in progress",
    "ada waits for a person: No key is set.",
  ]);
});

it("says of a teammate that is not in view which keys show its window, and why it has one", () => {
  const started = { kind: "member_started", at: "2024-06-01T00:00:00.000Z", by: "lead", member: "cy" } as const;
  const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
  expect(teamLine(started, style, { way: "C-b 2" })).toMatch(/^ {2}cy +· started: C-b 2 shows its window, since no pane fits here$/);
  expect(teamLine(started, style, {})).toBeUndefined();
});
