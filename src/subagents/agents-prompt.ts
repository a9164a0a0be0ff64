// The list of agents, or of skills, that a model is shown: short, since it is part of every request.
import type { Definition } from "./definition.ts";

const longestDescription = 160;

/** A line for each agent that may be called by a model, at most `mostBytes` in all; the others are counted, and found by their names. */
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

/** With the end of its line. */
const size = (line: string) => (line === "" ? 0 : Buffer.byteLength(line) + 1);

const rest = (count: number) => (count === 0 ? "" : `- and ${count} more; a wrong name is answered with the nearest ones`);

function oneLine(text: string): string {
  const line = text
    .replaceAll(/\\n|\s+/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return line.length <= longestDescription ? line : `${line.slice(0, longestDescription).toWellFormed()}…`;
}
