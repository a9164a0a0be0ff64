// Files that a person names with an @ in what they type: read for the agent as if it had called Read itself, with the same rules, the same
// questions and without secrets. A folder is attached as the list of its files.
import type { Agent } from "./agent.ts";
import type { Input } from "./events.ts";
import { ownCall } from "./own-call.ts";

/**
 * What was typed, each line followed by the files that it names. What is no file is left as it was written, and
 * the person is told where it looks like one. */
export async function withAttachments(agent: Agent, inputs: Input[], signal: AbortSignal): Promise<Input[]> {
  const all: Input[] = [];
  for (const input of inputs) {
    all.push(input);
    for (const path of mentions(typedBy(input))) all.push(...(await attached(agent, path, signal)));
  }
  return all;
}

/** What the person wrote of it. */
function typedBy({ source, text }: Input): string {
  return source.kind === "user" ? text : source.kind === "skill" ? source.arguments : "";
}

const mostMentions = 10;

/** Paths behind an @ that begins a word, without the punctuation of the sentence behind them. */
export function mentions(text: string): string[] {
  const found = [...text.matchAll(/(?:^|[\s("'`])@([^\s"'`]+)/g)].map(([, path = ""]) => path.replace(/[.,;:!?)\]}]+$/, ""));
  return [...new Set(found.filter(Boolean))].slice(0, mostMentions);
}

async function attached(agent: Agent, path: string, signal: AbortSignal): Promise<Input[]> {
  const file = await ownCall(agent, { name: "Read", raw: { path }, signal });
  if (file?.summary === "not found" && /[./]/.test(path)) {
    const text = `There is no file @${path}: nothing is attached in its place.`;
    agent.emit({ type: "notice", level: "warning", text, at: agent.clock.now().toISOString() });
  }
  if (!file || file.summary === "not found") return [];
  const result = file.summary === "a folder" ? await ownCall(agent, { name: "Glob", raw: { pattern: "**", path }, signal }) : file;
  if (!result) return [];
  const shown = `  @${path}  ${result.summary}`;
  const text = result.isError
    ? `The person named @${path}, which could not be attached: ${result.text}`
    : `@${path}, attached by the person:\n${result.text}`;
  const { sources, media } = result;
  return [{ source: { kind: "file", path, ...(sources && { sources }) }, text, ...(media && { media }), shown }];
}
