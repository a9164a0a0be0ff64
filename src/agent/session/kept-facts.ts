// Facts that a summary of the conversation keeps word for word: the description of the environment, and the agent's own list.
import type { TranscriptEvent } from "../events.ts";
import type { Survivors } from "../prompt.ts";

export interface KeptFacts {
  apply(event: TranscriptEvent): void;
  survivors(): Pick<Survivors, "environment" | "todos">;
}

export function createKeptFacts(past: readonly TranscriptEvent[]): KeptFacts {
  let environment: string | undefined;
  let todos: string | undefined;
  const kept: KeptFacts = {
    apply(event) {
      if (event.type === "input") environment ??= event.inputs.find(({ source }) => source.kind === "environment")?.text;
      if (event.type === "tool_ended" && event.name === "TodoWrite" && !event.isError) todos = event.text;
    },
    survivors: () => ({ environment, todos }),
  };
  for (const event of past) kept.apply(event);
  return kept;
}
