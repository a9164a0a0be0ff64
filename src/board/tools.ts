// The board as five tools for a model. Each call is an operation like any other.

import { z } from "zod";
import type { Aliases } from "../tools/arguments.ts";
import type { AnyTool, Tool, ToolResult } from "../tools/tool.ts";
import { evidenceWords } from "../wording/evidence.ts";
import { plural } from "../wording/figures.ts";
import { type Arguments, type OperationName, operationArguments } from "./arguments.ts";
import type { Board } from "./board.ts";
import { unfinished } from "./tasks/graph.ts";
import { perform, type Reply } from "./tasks/operations.ts";
import type { Actor, Task } from "./tasks/task.ts";
import { descriptions, fields } from "./tool-texts.ts";

/** The tools of one member. Only the lead has TaskCreate, and only the lead's TaskUpdate has assignee and dependencies. */
export function boardTools(board: Board, actor: Actor): AnyTool[] {
  const run: Run = (op, args, signal) => perform(board, { op, args, signal }, actor);
  const tools: Record<string, AnyTool> = {
    TaskCreate: taskCreate(run),
    TaskUpdate: taskUpdate(run, actor),
    TaskGet: taskGet(run),
    TaskList: taskList(run),
    SendMessage: sendMessage(run),
  };
  return Object.entries(tools).flatMap(([name, tool]) => (name === "TaskCreate" && actor.role !== "lead" ? [] : tool));
}

/** For members whose messages no process of ours brings them. */
export function inboxTool(board: Board, actor: Actor): Tool<Arguments<"Inbox">> {
  return {
    name: "Inbox",
    description: descriptions.Inbox,
    input: operationArguments.Inbox,
    readOnly: false,
    subject: ({ ack = [] }) => ack.join(" "),
    run: async (input) =>
      result(await perform(board, { op: "Inbox", args: input }, actor), (reply) => {
        const messages = "messages" in reply ? reply.messages : [];
        const lines = messages.map(({ id, from, text }) => JSON.stringify({ id, from, text }));
        return { text: lines.join("\n") || "There are no messages.", summary: plural(messages.length, "message") };
      }),
  };
}

/** Names that similar systems use for the same things. */
const taskAliases: Aliases = {
  subject: "title",
  activeForm: { ignored: true },
  owner: "assignee",
  blockedBy: "dependencies",
  depends: "dependencies",
  depends_on: "dependencies",
};
const updateAliases: Aliases = { ...taskAliases, taskId: "id", task_id: "id" };

type Run = <Name extends OperationName>(op: Name, args: Arguments<Name>, signal?: AbortSignal) => Promise<Reply>;

const { shape: create } = operationArguments.TaskCreate;
const { shape: update } = operationArguments.TaskUpdate;

const createInput = z.strictObject({
  ...create,
  assignee: create.assignee.describe(fields.assignee),
  files: create.files.describe(fields.files),
  verify: create.verify.describe(fields.verify),
});
const ownUpdateInput = z.strictObject({
  id: update.id,
  status: update.status,
  summary: update.summary.describe(fields.summary),
  reason: update.reason.describe(fields.reason),
});
const leadUpdateInput = z.strictObject({
  id: update.id,
  status: update.status,
  assignee: update.assignee,
  dependencies: update.dependencies,
  files: update.files.describe(fields.newFiles),
  verify: update.verify.describe(fields.newVerify),
});

function taskCreate(run: Run): Tool<z.infer<typeof createInput>> {
  return {
    name: "TaskCreate",
    description: descriptions.TaskCreate,
    input: createInput,
    aliases: taskAliases,
    readOnly: false,
    subject: ({ title }) => title,
    run: async (input) => taskResult(await run("TaskCreate", input), (task) => `Created ${task.id}: ${task.title}`),
  };
}

function taskUpdate(run: Run, actor: Actor): Tool<Arguments<"TaskUpdate">> {
  const leads = actor.role === "lead";
  return {
    name: "TaskUpdate",
    description: leads ? descriptions.TaskUpdateOfLead : descriptions.TaskUpdate,
    input: leads ? leadUpdateInput : ownUpdateInput,
    aliases: updateAliases,
    readOnly: false,
    subject: ({ id, status }) => [id, status].filter(Boolean).join(" "),
    run: async (input, { signal }) =>
      taskResult(await run("TaskUpdate", input, signal), (task) => `${task.id} is ${state(task)}${seen(task)}`),
  };
}

function taskGet(run: Run): Tool<{ id: string }> {
  return {
    name: "TaskGet",
    description: descriptions.TaskGet,
    input: operationArguments.TaskGet,
    aliases: { taskId: "id", task_id: "id" },
    readOnly: true,
    waits: true,
    subject: ({ id }) => id,
    run: async (input) =>
      result(await run("TaskGet", input), (reply) => {
        const task = "task" in reply ? reply.task : undefined;
        return { text: JSON.stringify(task, null, 1), summary: task ? state(task) : "" };
      }),
  };
}

function taskList(run: Run): Tool<Record<string, never>> {
  return {
    name: "TaskList",
    description: descriptions.TaskList,
    input: operationArguments.TaskList,
    readOnly: true,
    waits: true,
    subject: () => "",
    run: async (input) =>
      result(await run("TaskList", input), (reply) => {
        const tasks = "tasks" in reply ? reply.tasks : [];
        const lines = tasks.map((task) => listLine(task, unfinished(tasks, task)));
        return { text: lines.join("\n") || "There are no tasks yet.", summary: `${plural(tasks.length, "task")}` };
      }),
  };
}

function sendMessage(run: Run): Tool<{ to: string; text: string }> {
  return {
    name: "SendMessage",
    description: descriptions.SendMessage,
    input: operationArguments.SendMessage,
    aliases: { message: "text", content: "text" },
    readOnly: false,
    subject: ({ to }) => to,
    run: async (input) => result(await run("SendMessage", input), () => ({ text: `Sent to ${input.to}.`, summary: "sent" })),
  };
}

/** The owner reads what the others see beside its summary. */
function seen({ status, evidence }: Task): string {
  return status === "completed" && evidence ? ` (${evidenceWords(evidence)})` : "";
}

function taskResult(reply: Reply, sentence: (task: Task) => string): ToolResult {
  return result(reply, (success) => {
    const task = "task" in success ? success.task : undefined;
    return { text: task ? `${sentence(task)}.` : "", summary: task ? `${task.id} ${state(task)}` : "" };
  });
}

function result(reply: Reply, success: (reply: Exclude<Reply, { ok: false }>) => { text: string; summary: string }): ToolResult {
  if (reply.ok) return { ...success(reply), isError: false };
  return { text: `${reply.error.message} (${reply.error.code})`, isError: true, summary: reply.error.code };
}

function listLine(task: Task, waitsFor: string[]): string {
  const tests = seen(task);
  const waits = task.status === "open" && waitsFor.length > 0 ? ` (waits for ${waitsFor.join(", ")})` : "";
  return `${task.id} ${state(task)}${waits}${tests}: ${task.title}`;
}

function state({ status, assigned_to }: Task): string {
  if (assigned_to === null) return status;
  return `${status}, ${status === "open" ? "assigned to" : status === "completed" ? "by" : "with"} ${assigned_to}`;
}
