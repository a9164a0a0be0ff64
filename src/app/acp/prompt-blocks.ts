// What a person sends from an editor, as input for the agent: their text, files that they name or send along, and images.
import { isAbsolute, relative } from "node:path";
import type { ContentBlock, EmbeddedResource } from "@agentclientprotocol/sdk";
import type { Input } from "../../agent/events.ts";
import { type Media, readMedia } from "../../tools/files/media.ts";
import { AcpRefusal } from "./client.ts";

/** `text`: what they wrote, with the names of files in their places. `texts`: what has no file, and is looked through for secrets as a result is. */
export type Prompt = { text: string; media: Media[]; texts: Input[] };

type Place = { cwd: string; isThere(path: string): boolean };

/** Throws AcpRefusal for what cannot be sent, with nothing said. */
export function promptOf(blocks: readonly ContentBlock[], place: Place): Prompt {
  const parts = blocks.map((block) => partOf(block, place));
  const prompt = {
    text: parts.reduce(joined, ""),
    media: parts.flatMap(({ media }) => media ?? []),
    texts: parts.flatMap(({ sent }) => sent ?? []),
  };
  if (prompt.text.trim() === "" && prompt.media.length === 0) throw new AcpRefusal("invalid_params", "The prompt is empty.");
  const { length } = prompt.text;
  if (length > mostCharacters)
    throw new AcpRefusal(
      "invalid_params",
      `The prompt has ${length} characters, and at most ${mostCharacters} are sent. Save it to a file, and name that.`,
    );
  return prompt;
}

/** `name`: of a file or resource, which is a word of its own. */
type Part = { text?: string; name?: string; media?: Media; sent?: Input };

function joined(before: string, { text = "", name }: Part, index: number, parts: readonly Part[]): string {
  const next = name ?? text;
  const isApart = before === "" || next === "" || /\s$/.test(before) || /^[\s.,;:!?)]/.test(next);
  const isName = name !== undefined || parts[index - 1]?.name !== undefined;
  return `${before}${isName && !isApart ? " " : ""}${next}`;
}

function partOf(block: ContentBlock, place: Place): Part {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "resource_link":
      return { name: named(block.uri, place) ?? `[${block.title ?? block.name}](${block.uri})` };
    case "image":
      return { media: mediaOf("image", block.data) };
    case "audio":
      throw new AcpRefusal("invalid_params", "Cannot send audio: the model reads text, images and PDF files.");
    case "resource":
      return resourcePart(block, place);
  }
}

/** A file that is there is read by the agent, under its rules and without its secrets, and as it stands in the editor if that says so. */
function resourcePart({ resource }: EmbeddedResource, place: Place): Part {
  const name = mention(resource.uri, place);
  if (name !== undefined) return { name };
  if ("blob" in resource) return { name: resource.uri, media: mediaOf(resource.uri, resource.blob) };
  const whole = resource.text.slice(0, mostEmbedded).toWellFormed();
  const cut = whole.length < resource.text.length ? `\n[cut after ${mostEmbedded} characters]` : "";
  return {
    name: resource.uri,
    sent: {
      source: { kind: "file", path: resource.uri },
      text: `${resource.uri}, attached by the person:\n${whole}${cut}`,
      shown: `  ${resource.uri}`,
    },
  };
}

const mostEmbedded = 100_000;
/** More than any model reads. */
const mostCharacters = 4_000_000;

/** The same for a file that is there; undefined for anything else. */
function mention(uri: string, place: Place): string | undefined {
  const file = fileAt(uri);
  return file && place.isThere(file.path) ? named(uri, place) : undefined;
}

/** The name of a file as a person types it, who is told if it is not there; the lines that are meant stay with it. Undefined for anything else. */
function named(uri: string, { cwd }: Pick<Place, "cwd">): string | undefined {
  const file = fileAt(uri);
  if (!file || /["\n]/.test(file.path)) return undefined;
  const inside = relative(cwd, file.path);
  const path = inside === "" || inside.startsWith("..") || isAbsolute(inside) ? file.path : inside;
  return `@"${path}${file.lines}"`;
}

function fileAt(uri: string): { path: string; lines: string } | undefined {
  try {
    const url = new URL(uri);
    if (url.protocol !== "file:" || !["", "localhost"].includes(url.hostname)) return undefined;
    const [, from, to] = /^#L(\d+)(?:[-:]L?(\d+))?/.exec(url.hash) ?? [];
    return { path: decodeURIComponent(url.pathname), lines: from === undefined ? "" : `#L${from}${to === undefined ? "" : `-L${to}`}` };
  } catch {
    return undefined; // no address
  }
}

/** Recognized by its bytes, as a file is. */
function mediaOf(what: string, base64: string): Media {
  const read = readMedia("", Buffer.from(base64, "base64"));
  if (read.kind === "media") return read.media;
  const why = read.kind === "refused" ? read.reason : "it is neither a PNG, JPEG, GIF or WebP image nor a PDF file";
  throw new AcpRefusal("invalid_params", `Cannot send the ${what === "image" ? what : `resource ${what}`}: ${why}.`);
}
