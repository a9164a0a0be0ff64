// May this tool call run? What the loop asks of the permissions.

export type ToolCall = { tool: string; input: unknown };
export type Permission = { allowed: true } | { allowed: false; reason: string };
/** May this call run? Asks the person where that is needed and possible. */
export type Permit = (call: ToolCall, signal: AbortSignal) => Promise<Permission>;
