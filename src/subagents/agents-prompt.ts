// The list of agents or skills in a tool description. It is part of every request, so it is kept short.
import type { Definition } from "./definitions/definition.ts";

const longestDescription = 160;

/** One line for each agent that a model may start, at most `mostBytes` in total. The last line counts the agents that did not fit. */
export function agentsPrompt(definitions: readonly Pick<Definition, "name" | "description">[], mostBytes: number): string {
  const described = definitions.filter(({ description }) => description !== "");
  const lines: string[] = [];
  let bytes = 0;
  for (const { name, description } of described) {
    const line = `- ${name}: ${oneLine(description)}`;
    const more = rest(described.length - lines.length - 1);
    if (bytes + size(line) + size(more) > mostBytes) break;
    bytes += size(line);
    lines.push(line);
  }
  return [...lines, ...[rest(described.length - lines.length)].filter(Boolean)].join("\n");
}

/** In bytes, including the newline. */
const size = (line: string) => (line === "" ? 0 : Buffer.byteLength(line) + 1);

const rest = (count: number) => (count === 0 ? "" : `- and ${count} more; a wrong name is answered with the nearest ones`);

function oneLine(text: string): string {
  const line = text
    .replaceAll(/\\n|\s+/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return line.length <= longestDescription ? line : `${line.slice(0, longestDescription).toWellFormed()}…`;
}
