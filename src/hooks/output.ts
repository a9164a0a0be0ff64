// The standard output of a hook: empty, or one JSON object.
import { z } from "zod";
import { nearestName } from "../wording/nearest-name.ts";

export const hookOutput = z.lazy(() =>
  z.object({
    decision: z
      .enum(["allow", "ask", "deny", "block", "approve"])
      .optional()
      .describe('"deny" and "block" are what exit code 2 is; "allow" and "ask" count at PreToolUse'),
    reason: z.string().optional().describe("why; shown to the model or the person that is refused"),
    updated_input: z.record(z.string(), z.unknown()).optional().describe("at PreToolUse: the whole input that the call has instead"),
    additional_context: z.string().optional().describe("at SessionStart, UserPromptSubmit and PostToolUse: shown to the model"),
    continue: z.boolean().optional().describe("false: the agent ends its turn"),
    stop_reason: z.string().optional().describe('with "continue": false: why; shown to the person'),
    system_message: z.string().optional().describe("shown to the person"),
    suppress_output: z.boolean().optional().describe("without a meaning here: what a hook prints is not shown"),
  }),
);
export type HookOutput = Omit<z.infer<typeof hookOutput>, "decision"> & { decision?: "allow" | "ask" | "deny" };

/** `unknown`: keys without a meaning. */
export type ReadOutput = { ok: true; output: HookOutput; unknown: string[] } | { ok: false; reason: string };

export function readOutput(text: string): ReadOutput {
  if (text.trim() === "") return { ok: true, output: {}, unknown: [] };
  const json = jsonOf(text);
  if (json === undefined) return { ok: false, reason: "is not JSON" };
  if (typeof json !== "object" || json === null || Array.isArray(json)) return { ok: false, reason: "is JSON, but not an object" };
  const plain = inOurNames(json as Record<string, unknown>);
  const read = hookOutput.safeParse(plain);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { ok: false, reason: `cannot be used: ${issue?.path.join(".")}: ${issue?.message}` };
  }
  const { decision, ...output } = read.data;
  const meant = decision && ({ block: "deny", approve: "allow" } as const)[decision as "block" | "approve"];
  const known = Object.keys(hookOutput.unwrap().shape);
  const unknown = Object.keys(plain).filter((key) => !known.includes(key));
  return { ok: true, output: { ...output, ...(decision && { decision: (meant ?? decision) as "allow" | "ask" | "deny" }) }, unknown };
}

/** For example `"decison"; did you mean "decision"?` */
export function unknownKey(key: string): string {
  const near = nearestName(key, Object.keys(hookOutput.unwrap().shape));
  return `"${key}"${near ? `; did you mean "${near}"?` : ""}`;
}

/** Names that hooks written for other tools use. Accepting them ensures that no refusal is lost because of its spelling. */
const otherNames: Record<string, string> = {
  permissionDecision: "decision",
  permissionDecisionReason: "reason",
  updatedInput: "updated_input",
  additionalContext: "additional_context",
  stopReason: "stop_reason",
  systemMessage: "system_message",
  suppressOutput: "suppress_output",
};

function inOurNames(given: Record<string, unknown>): Record<string, unknown> {
  const { hookSpecificOutput: inner, ...rest } = given;
  const specific = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
  const { hookEventName: _, ...said } = specific;
  return Object.fromEntries(
    Object.entries({ ...rest, ...said, ...answerIn(said["decision"]) }).map(([key, value]) => [otherNames[key] ?? key, value]),
  );
}

/** The answer to a question may be an object: `{ "behavior": "deny", "message": "…" }`. */
function answerIn(decision: unknown): Record<string, unknown> {
  if (typeof decision !== "object" || decision === null) return {};
  const { behavior, message } = decision as Record<string, unknown>;
  return { decision: behavior, ...(message !== undefined && { reason: message }) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
