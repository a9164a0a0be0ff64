// The next reply of a script, as a function of the request alone: its messages are replayed through the scenes, and each reply among them
// advances its scene. So a restarted process continues where it was.
import { createHash } from "node:crypto";
import type { Message, ModelRequest, ToolUseBlock } from "../../../agent/ports/model.ts";
import { misfit } from "./call.ts";
import { type Call, type Fault, placeholder, type Script } from "./file.ts";
import { ScriptError } from "./source.ts";
import { emptyStage, errorAt, hear, type Part, perform } from "./stage.ts";

export type ScriptedReply = { text: string; calls: ToolUseBlock[]; fault: Fault | undefined; pauseMs: number };

/** Throws ScriptError if the script has no reply to this request, or one that does not fit the request's tools. */
export function nextReply(script: Script, request: ModelRequest): ScriptedReply {
  const stage = emptyStage(script, agentOf(script, request));
  for (const message of request.messages) {
    if (message.role === "user") hear(stage, message);
    else perform(stage, message);
  }
  const parts = perform(stage);
  const state = fingerprint(request.messages);
  return {
    text: parts
      .map((part) => fill(part.option.say, { script, part, line: part.option.line }))
      .filter(Boolean)
      .join("\n\n"),
    calls: parts.flatMap((part) =>
      part.option.calls.map((call, n) => {
        const id = `toolu_${part.scene.name}-${part.position + 1}-${n + 1}-${state}`;
        return { type: "tool_use" as const, id, name: call.tool, input: inputOf(call, { script, part, request }) };
      }),
    ),
    fault: parts.find((part) => part.option.fault)?.option.fault,
    pauseMs: parts.reduce((sum, part) => sum + part.option.pauseMs, 0),
  };
}

/** Differs for every state of a conversation, ignoring cache marks; 8 hexadecimal digits. */
export function fingerprint(messages: Message[]): string {
  const unmarked = JSON.stringify(messages, (key, value: unknown) => (key === "cache_control" ? undefined : value));
  return createHash("sha256").update(unmarked).digest("hex").slice(0, 8);
}

/** The name in the first line of the system prompt. */
function agentOf({ file, agents }: Script, request: ModelRequest): string {
  const name = /^You are ([^,\n]+),/.exec(request.system[0]?.text ?? "")?.[1];
  if (name !== undefined && agents.includes(name)) return name;
  const found = name === undefined ? 'the system prompt does not begin with "You are NAME,"' : `"${name}" is not among them`;
  throw new ScriptError(`script ${file}: it plays ${agents.join(", ")}; ${found}`);
}

function inputOf(call: Call, { script, part, request }: { script: Script; part: Part; request: ModelRequest }): unknown {
  const at = { ...part, line: call.line };
  const tool = request.tools.find(({ name }) => name === call.tool);
  if (!tool) {
    const offered = request.tools.map(({ name }) => name).join(", ");
    throw errorAt(script, at, `calls ${call.tool}, and the tools of "${part.captures["agent"]}" are ${offered || "none"}`);
  }
  const input = fillDeep(call.input, { script, part, line: call.line });
  const problem = misfit(tool.input_schema, input);
  if (problem) throw errorAt(script, at, `calls ${call.tool} with an input that it cannot take: ${problem}`);
  return input;
}

type Filling = { script: Script; part: Part; line: number };

function fillDeep(value: unknown, filling: Filling): unknown {
  if (typeof value === "string") return fill(value, filling);
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, filling));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillDeep(item, filling)]));
}

function fill(text: string, { script, part, line }: Filling): string {
  return text.replace(placeholder, (whole, name: string) => {
    if (whole.startsWith("\\")) return whole.slice(1);
    const captured = part.captures[name];
    if (captured === undefined)
      throw errorAt(script, { ...part, line }, `{{${name}}} was not captured: the option that captures it was not played`);
    return captured;
  });
}
