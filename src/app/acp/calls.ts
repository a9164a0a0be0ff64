// Tool calls as an editor shows them: their kind, title, places, and what they did.
import { resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../agent/events.ts";
import { shownPath } from "../../agent/rewind/rewind.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { Media } from "../../tools/files/media.ts";
import { isRecord } from "../../wording/is-record.ts";
import { diffsOf } from "./diffs.ts";

type Ended = Extract<AgentEvent, { type: "tool_ended" }>;

const kinds: Record<string, ToolKind> = {
  Read: "read",
  BashOutput: "read",
  Write: "edit",
  Edit: "edit",
  Glob: "search",
  Grep: "search",
  McpSearch: "search",
  Bash: "execute",
  KillBash: "execute",
  WebFetch: "fetch",
  Network: "fetch",
  Agent: "think",
  SubmitPlan: "switch_mode",
};

export const kindOf = (tool: string): ToolKind => kinds[tool] ?? "other";

/** `input`: as the model wrote it, where that is known. */
export type ShownCall = { name: string; subject: string; input?: unknown };

/** A command says itself what it does. A file is named as in the folder of the session. */
export function titleOf(call: ShownCall, cwd: string): string {
  const { name, subject } = call;
  const path = fileOf(call, cwd);
  const line = visibleLine(path === undefined ? subject.trim() : shownPath(path, cwd));
  return name === "Bash" && line !== "" ? line : `${name} ${line}`.trim();
}

const actsOnFile = new Set(["Read", "Write", "Edit"]);

/** The file that the call is about, absolute. The subject of Read may also have a line. */
export function fileOf({ name, subject, input }: ShownCall, cwd: string): string | undefined {
  const { path, file_path } = isRecord(input) ? input : {};
  const named = [path, file_path, subject].find((one) => typeof one === "string" && one !== "");
  return actsOnFile.has(name) && named !== undefined ? resolve(cwd, named as string) : undefined;
}

/** Before it runs: the file, and for Read the first line that is wanted. */
export function placesBefore(call: ShownCall, cwd: string): ToolCallLocation[] {
  const path = fileOf(call, cwd);
  if (path === undefined) return [];
  const line = call.name === "Read" && isRecord(call.input) ? call.input["offset"] : undefined;
  return [{ path, ...(typeof line === "number" && line >= 1 && { line: Math.floor(line) }) }];
}

/** A change as diffs; anything else as the text that the model reads, and its images. */
export function resultOf(ended: Ended, input: unknown, cwd: string) {
  const { text, detail, touched, media = [], isError } = ended;
  const path = fileOf({ ...ended, input }, cwd);
  const diffs = path !== undefined && detail !== undefined && !isError ? diffsOf(detail.split("\n"), path) : undefined;
  if (path !== undefined && diffs && diffs.content.length > 0)
    return { content: diffs.content, locations: [{ path, ...(diffs.line !== undefined && { line: diffs.line }) }] };
  const files = touched.map((file) => ({ path: resolve(cwd, file) }));
  const content = [...(text.trim() === "" ? [] : [textContent(fenced(text))]), ...media.flatMap(imageContent)];
  return { content, ...(path === undefined && files.length > 0 && { locations: files }) };
}

export const textContent = (text: string): ToolCallContent => ({ type: "content", content: { type: "text", text } });

function imageContent({ type, source: { data, media_type: mimeType } }: Media): ToolCallContent[] {
  return type === "image" ? [{ type: "content", content: { type: "image", data, mimeType } }] : [];
}

/** Editors read texts as Markdown; output is shown as it is. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
