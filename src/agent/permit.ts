// May this tool call run? What the loop asks of the permissions.
import type { LeftBehind } from "../permissions/call.ts";
import type { ToolResult } from "../tools/tool.ts";

/** `obstacle`: why the call would fail anyway, looked up before a person is asked in vain. `left`: what a command has left where the call would write. */
export type ToolCall = { tool: string; input: unknown; obstacle?: () => Promise<ToolResult | undefined>; left?: LeftBehind };
/** `missing`: nobody could be asked, and these rules would have allowed it; empty where only an answer can. */
export type Permission = { allowed: true } | { allowed: false; reason: string; obstacle?: ToolResult; missing?: string[] };
/** May this call run? Asks the person where that is needed and possible. */
export type Permit = (call: ToolCall, signal: AbortSignal) => Promise<Permission>;
