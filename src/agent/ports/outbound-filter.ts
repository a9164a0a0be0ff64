// The filter between an agent and the provider: its calls, their results and its input pass through it. Declared here, so that the
// loop needs to know nothing of secrets.
import type { ToolResult } from "../../tools/tool.ts";
import type { Input } from "../events.ts";
import type { AssistantMessage } from "./model.ts";
import type { ToolCall } from "./permit.ts";

/** `reason` is one sentence for the model. */
export type FilteredCall = { ok: true; input: unknown } | { ok: false; reason: string };

export interface OutboundFilter {
  /** A call that is permitted, just before it runs: its input as it may be used, or why it may not run. */
  call(call: ToolCall, signal: AbortSignal): Promise<FilteredCall>;
  /** A result before anybody sees it, and a notice about it for the user. */
  result(result: ToolResult): Promise<{ result: ToolResult; notices: string[] }>;
  /** A reply as it is recorded, shown and sent back: what the model itself has written of secrets is in none of it. */
  reply(message: AssistantMessage): Promise<AssistantMessage>;
  /** A line about a call. */
  text(text: string): Promise<string>;
  /** Input before it is recorded, and a notice about it for the user. */
  inputs(inputs: Input[]): Promise<{ inputs: Input[]; notices: string[] }>;
}
