// Finds an agent that goes round in circles: it makes calls that it has made before, and they tell it nothing that it does not know.
import { hash } from "node:crypto";
import type { AnyTool } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";
import type { Ending, Input } from "./events.ts";
import type { ToolUseBlock } from "./ports/model.ts";
import { repeatedCall } from "./prompt.ts";

/** After so many equal calls the agent is told, and after so many it is ended. */
const toldAfter = 3;
const endedAfter = 6;

export interface Repetition {
  /** Something came from outside: everything may be tried again. */
  news(): void;
  /** Looks at calls that have ended. */
  after(
    agent: Pick<Agent, "history" | "tools" | "outputs">,
    calls: readonly ToolUseBlock[],
  ): { ending: Ending } | { input: Input } | undefined;
}

/**
 * Two calls are equal if tool, input and result are the same text, the name of a file that keeps long output aside. Equal calls count as long as nothing
 * else happens than calls that were made before: a call or a result that is new is progress, and everything counts from one again. So a test that is
 * run again after each edit never counts, and two calls in turn do. Equal calls of one reply count once: none of them knew the result. Calls that wait
 * for something are left out: tools that say so (`waits`), and commands that sleep, wait or watch.
 */
export function createRepetition(): Repetition {
  /** How often a call was made since anything new, and when that was last: everything before it counts as one. */
  const times = new Map<string, { count: number; since: number }>();
  let since = 0;
  const timesOf = (key: string) => {
    const known = times.get(key);
    return known && known.since < since ? 1 : (known?.count ?? 0);
  };
  return {
    news: () => times.clear(),
    after({ history, tools, outputs }, calls) {
      if (calls.length === 0) return undefined;
      const results = resultsIn(history);
      const made = new Map<string, ToolUseBlock>();
      for (const call of calls) {
        const tool = tools.find(({ name }) => name === call.name);
        if (waits(tool, call.input)) continue;
        const result = results.get(call.id) ?? "";
        made.set(keyOf(call, withoutKept(result, outputs?.folder)), call);
      }
      if ([...made.keys()].some((key) => !times.has(key))) since++;
      const of = [...made].map(([key, call]) => ({ key, call, count: timesOf(key) + 1 }));
      for (const { key, count } of of) times.set(key, { count, since });
      const ended = of.find(({ count }) => count >= endedAfter);
      if (ended) return { ending: { kind: "repeats_itself", reason: endReason(ended.call, ended.count) } };
      const told = of.find(({ count }) => count === toldAfter);
      return told && { input: repeatedCall(told.call.name, told.count) };
    },
  };
}

const endReason = ({ name }: ToolUseBlock, count: number) =>
  `The agent repeats itself: it made the same call of ${name} ${count} times, always with the same result.`;

function waits(tool: AnyTool | undefined, input: unknown): boolean {
  if (tool?.waits) return true;
  const { command } = typeof input === "object" && input !== null ? (input as { command?: unknown }) : {};
  return tool?.name === "Bash" && typeof command === "string" && waiting.test(command);
}

const waiting = /(?:^|[\s;&|(])(?:sleep|wait|watch|until|inotifywait)(?:\s|$)/;

function resultsIn(history: Agent["history"]): Map<string, string> {
  const { content = [] } = history.messages().at(-1) ?? {};
  return new Map(content.flatMap((block) => (block.type === "tool_result" ? [[block.tool_use_id, wholeOf(block.content)]] : [])));
}

/** With its pictures. */
const wholeOf = (content: string | object) => (typeof content === "string" ? content : JSON.stringify(content));

const keyOf = ({ name, input }: ToolUseBlock, result: string) => hash("sha256", JSON.stringify([name, input, result]), "base64");

/** The name of a file that keeps a long output is another one each time. */
const withoutKept = (result: string, folder: string | undefined) =>
  folder !== undefined && result.includes(folder) ? result.replaceAll(new RegExp(`${escaped(folder)}/\\S*`, "g"), "") : result;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
