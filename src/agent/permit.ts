// May this tool call run? What the loop asks of the permissions.
import type { Call } from "../permissions/call.ts";
import type { ToolResult } from "../tools/tool.ts";

export type ToolCall = Call & {
  /** The same call with another input; the reason is the second half of a sentence. Absent: its input stays as it is. */
  withInput?: (raw: unknown) => { ok: true; call: ToolCall } | { ok: false; reason: string };
};
/**
 * `input`: what the call is to run with, where that is not what it was asked for. `missing`: nobody could be asked, and these rules would have
 * allowed it; empty if only an answer can. `why`: the reason without the parts that only matter without a screen.
 */
export type Permission =
  | { allowed: true; input?: unknown }
  | { allowed: false; reason: string; obstacle?: ToolResult; missing?: string[]; why?: string };
/** May this call run? Asks the person where that is needed and possible. */
export type Permit = (call: ToolCall, signal: AbortSignal) => Promise<Permission>;
