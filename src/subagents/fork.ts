// A fork begins with its parent's conversation: every call of the parent's last reply gets a result, and the fork's own result contains its prompt.
import type { Agent } from "../agent/agent.ts";
import type { TranscriptEvent } from "../agent/events.ts";
import { forkText, siblingOfFork } from "./prompt.ts";
import type { AgentRecord } from "./record.ts";

/** To be emitted once, before the fork's first request, which then extends the parent's last request. */
export function forkResults(agent: Agent, { name, prompt, call }: AgentRecord): TranscriptEvent[] {
  return agent.history.pendingCalls().map(({ id, name: tool }) => ({
    type: "tool_ended",
    id,
    name: tool,
    subject: "",
    text: id === call ? forkText(name, prompt) : siblingOfFork,
    isError: false,
    summary: "",
    touched: [],
    ms: 0,
    at: agent.clock.now().toISOString(),
  }));
}
