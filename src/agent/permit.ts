// May this tool call run? What the loop asks of the permissions.
import type { HookRuling, LeftBehind } from "../permissions/call.ts";
import type { ToolResult } from "../tools/tool.ts";

export type ToolCall = {
  /** Absent where no model has made the call. */
  id?: string;
  tool: string;
  input: unknown;
  /** Why the call would fail anyway, looked up before a person is asked in vain. */
  obstacle?: () => Promise<ToolResult | undefined>;
  /** Whether it puts something else in the place of what is there. */
  replaces?: () => Promise<boolean>;
  /** What a command has left where the call would write. */
  left?: LeftBehind;
  /** What the person's hooks say of it. */
  hook?: HookRuling;
  /** The same call with another input; the reason is the second half of a sentence. Absent: its input stays as it is. */
  withInput?: (raw: unknown) => { ok: true; call: ToolCall } | { ok: false; reason: string };
};
/**
 * `input`: what the call is to run with, where that is not what it was asked for. `missing`: nobody could be asked, and these rules would have
 * allowed it; empty where only an answer can. `why`: the reason without what a person at the keyboard has no use for.
 */
export type Permission =
  | { allowed: true; input?: unknown }
  | { allowed: false; reason: string; obstacle?: ToolResult; missing?: string[]; why?: string };
/** May this call run? Asks the person where that is needed and possible. */
export type Permit = (call: ToolCall, signal: AbortSignal) => Promise<Permission>;
