import { expect, it } from "vitest";
import { lostWorkText } from "../../src/team/worktrees.ts";
import { task } from "../board/examples.ts";

it("says what was lost with the team's branch, and nothing if no task was completed", () => {
  const open = task({ id: "task-1" });
  const done = task({ id: "task-2", status: "completed", assigned_to: "ann" });
  expect([lostWorkText("tool/team-1/merged", [open]), lostWorkText("tool/team-1/merged", [open, done])]).toEqual([
    undefined,
    expect.stringMatching(
      /^The branch tool\/team-1\/merged is gone, and with it what task-2 had merged there; a new one begins at the commit/,
    ),
  ]);
});
