// What the process beside a program does next.
import { expect, it } from "vitest";
import type { Task } from "../../src/board/tasks/task.ts";
import { newsLine } from "../../src/team/program/program-prompt.ts";
import { nextProgramStep, type ProgramFacts } from "../../src/team/program/program-step.ts";

const held = { id: "task-1" } as Task;
const ended = (clean: boolean) => ({ kind: "ended", clean, how: "ended", unusable: false }) as const;
const quiet: ProgramFacts = {
  program: { kind: "running" },
  asksToStop: false,
  lead: "alive",
  isInterrupted: false,
  held: undefined,
  isNews: false,
  canWake: true,
  again: undefined,
};
const step = (facts: Partial<ProgramFacts>) => nextProgramStep({ ...quiet, ...facts }).kind;

it("starts it at first, tells it of news in its own way, and starts one again that has ended", () => {
  expect(step({ program: { kind: "none" } })).toBe("start");
  expect(step({})).toBe("wait");
  expect(step({ isNews: true })).toBe("wake");
  expect(step({ isNews: true, canWake: false })).toBe("wait");
  expect(step({ program: ended(true) })).toBe("wait");
  expect(step({ program: ended(true), isNews: true, canWake: false })).toBe("start");
});

it("starts one that leaves its task once more, and then gives the task up", () => {
  expect(step({ program: ended(true), held })).toBe("start");
  expect(step({ program: ended(true), held, again: "task-1" })).toBe("give_up");
  expect(step({ program: ended(true), held, again: "task-0" })).toBe("start");
  expect(step({ program: ended(false), held })).toBe("fail");
});

it("ends before anything else when it is asked to, and starts nothing without a lead", () => {
  expect(step({ asksToStop: true, lead: "gone", isInterrupted: true, program: ended(false) })).toBe("stop");
  expect(step({ lead: "gone", isInterrupted: true })).toBe("leave");
  expect(step({ isInterrupted: true, held })).toBe("silent");
  expect(step({ lead: "missing", program: { kind: "none" } })).toBe("wait");
});

it("tells it of news in one line of our own words", () => {
  expect(newsLine(2, "task-3")).toBe("There are 2 messages for you: call Inbox. task-3 can be claimed: call TaskList.");
  expect(newsLine(0, undefined)).toBe("Look at TaskList and Inbox.");
});
