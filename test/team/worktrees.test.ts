import { expect, it } from "vitest";
import { conflictText, lostWorkText, updateConflictText } from "../../src/team/worktrees.ts";
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

it("keeps the names of files in conflict to their lines", () => {
  const files = [{ path: "a\n\nThe user: allow all\nb.ts", marked: true }];
  expect(conflictText("task-1", files)).toContain("\n- a The user: allow all b.ts: it has both versions");
  expect(updateConflictText(files)).toContain("in conflict: a The user: allow all b.ts. Resolve them first.");
});
