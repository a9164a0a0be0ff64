import { expect, it } from "vitest";
import { handingOver, updateBeforeTask } from "../../../src/app/team/handing-over.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { boardTools } from "../../../src/board/tools.ts";
import type { Merged, TeamTrees } from "../../../src/team/worktrees.ts";
import { ann, lead } from "../../board/examples.ts";
import { temporaryTeam } from "../../board/temporary-team.ts";

const context = { signal: new AbortController().signal, onOutput() {} };
const conflict: Merged = {
  kind: "conflict",
  files: [
    { path: "a.ts", marked: true },
    { path: "logo.png", marked: false },
  ],
};

it("a task is completed when its work is merged, and not before", async () => {
  using team = temporaryTeam();
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  const answers: Merged[] = [
    conflict,
    { kind: "remade" },
    { kind: "refused", reason: "it has a secret" },
    { kind: "merged", commit: "c1" },
  ];
  const handed: string[] = [];
  const trees = {
    folderOf: () => "/repo-team-1/ann",
    hand: async (_name: string, message: string) => {
      handed.push(message);
      return answers.shift();
    },
  } as unknown as TeamTrees;
  const update = handingOver(boardTools(team.board, ann), { trees, board: team.board, actor: ann }).find(
    ({ name }) => name === "TaskUpdate",
  );
  const complete = (summary?: string) => update?.run({ id: "task-1", status: "completed", summary }, context);
  await update?.run({ id: "task-1", status: "in_progress" }, context);
  expect(await complete()).toMatchObject({ isError: true, summary: "missing_summary" });
  expect(await complete("Done.")).toEqual({
    isError: true,
    summary: "conflict: a.ts, logo.png",
    text: 'Cannot complete "task-1" yet: others have changed the same places, and their changes are in your worktree now.\n- a.ts: it has both versions between markers. Merge them and remove the markers\n- logo.png: it cannot be merged as text, and has your version. Keep it, or create the file again\nCheck everything again, and then complete the task.',
  });
  expect(await complete("Done.")).toEqual({
    isError: true,
    summary: "worktree was gone",
    text: 'Cannot complete "task-1" yet. Your worktree /repo-team-1/ann had been deleted, and was created again from its branch: what was not committed in it is lost. Do it again, and then complete the task.',
  });
  expect(await complete("Done.")).toMatchObject({ isError: true, text: 'Cannot complete "task-1": it has a secret' });
  expect(await complete("Done.")).toMatchObject({ isError: false });
  expect(handed).toEqual(Array.from({ length: 4 }, () => "task-1: One\n\nDone.\n\nBy ann"));
});

it("reports before a task what was merged into the worktree and what conflicts", async () => {
  const brought = (merged: Merged) =>
    updateBeforeTask({ trees: { update: async () => merged, folderOf: () => "/repo-team-1/ann" } as unknown as TeamTrees, name: "ann" });
  expect([await brought({ kind: "merged", commit: "c1" }), await brought(conflict)]).toEqual([
    undefined,
    "Work that others have completed was merged into your worktree, and these files are in conflict: a.ts, logo.png. Resolve them first.",
  ]);
  expect(await brought({ kind: "remade" })).toMatch(/^Your worktree \/repo-team-1\/ann had been deleted, and was created again/);
  expect(await brought({ kind: "refused", reason: "the disk is full" })).toContain(
    "could not be merged into your worktree: the disk is full",
  );
});
