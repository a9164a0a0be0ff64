// The content of the model's window by source. Computed from the transcript like the conversation, in tokens that add up to the provider's count.
import { type Media, mediaTokens } from "../tools/files/media.ts";
import type { TranscriptEvent } from "./events.ts";
import type { ToolSchema } from "./ports/model.ts";
import { isThought } from "./ports/model.ts";
import { createTokenCount, estimateReply, estimateTokens } from "./requests/tokens.ts";
import { conversationOf } from "./rewind/conversation.ts";

export type ContextSource =
  | "files"
  | "searches"
  | "commands"
  | "other tools"
  | "messages"
  | "mail"
  | "agents"
  | "replies"
  | "thoughts"
  | "summary"
  | "instructions"
  | "environment"
  | "system and tools";

/** `entries` is the number of files, commands or messages within a source. */
export type SourceShare = { source: ContextSource; tokens: number; entries: number };

/** `what` is a path, a command, the beginning of a message; `times` is how often it entered. */
export type ContextEntry = { source: ContextSource; what: string; tokens: number; times: number };

export type WindowAccount = {
  tokens: number;
  windowTokens: number;
  /** Whether the provider has counted, or this is only an estimate. */
  counted: boolean;
  /** The largest first; empty sources are left out. */
  sources: SourceShare[];
  /** The largest entries of files, commands, searches and messages. */
  largest: ContextEntry[];
};

export type ContextParts = {
  system: string;
  schemas: ToolSchema[];
  /** The part of the system prompt that comes from instruction files, by file. */
  instructions: { path: string; text: string }[];
  windowTokens: number;
};

/** `events` are those of the whole transcript. */
export function windowAccount(events: Iterable<TranscriptEvent>, parts: ContextParts): WindowAccount {
  const count = createTokenCount();
  let pieces: Piece[] = [];
  let counted = false;
  for (const event of conversationOf([...events])) {
    count.apply(event);
    if (event.type === "reply") counted = true;
    if (event.type === "thoughts_dropped") pieces = pieces.filter(({ source }) => source !== "thoughts");
    if (event.type === "compacted") pieces = [piece("summary", "", event.summary), ...afterCompaction(pieces)];
    else pieces.push(...piecesOf(event));
  }
  const all = [...preamble(parts), ...pieces];
  const estimated = all.reduce((sum, { tokens }) => sum + tokens, 0);
  const tokens = counted ? count.tokens() : estimated;
  const entries = gathered(all, estimated > 0 ? tokens / estimated : 1);
  return { tokens, windowTokens: parts.windowTokens, counted, sources: shares(entries), largest: largestOf(entries) };
}

/** One entry of the window. `calls`: it is a reply, and the results of its calls follow it. */
type Piece = { source: ContextSource; what: string; tokens: number; reply?: { calls: boolean } };

function piece(source: ContextSource, what: string, text: string, media: Media[] = []): Piece {
  return { source, what, tokens: estimateTokens(text) + mediaTokens(media) };
}

function preamble({ system, schemas, instructions }: ContextParts): Piece[] {
  const files = instructions.map(({ path, text }) => piece("instructions", path, text));
  const own = estimateTokens(system) - files.reduce((sum, { tokens }) => sum + tokens, 0);
  return [...files, { source: "system and tools", what: "", tokens: Math.max(0, own) + estimateTokens(JSON.stringify(schemas)) }];
}

function piecesOf(event: TranscriptEvent): Piece[] {
  if (event.type === "input") {
    return event.inputs.map(({ source, text, shown, media }) => {
      if (source.kind === "mail") return piece("mail", `from ${source.from}`, text);
      if (source.kind === "environment") return piece("environment", "", text);
      if (source.kind === "agent") return piece("agents", source.agent, text);
      return piece(media ? "files" : "messages", firstLine(shown || text), text, media);
    });
  }
  // a file that was read in parts is one file
  if (event.type === "tool_ended")
    return [
      piece(sourceOf(event.name), event.name === "Read" ? event.subject.replace(/:\d+$/, "") : event.subject, event.text, event.media),
    ];
  if (event.type !== "reply") return [];
  const calls = event.message.content.some(({ type }) => type === "tool_use");
  const estimate = (thoughts: boolean) =>
    estimateReply({ role: "assistant", content: event.message.content.filter((block) => isThought(block) === thoughts) });
  // thoughts first: of a turn that stays they are the part that goes
  return [
    { source: "thoughts", what: "", tokens: estimate(true) },
    { source: "replies", what: "", tokens: estimate(false), reply: { calls } },
  ];
}

/** As in history.ts: the current turn stays, or otherwise the unanswered input. */
function afterCompaction(pieces: Piece[]): Piece[] {
  const last = pieces.findLastIndex(({ reply }) => reply !== undefined);
  return pieces.slice(pieces[last]?.reply?.calls ? last : last + 1);
}

function sourceOf(tool: string): ContextSource {
  return sources[tool] ?? "other tools";
}

const sources: Record<string, ContextSource> = {
  Read: "files",
  Edit: "files",
  Write: "files",
  Grep: "searches",
  Glob: "searches",
  Bash: "commands",
  Agent: "agents",
};

function gathered(pieces: Piece[], factor: number): ContextEntry[] {
  const entries = new Map<string, ContextEntry>();
  for (const { source, what, tokens } of pieces) {
    const key = JSON.stringify([source, what]);
    const entry = entries.get(key) ?? { source, what, tokens: 0, times: 0 };
    entries.set(key, { ...entry, tokens: entry.tokens + tokens * factor, times: entry.times + 1 });
  }
  return [...entries.values()].map((entry) => ({ ...entry, tokens: Math.round(entry.tokens) }));
}

function shares(entries: ContextEntry[]): SourceShare[] {
  const bySource = new Map<ContextSource, SourceShare>();
  for (const { source, tokens } of entries) {
    const share = bySource.get(source) ?? { source, tokens: 0, entries: 0 };
    bySource.set(source, { ...share, tokens: share.tokens + tokens, entries: share.entries + 1 });
  }
  return [...bySource.values()].filter(({ tokens }) => tokens > 0).sort((a, b) => b.tokens - a.tokens);
}

const mostLargest = 5;

function largestOf(entries: ContextEntry[]): ContextEntry[] {
  return entries
    .filter(({ source, what, tokens }) => what !== "" && source !== "instructions" && tokens > 0)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, mostLargest);
}

function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
