// The task tools of a teammate that works in a worktree: a task's changes are committed and merged before the task is completed, and its owner
// resolves conflicts.
import type { Board } from "../../board/board.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import type { Actor } from "../../board/tasks/task.ts";
import { verifyFirst } from "../../board/tasks/verify.ts";
import { conflictText, type Merged, remadeText, type TeamTrees, updateConflictText } from "../../team/worktrees.ts";
import type { AnyTool } from "../../tools/tool.ts";

export type HandingOver = { trees: TeamTrees; board: Board; actor: Actor };

export function handingOver(tools: AnyTool[], { trees, board, actor }: HandingOver): AnyTool[] {
  const { name } = actor;
  return tools.map((tool): AnyTool => {
    if (tool.name !== "TaskUpdate") return tool;
    return {
      ...tool,
      async run(input: { id: string; status?: string; summary?: string }, context) {
        const read = board.tasks.read();
        const task = read.ok ? heldBy(read.list.tasks, name) : undefined;
        if (input.status !== "completed" || task?.id !== input.id || !input.summary?.trim()) return tool.run(input, context);
        const verified = await verifyFirst(board, { request: input, signal: context.signal }, actor);
        if (!verified.ok) return { text: `${verified.reason} (${verified.code})`, isError: true, summary: verified.code };
        const handed = await trees.hand(name, `${task.id}: ${task.title}\n\n${input.summary}\n\nBy ${name}`);
        if (handed.kind === "merged") return tool.run(input, context);
        actor.witness?.verified?.delete(input.id); // it proves nothing about what is completed later
        return { ...notMerged(input.id, handed, trees.folderOf(name)), isError: true };
      },
    };
  });
}

function notMerged(id: string, handed: Exclude<Merged, { kind: "merged" }>, folder: string): { text: string; summary: string } {
  switch (handed.kind) {
    case "conflict":
      return { text: conflictText(id, handed.files), summary: `conflict: ${handed.files.map(({ path }) => path).join(", ")}` };
    case "remade":
      return {
        text: `Cannot complete "${id}" yet. ${remadeText(folder)} Do it again, and then complete the task.`,
        summary: "worktree was gone",
      };
    case "refused":
      return { text: `Cannot complete "${id}": ${handed.reason}`, summary: "not merged" };
  }
}

/** What a teammate must be told before it begins a task, after others' completed work was merged into its worktree. */
export async function updateBeforeTask({ trees, name }: { trees: TeamTrees; name: string }): Promise<string | undefined> {
  const brought = await trees.update(name, `Work in progress of ${name}`);
  switch (brought.kind) {
    case "merged":
      return undefined;
    case "remade":
      return remadeText(trees.folderOf(name));
    case "conflict":
      return updateConflictText(brought.files);
    case "refused":
      return `Work that others have completed could not be merged into your worktree: ${brought.reason}`;
  }
}
