// Which member answered a blocked teammate, by the team's log.
import { expect, it } from "vitest";
import type { TeamEvent } from "../../../src/board/event.ts";
import { teamReport } from "../../../src/team/report/report.ts";

it("names who was asked and answered, not senders of other messages", () => {
  expect([
    answerer(blocked, notice, from("bo"), from("lead"), resumed),
    answerer(blocked, notice, from("lead"), from("bo"), resumed),
    answerer(blocked, notice, from("bo"), resumed),
    answerer(blocked, notice, from("bo")),
    answerer(blocked, notice, resumed, from("lead")),
  ]).toEqual(["lead", "lead", "bo", null, null]);
});

it("counts what the holder asked before it blocked its task, and nothing that it asked under another", () => {
  expect([
    answerer(claimed, question("lead"), blocked, from("lead"), from("bo"), resumed),
    answerer(question("bo"), claimed, question("lead"), blocked, from("lead"), from("bo"), resumed),
  ]).toEqual(["lead", "lead"]);
  expect(answerers(claimed, blocked, from("bo"), resumed, question("lead"), blocked, from("lead"), from("bo"), resumed)).toEqual([
    "bo",
    "lead",
  ]);
});

it("an answer belongs to the task that was asked about, or that it names, and to no other that its reader has blocked", () => {
  const second = { task: "task-2", title: "Second" };
  const of =
    (step: Step): Step =>
    (at) => ({ ...step(at), ...second });
  const says =
    (by: string, text: string): Step =>
    (at) =>
      ({ ...from(by)(at), text }) as TeamEvent;
  const both = [claimed, question("bo"), blocked, notice, of(claimed), question("cy"), of(blocked)];
  expect(answerers(...both, from("cy"), resumed)).toEqual([null, "cy"]);
  expect(answerers(...both, from("bo"), resumed, of(resumed))).toEqual(["bo", null]);
  expect(answerers(...both, from("cy"), from("bo"), of(resumed), resumed)).toEqual(["bo", "cy"]);
  expect(answerers(...both, says("lead", "task-2: as in task-9"), resumed, of(resumed))).toEqual([null, "lead"]);
  expect(answerers(...both, from("dan"), resumed)).toEqual(["dan", null]);
});

it("counts no stop as a block, for whoever asked for it knows it", () => {
  const stopped: Step = (at) => ({ kind: "task_blocked", at, by: "ada", ...task, reason: "ada was stopped" });
  expect([answerers(stopped), answerers(blocked, resumed, stopped)]).toEqual([[], [null]]);
});

type Step = (at: string) => TeamEvent;
const task = { task: "task-1", title: "First", assigned_to: "ada", revision: 1 };
const blocked: Step = (at) => ({ kind: "task_blocked", at, by: "ada", ...task, reason: "which way?" });
const claimed: Step = (at) => ({ kind: "task_claimed", at, by: "ada", ...task });
const question =
  (to: string): Step =>
  (at) => ({ kind: "message_sent", at, by: "ada", to, message: at, mail: "message", text: "which way?" });
const resumed: Step = (at) => ({ kind: "task_resumed", at, by: "ada", ...task });
const notice: Step = (at) => ({ kind: "message_sent", at, by: "ada", to: "lead", message: at, mail: "task_notice", text: "which way?" });
const from =
  (by: string): Step =>
  (at) => ({ kind: "message_sent", at, by, to: "ada", message: at, mail: "message", text: "…" });

function answerer(...steps: Step[]): string | null | undefined {
  return answerers(...steps)[0];
}

function answerers(...steps: Step[]): (string | null)[] {
  const time = (second: number) => new Date(second * 1000);
  return teamReport({
    team: "atlas",
    tasks: [],
    events: steps.map((step, index) => step(time(index).toISOString())),
    members: [],
    changes: () => [],
    incidents: [],
    startedAt: time(0),
    endedAt: time(steps.length),
  }).blocks.map(({ answered_by }) => answered_by);
}
