// Tools of ours, served to a program that speaks the Model Context Protocol: the few methods that a server with tools and nothing else has.
import { z } from "zod";
import { readArguments } from "../tools/arguments.ts";
import { inputSchema } from "../tools/input-schema.ts";
import type { AnyTool } from "../tools/tool.ts";
import { errorText } from "../wording/error-text.ts";
import { nearestName } from "../wording/nearest-name.ts";

export type ServedTools = { name: string; version: string; instructions: string; tools: readonly AnyTool[] };

export type ToolServer = {
  /** The reply to one message; undefined if it gets none. Never rejects. */
  answer(message: unknown): Promise<Reply | undefined>;
  /** Ends calls that are still running. */
  abort(): void;
};

type Id = string | number;
type Failure = { code: number; message: string };
export type Reply = { jsonrpc: "2.0"; id: Id | null } & ({ result: unknown } | { error: Failure });

/** The newest first. Another one that a client asks for is answered with the newest, and the client decides. */
const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Codes of JSON-RPC 2.0. */
const codes = { notJson: -32_700, badRequest: -32_600, noMethod: -32_601, badParams: -32_602, fault: -32_603 };

const messageSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
const openingSchema = z.object({ protocolVersion: z.string() });
const callSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });
const cancelSchema = z.object({ requestId: z.union([z.string(), z.number()]) });

/** The reply to a line that is no JSON, or too long for one. */
export const unreadable = (why: string): Reply => failed(null, codes.notJson, `Cannot read the message: ${why}`);

export function serveTools(served: ServedTools): ToolServer {
  const running = new Map<Id, AbortController>();
  const call = async (id: Id, params: unknown) => {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      return await called(served.tools, params, stop.signal);
    } finally {
      running.delete(id);
    }
  };
  const methods: Record<string, (params: unknown, id: Id) => unknown> = {
    initialize: (params) => opened(served, params),
    ping: () => ({}),
    "tools/list": () => ({ tools: served.tools.map(listed) }),
    "tools/call": (params, id) => call(id, params),
  };
  return {
    async answer(raw) {
      const parsed = messageSchema.safeParse(raw);
      if (!parsed.success) return failed(null, codes.badRequest, "Cannot read the message: it must be one JSON-RPC 2.0 object");
      const { id, method, params = {} } = parsed.data;
      if (method === "notifications/cancelled") running.get(cancelSchema.safeParse(params).data?.requestId ?? "")?.abort();
      if (id === undefined || method === undefined) return undefined; // a notification, or an answer to a question that was not asked
      const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!answer) return failed(id, codes.noMethod, `There is no method ${JSON.stringify(method)}: this server has tools only`);
      try {
        return { jsonrpc: "2.0", id, result: await answer(params, id) };
      } catch (error) {
        return error instanceof z.ZodError
          ? failed(id, codes.badParams, `The parameters of ${method} cannot be used: ${error.issues[0]?.message}`)
          : failed(id, codes.fault, errorText(error));
      }
    },
    abort() {
      for (const stop of running.values()) stop.abort();
    },
  };
}

const failed = (id: Id | null, code: number, message: string): Reply => ({ jsonrpc: "2.0", id, error: { code, message } });

function opened({ name, version, instructions }: ServedTools, params: unknown) {
  const { protocolVersion: wanted } = openingSchema.parse(params);
  return {
    protocolVersion: protocolVersions.includes(wanted) ? wanted : protocolVersions[0],
    capabilities: { tools: {} },
    serverInfo: { name, version },
    instructions,
  };
}

const listed = (tool: AnyTool) => ({
  name: tool.name,
  description: tool.description,
  inputSchema: inputSchema(tool),
  annotations: { readOnlyHint: tool.readOnly },
});

/** What a tool refuses is a result that the model reads, as is a call that cannot be understood. */
async function called(tools: readonly AnyTool[], params: unknown, signal: AbortSignal) {
  const { name, arguments: given = {} } = callSchema.parse(params);
  const tool = tools.find((one) => one.name === name);
  if (!tool) return refusal(noSuchTool(name, tools));
  const read = readArguments(tool, given);
  if (!read.ok) return refusal(`Cannot call ${name}: ${read.reason}`);
  const { text, isError } = await tool.run(read.input as never, { signal });
  return { content: [{ type: "text", text }], isError };
}

function noSuchTool(name: string, tools: readonly AnyTool[]): string {
  const names = tools.map((one) => one.name);
  const near = nearestName(name, names);
  return `There is no tool ${JSON.stringify(name.slice(0, 60))}. ${near ? `Did you mean ${near}?` : `The tools are ${names.join(", ")}.`}`;
}

const refusal = (text: string) => ({ content: [{ type: "text", text }], isError: true });
