// The tools of servers for one agent: those that stand in its requests, and two more to find and call the others. All of them are ordinary tools, so that
// rules, questions, redaction and limits apply to them as to any other.
import { z } from "zod";
import { refused } from "../tools/answer.ts";
import type { AskDesk } from "../tools/ask-user.ts";
import type { AnyTool, Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import { errorText } from "../wording/error-text.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { type Budget, standing } from "./budget.ts";
import { type OfferedTool, oneLine, sendable, serverIn } from "./catalog.ts";
import type { Connection } from "./connections.ts";
import { faultIn, type LinkFault } from "./link.ts";
import { callDescription, searchDescription, unknownOutcome } from "./prompt.ts";
import { toolResultOf } from "./result.ts";
import { findTools } from "./search.ts";

export type ServerToolsOrder = {
  /** Those that this agent may use. */
  connections: readonly Connection[];
  budget: Budget;
  /** Where a server's questions in the middle of a call go. */
  desk: AskDesk | undefined;
};

/** In an order that never changes within a session. */
export function serverTools({ connections, budget, desk }: ServerToolsOrder): AnyTool[] {
  const { tools, behind } = standing(
    connections.map(({ configured, began }) => ({ name: configured.name, catalog: began })),
    budget,
  );
  const connectionOf = (tool: string) => connections.find(({ configured }) => configured.name === serverIn(tool));
  const direct = tools.flatMap((tool) => {
    const connection = connectionOf(tool.name);
    return connection ? [directTool(tool, { connection, desk })] : [];
  });
  if (behind.length === 0) return direct;
  const searched = connections.filter(({ configured }) => behind.includes(configured.name));
  return [...direct, searchTool(searched), callTool({ connections, desk })];
}

const anyInput = () => z.record(z.string(), z.unknown());
type Input = Record<string, unknown>;
type Way = { connection: Connection; desk: AskDesk | undefined };

function directTool(tool: OfferedTool, way: Way): Tool<Input> {
  const { description, schema } = sendable(tool);
  return { ...namedTool(tool.name, way), description, schema };
}

/** `name`: as rules name it. What the server calls it is looked up in its list when it is called. */
function namedTool(name: string, { connection, desk }: Way): Tool<Input> {
  return {
    name,
    description: "",
    input: anyInput(),
    readOnly: false,
    subject: subjectOf,
    run: (input, context) => calledTool(name, { connection, desk }, { input, context }),
  };
}

const longestSubject = 120;

function subjectOf(input: Input): string {
  const text = oneLine(
    Object.entries(input)
      .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(", "),
  );
  return text.length > longestSubject ? `${text.slice(0, longestSubject).toWellFormed()}…` : text;
}

async function calledTool(
  name: string,
  { connection, desk }: Way,
  { input, context: { signal, onOutput } }: { input: Input; context: ToolContext },
): Promise<ToolResult> {
  const server = connection.configured.name;
  let isSent = false;
  try {
    return await connection.use(
      async (link, { tools }) => {
        const tool = tools.find((one) => one.name === name);
        if (!tool) return noSuchTool(name, { server, names: tools.map((one) => one.name) });
        isSent = true;
        return toolResultOf(server, await link.call(tool.called, input, { signal, ...(onOutput && { onProgress: onOutput }) }));
      },
      { signal, desk },
    );
  } catch (error) {
    return failed(name, { server, isSent }, error);
  }
}

function noSuchTool(name: string, { server, names }: { server: string; names: string[] }): ToolResult {
  const near = nearestName(name, names);
  return refused(`Cannot call ${name}: the server "${server}" has no such tool${near ? `. Did you mean ${near}?` : ""}`, "no such tool");
}

function failed(name: string, { server, isSent }: { server: string; isSent: boolean }, error: unknown): ToolResult {
  const kind = faultIn(error);
  const { text, ...rest } = refused(
    `Cannot ${isSent ? "finish" : "call"} ${name}: the server "${server}" ${oneLine(errorText(error))}`,
    summaries[kind],
  );
  return { ...rest, text: isSent && kind !== "answered" ? `${text} ${unknownOutcome}` : text };
}

const summaries: Record<LinkFault["fault"], string> = {
  lost: "server lost",
  login: "not available",
  refused: "not available",
  answered: "failed",
  late: "timed out",
  aborted: "interrupted",
};

const searchInput = z.strictObject({ query: z.string(), server: z.string().optional() });
const mostFound = 8;
const mostText = 12_000;

function searchTool(connections: readonly Connection[]): Tool<z.infer<typeof searchInput>> {
  const names = connections.map(({ configured }) => configured.name);
  return {
    name: "McpSearch",
    description: searchDescription(names),
    input: searchInput,
    readOnly: true,
    subject: ({ query, server }) => [query, server].filter(Boolean).join(" in "),
    async run({ query, server }, { signal }) {
      if (server !== undefined && !names.includes(server))
        return refused(`There is no server "${server}" here. There are: ${names.join(", ")}`, "no such server");
      const asked = connections.filter(({ configured }) => server === undefined || configured.name === server);
      const answers = await Promise.all(asked.map((one) => listOf(one, signal)));
      const tools = answers.flatMap((one) => ("tools" in one ? one.tools : []));
      const found = findTools(tools, query);
      const out = answers.flatMap((one) => ("reason" in one ? [one.reason] : []));
      const text = [
        ...found.slice(0, mostFound).map(toolText),
        ...restOf(found),
        ...(found.length === 0 ? [nothing(tools)] : []),
        ...out,
      ].join("\n\n");
      return {
        text: text.slice(0, mostText).toWellFormed(),
        isError: false,
        summary: found.length === 1 ? "1 tool" : `${found.length} tools`,
      };
    },
  };
}

async function listOf(connection: Connection, signal: AbortSignal): Promise<{ tools: OfferedTool[] } | { reason: string }> {
  try {
    return { tools: (await connection.list(signal)).tools };
  } catch (error) {
    return { reason: `The server "${connection.configured.name}" ${oneLine(errorText(error))}.` };
  }
}

const toolText = ({ name, description, schema }: OfferedTool) => `${name}: ${description}\ninput: ${JSON.stringify(schema)}`;

const restOf = (found: OfferedTool[]) =>
  found.length > mostFound
    ? [
        `Further ones: ${found
          .slice(mostFound)
          .map(({ name }) => name)
          .join(", ")}`,
      ]
    : [];

const nothing = (tools: OfferedTool[]) =>
  tools.length === 0 ? "No tools." : `No tool has these words. All names: ${tools.map(({ name }) => name).join(", ")}`;

const callInput = z.strictObject({ tool: z.string(), arguments: anyInput().optional() });

function callTool({ connections, desk }: Omit<ServerToolsOrder, "budget">): Tool<z.infer<typeof callInput>> {
  const names = connections.map(({ configured }) => configured.name);
  return {
    name: "McpCall",
    description: callDescription,
    input: callInput,
    readOnly: false,
    subject: ({ tool }) => oneLine(tool),
    forwards({ tool, arguments: input = {} }) {
      const connection = connections.find(({ configured }) => configured.name === serverIn(tool));
      return connection && { tool: namedTool(tool, { connection, desk }), input };
    },
    run: async ({ tool }) =>
      refused(
        `Cannot call ${JSON.stringify(oneLine(tool))}: it has the form mcp__server__tool, and the servers are ${names.join(", ")}`,
        "no such server",
      ),
  };
}
