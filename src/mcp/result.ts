// What a server answers, as the result of a tool call, a text for a prompt, or an attached resource. Anything that has another form than the protocol
// says becomes a failed call.
import { z } from "zod";
import { type Media, readMedia } from "../tools/files/media.ts";
import type { ToolResult } from "../tools/tool.ts";
import { plural } from "../wording/figures.ts";
import { clean, oneLine } from "./catalog.ts";

const textBlock = z.lazy(() => z.object({ type: z.literal("text"), text: z.string() }));
const dataBlock = z.lazy(() => z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string().catch("") }));
const contents = z.lazy(() =>
  z.object({
    uri: z.string(),
    mimeType: z.string().optional().catch(undefined),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
);
const resourceBlock = z.lazy(() => z.object({ type: z.literal("resource"), resource: contents }));
const linkBlock = z.lazy(() =>
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.string().catch(""),
    description: z.string().catch(""),
  }),
);
const block = z.lazy(() => z.union([textBlock, dataBlock, resourceBlock, linkBlock, z.object({ type: z.string() })]));
type Block = z.infer<typeof block>;

const callResult = z.lazy(() =>
  z.object({
    content: z.array(block).default([]),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().catch(false),
  }),
);
const promptResult = z.lazy(() =>
  z.object({ messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: block })).min(1) }),
);
const resourceResult = z.lazy(() => z.object({ contents: z.array(contents) }));

/** More images than this are counted only: they cost more tokens than their text suggests. */
const mostMedia = 10;

export function toolResultOf(server: string, raw: unknown): ToolResult {
  const parsed = callResult.safeParse(raw);
  if (!parsed.success)
    return { text: `The server "${server}" gave an answer that is no result of a tool.`, isError: true, summary: "no valid answer" };
  const { content, structuredContent, isError } = parsed.data;
  const { texts, media } = shownBlocks(content);
  const hasText = content.some(({ type }) => type === "text");
  const all = hasText || structuredContent === undefined ? texts : [...texts, clean(JSON.stringify(structuredContent, null, 1))];
  const text = all.join("\n\n");
  return {
    text: `The server "${server}" ${isError ? "reports an error" : "answered"}:\n${text || "(nothing)"}`,
    isError,
    ...(media.length > 0 && { media }),
    summary: isError ? "failed" : summaryOf(text, media),
  };
}

function summaryOf(text: string, media: Media[]): string {
  const lines = text === "" ? 0 : text.split("\n").length;
  return [
    ...(lines > 0 || media.length === 0 ? [plural(lines, "line")] : []),
    ...(media.length > 0 ? [plural(media.length, "image")] : []),
  ].join(", ");
}

type Shown = { texts: string[]; media: Media[] };

function shownBlocks(blocks: readonly Block[]): Shown {
  const shown: Shown = { texts: [], media: [] };
  for (const one of blocks) {
    const { text, media } = shownBlock(one);
    const isTooMany = media && shown.media.length >= mostMedia;
    if (media && !isTooMany) shown.media.push(media);
    if (isTooMany) shown.texts.push(`[one more image, beyond the first ${mostMedia}: not shown]`);
    else if (text !== "") shown.texts.push(text);
  }
  return shown;
}

function shownBlock(one: Block): { text: string; media?: Media } {
  if ("text" in one) return { text: clean(one.text) };
  if ("data" in one) return one.type === "image" ? dataOf(one.data, "an image") : { text: `[sound, ${oneLine(one.mimeType)}: not shown]` };
  if ("resource" in one) return contentsOf(one.resource);
  if ("uri" in one) return { text: `[resource ${oneLine(one.uri)}${one.name === "" ? "" : `: ${oneLine(one.name)}`}]` };
  return { text: `[a part of the kind ${JSON.stringify(oneLine(one.type))}: not shown]` };
}

function contentsOf({ uri, text, blob, mimeType }: z.infer<typeof contents>): { text: string; media?: Media } {
  if (text !== undefined) return { text: `${oneLine(uri)}:\n${clean(text)}` };
  return dataOf(blob ?? "", `${oneLine(uri)}${mimeType === undefined ? "" : `, ${oneLine(mimeType)}`}`);
}

/** By its bytes, not by what the server calls it. */
function dataOf(base64: string, what: string): { text: string; media?: Media } {
  const read = readMedia("", Buffer.from(base64, "base64"));
  if (read.kind === "media") return { text: `[${what}: ${read.shows}]`, media: read.media };
  return { text: `[${what}: ${read.kind === "refused" ? read.reason : "of a kind that cannot be shown"}]` };
}

export type PromptText = { ok: true; text: string } | { ok: false; reason: string };

/** The messages of a prompt as one text of the person; what the server lets the assistant say is marked. */
export function promptTextOf(raw: unknown): PromptText {
  const parsed = promptResult.safeParse(raw);
  if (!parsed.success) return { ok: false, reason: "gave an answer that is no prompt" };
  const texts = parsed.data.messages.map(({ role, content }) => {
    const { text } = shownBlock(content);
    return role === "user" ? text : `You said before: ${text}`;
  });
  return { ok: true, text: texts.join("\n\n") };
}

export function resourceOf(server: string, raw: unknown): ToolResult {
  const parsed = resourceResult.safeParse(raw);
  if (!parsed.success)
    return { text: `The server "${server}" gave an answer that is no resource.`, isError: true, summary: "no valid answer" };
  const { texts, media } = shownBlocks(parsed.data.contents.map((resource) => ({ type: "resource" as const, resource })));
  const text = texts.join("\n\n");
  return { text, isError: false, ...(media.length > 0 && { media }), summary: summaryOf(text, media) };
}
