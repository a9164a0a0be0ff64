// The model of a team under chaos: an agent's next step depends only on its conversation, so that an agent that was killed continues where
// it was. A lead creates the tasks, starts teammates and releases blocked tasks; a teammate runs a command, writes to others and completes
// its task.
import type { AssistantMessage, Message } from "../../src/agent/ports/model.ts";
import { textOfResult } from "../../src/agent/ports/model.ts";
import type { Random } from "../fuzz/random.ts";

export type PlannedTask = { title: string; dependencies: string[]; messages: { to: string; text: string }[] };
export type Plan = { tasks: PlannedTask[]; teammates: string[] };
export type Size = { teammates: number; tasks: number; messages: number };

/** A task depends on up to two tasks from earlier replies. */
export function plan({ teammates, tasks, messages }: Size, random: Random): Plan {
  const names = Array.from({ length: teammates }, (_, index) => `w${index + 1}`);
  const title = (index: number) => `T${String(index + 1).padStart(3, "0")}`;
  const planned = Array.from({ length: tasks }, (_, index): PlannedTask => {
    const earlier = Math.floor(index / chunk) * chunk;
    const count = earlier === 0 ? 0 : random.below(3);
    const dependencies = [...new Set(Array.from({ length: count }, () => title(earlier - 1 - random.below(chunk))))];
    return { title: title(index), dependencies, messages: [] };
  });
  for (let number = 1; number <= messages; number++) {
    const task = planned[number % tasks]!;
    task.messages.push({ to: random.of(names), text: `message ${number} of ${task.title}` });
  }
  return { tasks: planned, teammates: names };
}

const chunk = 10;

type Block = AssistantMessage["content"][number];
type Done = { name: string; input: Record<string, unknown>; result: string; isError: boolean };

/** What the agent was told and what it did, in order. */
type Item = { text: string } | Done;

export function reply(agent: string, messages: readonly Message[], order: Plan): Block[] {
  const items = itemsOf(messages);
  const calls = agent === "lead" ? leadCalls(items, order) : teammateCalls(agent, items, order);
  if (calls.length === 0) return [{ type: "text", text: "Nothing more." }];
  return calls.map(({ name, input }) => ({ type: "tool_use", id: `toolu_${crypto.randomUUID()}`, name, input }));
}

function itemsOf(messages: readonly Message[]): Item[] {
  const asked = new Map<string, { name: string; input: Record<string, unknown> }>();
  return messages.flatMap(({ content }) =>
    content.flatMap((block): Item[] => {
      if (block.type === "tool_use") asked.set(block.id, { name: block.name, input: block.input as Record<string, unknown> });
      const call = block.type === "tool_result" ? asked.get(block.tool_use_id) : undefined;
      if (block.type === "tool_result" && call) return [{ ...call, result: textOfResult(block.content), isError: block.is_error === true }];
      return block.type === "text" && !("name" in block) ? [{ text: block.text }] : [];
    }),
  );
}

type Call = { name: string; input: Record<string, unknown> };

function teammateCalls(agent: string, items: Item[], { tasks, teammates }: Plan): Call[] {
  const held = items.flatMap((item) => ("text" in item ? [...item.text.matchAll(/(?:hold|Go on with) (task-\d+): (T\d+)/g)] : [])).at(-1);
  const [, id = "", title = ""] = held ?? [];
  const task = tasks.find((one) => one.title === title);
  if (!task) return [];
  const done = items.filter((item) => "name" in item);
  const command = `echo ${title} ${agent} >> done-${title}; sleep 0.1`;
  const first = done.some(({ name, input, result }) => name === "Bash" && input["command"] === command && !wasCut(result))
    ? []
    : [{ name: "Bash", input: { command } }];
  const unsent = task.messages
    .map(({ to, text }) => ({ to: to === agent ? other(agent, teammates) : to, text }))
    .flatMap(({ to, text }) => {
      const tries = done.filter(({ name, input }) => name === "SendMessage" && String(input["text"]).startsWith(`${text} (`));
      if (tries.length > 5 || tries.some(({ isError }) => !isError)) return [];
      const isGone = tries.some(({ result }) => result.includes("(unknown_agent)"));
      return [{ name: "SendMessage", input: { to: isGone ? "lead" : to, text: `${text} (${agent} ${id}, try ${tries.length + 1})` } }];
    });
  if (first.length + unsent.length > 0) return [...first, ...unsent];
  const completions = done.filter(({ name, input }) => name === "TaskUpdate" && input["id"] === id);
  const isOver = completions.some(({ isError, result }) => !isError || /\((bad_transition|not_assignee)\)/.test(result));
  return isOver || completions.length > 8
    ? []
    : [{ name: "TaskUpdate", input: { id, status: "completed", summary: `${title} by ${agent}` } }];
}

function other(agent: string, names: string[]): string {
  return names[(names.indexOf(agent) + 1) % names.length]!;
}

/** The process ended during the call, or before it. */
function wasCut(result: string): boolean {
  return /^(Interrupted: the process ended|Not run: interrupted)/.test(result);
}

function leadCalls(items: Item[], order: Plan): Call[] {
  const lastText = items.findLastIndex((item) => "text" in item);
  const now = items.slice(lastText + 1).filter((item) => "name" in item);
  const listed = now.findLast(({ name, isError }) => name === "TaskList" && !isError);
  if (!listed) return now.length > 5 ? [] : [{ name: "TaskList", input: {} }];
  const lines = [...listed.result.matchAll(/^(task-\d+) (\w+).*: (T\d+)$/gm)].map(([, id = "", status = "", title = ""]) => ({
    id,
    status,
    title,
  }));
  const since = now.slice(now.indexOf(listed) + 1);
  const ids = new Map(lines.map(({ title, id }) => [title, id]));
  for (const { name, result } of since) {
    const [, id, title] = (name === "TaskCreate" && /^Created (\S+): (T\d+)/.exec(result)) || [];
    if (id && title) ids.set(title, id);
  }
  const missing = order.tasks.filter(({ title }) => !ids.has(title));
  const ready = missing.slice(0, chunk).filter(({ dependencies }) => dependencies.every((title) => ids.has(title)));
  const tried = since.filter(({ name }) => name === "TaskCreate").length;
  if (ready.length > 0 && tried < order.tasks.length * 2)
    return ready.map(({ title, dependencies }) => ({
      name: "TaskCreate",
      input: { title, description: `Do ${title}.`, dependencies: dependencies.map((one) => ids.get(one)) },
    }));
  return [...starts(items, order, since), ...releases(lines, since)];
}

/** Starts as many teammates as are missing, those that ended not counted. Names are never reused. */
function starts(items: Item[], { teammates }: Plan, since: Done[]): Call[] {
  const tried = items.flatMap((item) => ("name" in item && item.name === "SpawnTeammate" ? [item] : []));
  const gone = new Set(
    items.flatMap((item) => ("text" in item ? [...item.text.matchAll(/(w\d+) is gone:/g)].map(([, name]) => name) : [])),
  );
  const started = new Set(tried.filter(({ isError }) => !isError).map(({ input }) => input["name"]));
  const alive = [...started].filter((name) => !gone.has(String(name))).length;
  const names = new Set(tried.map(({ input }) => String(input["name"])));
  const failures = since.filter(({ name, isError }) => name === "SpawnTeammate" && isError).length;
  const missing = failures > 6 ? 0 : teammates.length - alive;
  const fresh = [...teammates, ...Array.from({ length: 40 }, (_, index) => `w${teammates.length + index + 1}`)].filter(
    (name) => !names.has(name),
  );
  return fresh.slice(0, Math.max(0, missing)).map((name) => ({ name: "SpawnTeammate", input: { name } }));
}

function releases(lines: { id: string; status: string }[], since: Done[]): Call[] {
  const released = new Set(since.filter(({ name }) => name === "TaskUpdate").map(({ input }) => input["id"]));
  return lines
    .filter(({ id, status }) => status === "blocked" && !released.has(id))
    .map(({ id }) => ({ name: "TaskUpdate", input: { id, status: "open" } }));
}

/** The first fault in the messages: a call without its result in the next message, or a result without its call. */
export function requestProblem(messages: readonly Message[]): string | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    const calls = role === "assistant" ? content.flatMap((block) => (block.type === "tool_use" ? block.id : [])) : [];
    const results = messages[index + 1]?.content.flatMap((block) => (block.type === "tool_result" ? block.tool_use_id : [])) ?? [];
    if (calls.length > 0 && calls.toSorted().join() !== results.toSorted().join())
      return `message ${index} has the calls ${calls.join()}, the next one the results ${results.join()}`;
  }
  return undefined;
}
