// The model that replaces an overloaded one until the next run of turns.
import type { Agent } from "../agent.ts";
import type { ModelFault } from "../ports/model.ts";

/** `answers`: it is asked now. */
export type Fallback = { model: string; answers: boolean };

const mostOverloads = 3;
/** Above this wait, another model answers instead. */
const longestWaitMs = 10_000;

/** After that many answers "529" to one request, or when the provider asks for a long wait. */
export function isTimeToFallBack({ status }: ModelFault, { overloads, waitMs }: { overloads: number; waitMs: number }): boolean {
  return status === 529 && (overloads >= mostOverloads || waitMs > longestWaitMs);
}

/** The model that is asked now. */
export function answeringModel({ modelName, fallback }: Pick<Agent, "modelName" | "fallback">): string {
  return fallback?.answers ? fallback.model : modelName;
}

export function fellBack({ modelName, fallback }: Pick<Agent, "modelName" | "fallback">): string {
  return `${modelName} is overloaded (529). ${fallback?.model} answers in its place until the next message.`;
}
