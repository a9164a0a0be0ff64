// What the screen of a solo session shows of its agents and workers.
import { workerLine } from "../../../screen/events/worker-line.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import { createAgentAdvice } from "../../../subagents/advice.ts";
import { isUnderWay } from "../../../subagents/record.ts";
import type { Solo } from "../open-session.ts";
import type { Attended } from "./attended.ts";

/** Shows a line for each change and each command of workers, because their work is the session's own work. */
export function showWorkers({ pane, style, agentNames }: Attended, { agents }: Solo): void {
  agents.listen(({ worker, name }, event) => {
    if (!worker) return;
    if (!agentNames.includes(name)) agentNames.push(name);
    const line = workerLine(name, event, style);
    if (line !== undefined) pane.print(line, 11);
  });
}

/** Returns a function that stops it. */
export function adviseOnAgents({ pane, world }: Attended, { agents }: Solo): () => void {
  const advice = createAgentAdvice(`${world.command} help modes`);
  return agents.listen(({ name }, event) => {
    const atWork = agents.host.list().filter((record) => record.parent === undefined && !record.worker && isUnderWay(record)).length;
    const text = advice({ agent: name, atWork, event });
    if (text) pane.warn(visibleLine(text));
  });
}

/** Asks the person where it must; its report enters the conversation like any other. */
export async function resumeNamedAgent({ pane, flags }: Attended, { agents }: Solo, id: string): Promise<void> {
  const way = { maxTurns: flags.maxTurns, background: true };
  const result = await agents.host.resume(id, way, new AbortController().signal);
  if (result.kind === "refused") pane.warn(visibleLine(result.reason));
}
