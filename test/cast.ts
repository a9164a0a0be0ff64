// A whole team's provider on loopback: each agent receives the answers of its own list, in the order of its requests.

import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { textOfResult } from "../src/agent/ports/model.ts";
import { type Answer, type RecordedRequest, startMessagesApi, text, toolUse } from "./messages-api.ts";

/** Answers to one agent's attempts at requests. A function sees the request, and may answer later. */
export type Part = (Answer | ((request: RecordedRequest) => Answer | Promise<Answer>))[];

export type Provider = {
  env: Record<string, string>;
  /** Every attempt of that agent, in order. */
  requests(agent: string): RecordedRequest[];
};

/** An agent without answers, or past its last one, receives "(nothing more)". The server ends with the test. */
export async function provider(cast: Record<string, Part>): Promise<Provider> {
  const played = new Map<string, RecordedRequest[]>();
  const used = new Set<string>();
  const api = await startMessagesApi({
    async reply(request) {
      const agent = agentOf(request);
      const earlier = played.get(agent) ?? [];
      played.set(agent, [...earlier, request]);
      const answer = cast[agent]?.[earlier.length] ?? text("(nothing more)");
      return withOwnIds(typeof answer === "function" ? await answer(request) : answer, used);
    },
  });
  onTestFinished(api.close);
  return { env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "sk-test" }, requests: (agent) => played.get(agent) ?? [] };
}

/** Gives a call that a part repeats a new id: models use an id once, and providers refuse a repeated one. */
function withOwnIds(answer: Answer, used: Set<string>): Answer {
  if (!Array.isArray(answer)) return "type" in answer ? (withOwnIds([answer], used) as Answer) : answer;
  return answer.map((block) => {
    if (block.type !== "tool_use") return block;
    const id = used.has(block.id) ? `toolu_${randomUUID()}` : block.id;
    used.add(id);
    return { ...block, id };
  });
}

/** A tool call with an id of its own. */
export function call(name: string, input: Record<string, unknown>): ReturnType<typeof toolUse> {
  return toolUse(name, input, `toolu_${randomUUID()}`);
}

/** An answer that waits until `open` is called. */
export function gate(answer: Answer): { answer: () => Promise<Answer>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { answer: () => opened.then(() => answer), open };
}

/** The text of the last message to the model, tool results included. */
export function newest(request: RecordedRequest | undefined): string {
  return JSON.stringify(request?.body.messages.at(-1)?.content);
}

/** Texts of all messages, one list for each, without the block that describes the working directory. */
export function saidIn(request: RecordedRequest | undefined): string[][] {
  const texts = request?.body.messages.map(({ content }) => content.map((block) => ("text" in block ? block.text : ""))) ?? [];
  return texts.map((message) => message.filter((words) => !words.startsWith("<environment>")));
}

/** The tools' results in the last message, in order. */
export function toolResults(request: RecordedRequest | undefined): string[] {
  return (request?.body.messages.at(-1)?.content ?? []).flatMap((block) =>
    block.type === "tool_result" ? textOfResult(block.content) : [],
  );
}

/**
 * The index of the first request that does not extend the previous one, `cache_control` and the output limit aside; undefined when all do.
 */
export function firstThatDoesNotExtend(requests: RecordedRequest[]): number | undefined {
  const parts = requests.map(({ body: { messages, stream: _stream, max_tokens: _limit, ...rest } }) => [
    JSON.stringify(rest, withoutMarks),
    ...messages.flatMap(({ role, content }) => content.map((block) => JSON.stringify([role, block], withoutMarks))),
  ]);
  const found = parts.findIndex((part, n) => n > 0 && parts[n - 1]?.some((text, index) => part[index] !== text));
  return found < 0 ? undefined : found;
}

function withoutMarks(key: string, value: unknown): unknown {
  return key === "cache_control" ? undefined : value;
}

/** By the first line of its system prompt. */
export function agentOf({ body }: { body: Pick<RecordedRequest["body"], "system"> }): string {
  const [, name = ""] = /^You are ([\w-]+),/.exec(body.system?.[0]?.text ?? "") ?? [];
  return name;
}
