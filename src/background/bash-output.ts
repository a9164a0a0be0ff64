// BashOutput: the tool that returns what a background command has printed since the last call. KillBash: the tool that ends one.

import { z } from "zod";
import { done, refused } from "../tools/answer.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import { errorText } from "../wording/error-text.ts";
import { type CommandRecord, elapsedMs, stateText } from "./command.ts";
import type { AgentCommands } from "./commands.ts";

/** The lines that match the pattern; undefined if matching takes too long. Throws if the pattern is not a regular expression. */
export type MatchingLines = (lines: string[], pattern: string, ignoreCase?: boolean) => string[] | undefined;

export type BashOutputSetup = { commands: AgentCommands; matchingLines: MatchingLines; nowMs: () => number };

const aliases = { bash_id: "id", shell_id: "id", task_id: "id" };
const id = z.string();

const outputInput = z.strictObject({
  id,
  filter: z.string().optional().describe("regular expression for lines"),
});

export function bashOutputTool({ commands, matchingLines, nowMs }: BashOutputSetup): Tool<z.infer<typeof outputInput>> {
  return {
    name: "BashOutput",
    description:
      "Shows what a background command has printed since the last call, and its state. You are told when one ends: do not poll for that.",
    input: outputInput,
    aliases,
    readOnly: true,
    waits: true,
    subject: ({ id, filter }) => (filter === undefined ? id : `${id} ${filter}`),
    run({ id, filter }) {
      const found = commands.read(id);
      if (!found) return Promise.resolve(unknown(id, commands));
      const text = filter === undefined ? found.text : filtered(found.text, filter, matchingLines);
      if (typeof text !== "string") return Promise.resolve(text);
      found.seen();
      const { record } = found;
      const head = `[${id}, ${stateText(record)}, ${Math.round(elapsedMs(record, nowMs()) / 1000)} s: ${record.command}]`;
      return Promise.resolve(done(`${head}\n${text.trimEnd() || nothing(record, filter)}`, stateText(record)));
    },
  };
}

function nothing({ output }: CommandRecord, filter: string | undefined): string {
  const file = output === undefined ? "" : `; all of it is in ${output}`;
  return filter === undefined ? `(nothing new${file})` : `(no new lines match the filter${file})`;
}

function filtered(text: string, filter: string, matchingLines: MatchingLines): string | ToolResult {
  try {
    const lines = matchingLines(text.split("\n"), filter);
    return lines?.join("\n") ?? refused("Cannot filter the output: the pattern takes too long. Use a simpler one.", "bad filter");
  } catch (error) {
    const why = errorText(error);
    return refused(`Cannot filter the output: ${why}. Give a JavaScript regular expression.`, "bad filter");
  }
}

const killInput = z.strictObject({ id });

export function killBashTool({ commands }: Pick<BashOutputSetup, "commands">): Tool<z.infer<typeof killInput>> {
  return {
    name: "KillBash",
    description: "Ends a background command and everything it started.",
    input: killInput,
    aliases,
    readOnly: false,
    subject: ({ id }) => id,
    async run({ id }) {
      const before = commands.list().find((record) => record.id === id);
      if (before && before.state !== "running") return refused(`Cannot end ${id}: it has ended already (${stateText(before)}).`, "ended");
      const record = await commands.kill(id);
      return record ? done(`${id} was ended (${stateText(record)}).`, record.state) : unknown(id, commands);
    },
  };
}

function unknown(id: string, commands: AgentCommands): ToolResult {
  const all = commands.list().map((record) => `${record.id} (${stateText(record)})`);
  const which = all.length === 0 ? "You have started none" : `There are: ${all.join(", ")}`;
  return refused(`There is no background command "${id}". ${which}.`, "unknown id");
}
