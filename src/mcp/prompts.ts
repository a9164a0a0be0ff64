// Prompts of servers, which a person types as `/server:prompt`, and resources, which they attach as `@server:uri`.
import { refused } from "../tools/answer.ts";
import type { ToolResult } from "../tools/tool.ts";
import { errorText } from "../wording/error-text.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { type OfferedPrompt, oneLine } from "./catalog.ts";
import type { Connection } from "./connections.ts";
import { type PromptText, promptTextOf, resourceOf } from "./result.ts";

/** `rest`: the name of the prompt, or the address of the resource. */
export type NamedAtServer = { connection: Connection; rest: string };

/** Undefined if what is before the colon is no server of this agent. */
export function atServer(connections: readonly Connection[], named: string): NamedAtServer | undefined {
  const [, server, rest] = /^([A-Za-z0-9_-]+):(.+)$/s.exec(named) ?? [];
  const connection = connections.find(({ configured }) => configured.name === server);
  return connection && rest !== undefined ? { connection, rest } : undefined;
}

/** The prompts whose servers have been asked already, by the name that a person types. */
export function knownPrompts(connections: readonly Connection[]): { name: string; prompt: OfferedPrompt }[] {
  return connections.flatMap(({ configured, latest }) =>
    (latest()?.prompts ?? []).map((prompt) => ({ name: `${configured.name}:${prompt.name}`, prompt })),
  );
}

/** `given`: what was typed behind the name. The reason continues "the server …". */
export async function promptText({ connection, rest }: NamedAtServer, given: string, signal: AbortSignal): Promise<PromptText> {
  try {
    return await connection.use(
      async (link, { prompts }) => {
        const prompt = prompts.find(({ name }) => name === rest);
        if (!prompt) return { ok: false, reason: `has no prompt "${oneLine(rest)}"${didYouMean(rest, prompts)}` };
        const values = argumentsOf(prompt, given);
        const missing = prompt.arguments.filter(({ name, required }) => required && values[name] === undefined);
        if (missing.length > 0) return { ok: false, reason: `needs for this prompt: ${missing.map(({ name }) => name).join(", ")}` };
        return promptTextOf(await link.prompt(prompt.name, values, signal));
      },
      { signal },
    );
  } catch (error) {
    return { ok: false, reason: oneLine(errorText(error)) };
  }
}

function didYouMean(name: string, prompts: readonly OfferedPrompt[]): string {
  const near = nearestName(
    name,
    prompts.map((prompt) => prompt.name),
  );
  return near === undefined ? "" : `. Did you mean "${near}"?`;
}

/** One word for each argument, in their order; the last one takes the rest. */
function argumentsOf({ arguments: named }: OfferedPrompt, given: string): Record<string, string> {
  const words = given.trim() === "" ? [] : given.trim().split(/\s+/);
  const values = named.map(({ name }, at) => [name, (at === named.length - 1 ? words.slice(at) : words.slice(at, at + 1)).join(" ")]);
  return Object.fromEntries(values.filter(([, value]) => value !== "")) as Record<string, string>;
}

export async function resourceText({ connection, rest }: NamedAtServer, signal: AbortSignal): Promise<ToolResult> {
  const server = connection.configured.name;
  try {
    return await connection.use(async (link) => resourceOf(server, await link.resource(rest, signal)), { signal });
  } catch (error) {
    return refused(`Cannot read ${oneLine(rest)}: the server "${server}" ${oneLine(errorText(error))}`, "failed");
  }
}
