// /tasks of a session, solo or a teammate's: its agents and its background commands, and the actions on each.
import type { Failures } from "../../agent/result/failures.ts";
import type { Session } from "../../agent/session/session.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { CommandRecord } from "../../background/command.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import type { Subagents } from "../../subagents/subagents.ts";
import { agentList, agentTask, agentVerbs } from "./agents/agent-tasks.ts";
import { type FailureActions, failureActions } from "./agents/failed-agent.ts";
import { type CommandActions, commandList, commandTask, commandVerbs } from "./command-tasks.ts";

/** `columns`: how wide the lists may be; by default as wide as they are. */
export type TaskActions = CommandActions & FailureActions & { columns?: () => number };

type TaskParts = { agents: { host: Subagents }; failures: Failures; session: Session; work: Pick<Workspace, "redacted" | "commands"> };

/** `wake`: called when the session has new input. */
export function tasksIn(
  parts: TaskParts,
  { wake, nowMs, ...look }: Pick<TaskActions, "nowMs" | "style" | "columns"> & { wake: () => void },
) {
  const actions = { ...failureActions(parts, { wake, now: () => new Date(nowMs()) }), commands: parts.work.commands.all, nowMs, ...look };
  return (words: string) => sessionTasks(words, actions);
}

/** `words`: empty for the lists, or the action and its target. */
export async function sessionTasks(words: string, actions: TaskActions): Promise<string> {
  const [verb = "", wanted = ""] = words.trim().split(/\s+/);
  if (verb === "") return [agentList(actions), commandList(actions)].filter(Boolean).join("\n\n");
  const command = actions.commands.find(wanted);
  const agent = command ? undefined : actions.host.find(wanted);
  const verbs: readonly string[] = command ? commandVerbs : agentVerbs;
  if (!verbs.includes(verb)) return noSuchVerb(verb, { command, agent, verbs });
  if (command) return commandTask(verb as (typeof commandVerbs)[number], command, actions);
  if (agent) return agentTask(verb as (typeof agentVerbs)[number], agent, actions);
  const none =
    wanted === "" ? `/tasks ${verb} needs an agent or a command.` : `This session has no agent or command "${visibleLine(wanted)}".`;
  return `${none} ${thoseThere(actions)}`;
}

function noSuchVerb(
  verb: string,
  { command, agent, verbs }: { command: CommandRecord | undefined; agent: AgentRecord | undefined; verbs: readonly string[] },
): string {
  if (command && verb === "resume") return `Cannot resume ${visibleLine(command.id)}: it is a command, and only agents can be resumed.`;
  const on = command ? `the command ${command.id}` : agent ? `the agent ${agent.name}` : "an agent";
  return `There is no "/tasks ${visibleLine(verb)}". For ${visibleLine(on)} there is: ${verbs.map((one) => `/tasks ${one}`).join(", ")}.`;
}

function thoseThere({ host, commands }: TaskActions): string {
  const agents = host.list().map(({ id, name }) => (name === id ? id : `${name} (${id})`));
  const all = [...agents, ...commands.list().map(({ id }) => id)].map(visibleLine);
  return all.length > 0 ? `There are: ${all.join(", ")}.` : "It has started none.";
}
