// A task that was blocked because its owner ended is given back; one blocked for a reason of its own stays blocked.
import { expect, it } from "vitest";
import { operate } from "../../../src/board/tasks/operations.ts";
import { giveBack } from "../../../src/team/resume/give-back.ts";
import { ann, lead } from "../../board/examples.ts";
import { temporaryTeam } from "../../board/temporary-team.ts";

it("continues once, and again only after another end", async () => {
  using team = temporaryTeam();
  const { board } = team;
  const update = (args: object) => operate(board, { op: "TaskUpdate", args }, ann);
  const first = () => {
    const read = board.tasks.read();
    return read.ok ? [read.list.revision, read.list.tasks[0]?.status, read.list.tasks[0]?.blocked_reason] : [];
  };
  await operate(board, { op: "TaskCreate", args: { title: "One" } }, lead);
  await update({ id: "task-1", status: "in_progress" });
  await update({ id: "task-1", status: "blocked", reason: "which format?" });
  expect([await giveBack(board, "ann"), first()]).toEqual([undefined, [3, "blocked", "which format?"]]);
  await update({ id: "task-1", status: "blocked", reason: "the lead is gone; files touched: a.js" });
  expect([await giveBack(board, "ann"), first()]).toEqual([undefined, [5, "in_progress", undefined]]);
  expect([await giveBack(board, "ann"), first()]).toEqual([undefined, [5, "in_progress", undefined]]);
});

it("stays blocked, with the list's reason, if it cannot continue", async () => {
  using team = temporaryTeam();
  const { board } = team;
  for (const title of ["One", "Two"]) await operate(board, { op: "TaskCreate", args: { title } }, lead);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "blocked", reason: "ann was stopped" } }, ann);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", dependencies: ["task-2"] } }, lead);
  expect(await giveBack(board, "ann")).toMatch(/task-2/);
});
