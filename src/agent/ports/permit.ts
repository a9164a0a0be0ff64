// The loop's port to the permissions: may this tool call run?
import type { Call } from "../../permissions/call.ts";
import type { ToolResult } from "../../tools/tool.ts";

export type ToolCall = Call & {
  /** Its input under all names that its arguments have, for the user's hooks in this folder. Absent: it has only these. */
  shown?: (cwd: string) => Record<string, unknown>;
  /**
   * Checks the same call with the input that a hook gave back which was shown `shown`; the reason is the second half of a sentence. Absent: the input
   * cannot change.
   */
  withInput?: (raw: unknown, shown?: Record<string, unknown>) => { ok: true; call: ToolCall } | { ok: false; reason: string };
};
/**
 * `input`: the input to run with, if it was changed. `ranMs`: it has run already, and took so long. `missing`: nobody could be asked, and these
 * rules would have allowed the call; empty if only an answer can.
 */
export type Permission =
  | { allowed: true; input?: unknown; ranMs?: number }
  | { allowed: false; reason: string; obstacle?: ToolResult; missing?: string[] };
/** May this call run? Asks the person where that is needed and possible. */
export type Permit = (call: ToolCall, signal: AbortSignal) => Promise<Permission>;
