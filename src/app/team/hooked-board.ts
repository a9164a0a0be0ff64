// Runs the hooks of tasks around the task tools: before a task is completed and after one is created, but never under the list's lock.

import type { Board } from "../../board/board.ts";
import { readableTasks } from "../../board/readable.ts";
import type { SessionHooks } from "../../hooks/session-hooks.ts";
import type { AnyTool } from "../../tools/tool.ts";

export function hookedBoard(tools: AnyTool[], board: Board, hooks: SessionHooks): AnyTool[] {
  const tasks = () => readableTasks(board);
  return tools.map((tool): AnyTool => {
    if (tool.name === "TaskCreate") {
      return {
        ...tool,
        async run(input: { title: string }, context) {
          const before = new Set(tasks().map(({ id }) => id));
          const result = await tool.run(input, context);
          const created = result.isError ? undefined : tasks().find(({ id, title }) => !before.has(id) && title === input.title);
          if (created) hooks.taskCreated(created);
          return result;
        },
      };
    }
    if (tool.name !== "TaskUpdate") return tool;
    return {
      ...tool,
      async run(input: { id: string; status?: string; summary?: string }, context) {
        const task = input.status === "completed" ? tasks().find(({ id }) => id === input.id) : undefined;
        const blocked = task && (await hooks.beforeTaskCompleted(task, input.summary ?? null, context.signal));
        if (blocked === undefined) return tool.run(input, context);
        return { text: `Cannot complete "${input.id}": ${blocked}`, isError: true, summary: "blocked by a hook" };
      },
    };
  });
}
