// /tasks of a session, solo or a teammate's: its agents and its commands in the background, and what can be done with each.
import { agentTasks } from "./agent-tasks.ts";
import { type CommandDesk, commandList, commandTask } from "./command-tasks.ts";
import type { FailureDesk } from "./failed-agent.ts";

export type TasksDesk = CommandDesk & FailureDesk & Pick<Parameters<typeof agentTasks>[1], "pane">;

/** `words`: nothing for the lists, or what to do with which of them. */
export async function sessionTasks(words: string, desk: TasksDesk): Promise<string> {
  if (words.trim() !== "") return commandTask(words, desk) ?? agentTasks(words, desk);
  return [await agentTasks(words, desk), commandList(desk)].filter(Boolean).join("\n\n");
}
