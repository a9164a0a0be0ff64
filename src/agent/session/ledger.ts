// The ledger records what was sent to the provider, and when it was first sent. It is written before a request is sent and is computed from the
// request itself, so nothing unrecorded can leave; the events tell the kind and the source of each piece.
import { hash as digest } from "node:crypto";
import { resolve } from "node:path";
import type { BoardDisk } from "../../board/disk.ts";
import type { FileSource } from "../../tools/tool.ts";
import type { AgentEvent, InputSource } from "../events.ts";
import type { Clock } from "../ports/clock.ts";
import { type Message, type Model, type ModelRequest, textOfResult } from "../ports/model.ts";
import { jsonLines } from "./json-lines.ts";
import { projectName } from "./transcript.ts";

/** The kind of a piece of a request. `echo`: earlier output of the model, sent back to it. */
export type SentKind =
  | "system"
  | "tools"
  | "message"
  | "mail"
  | "agent"
  | "task"
  | "harness"
  | "environment"
  | "hook"
  | "file"
  | "command"
  | "tool"
  | "summary"
  | "echo"
  | "other";

/** One line of `sent.jsonl`. */
export type SentEntry = {
  at: string;
  /** The number of the request in the session, counting from 1. */
  request: number;
  kind: SentKind;
  /** The hash of the text as it was sent. */
  sha256: string;
  bytes: number;
  /** Secrets in it that placeholders stood for. */
  redacted: number;
  /** Secrets that were found in it and sent: typed by the person, or left by the setting. */
  secrets?: number;
  /** The tool whose schema or result it is. */
  tool?: string;
  /** Files whose content is in it, with absolute paths, as they were then. */
  files?: FileSource[];
  command?: string;
  /** Variables of the environment that the command names. */
  variables?: string[];
  /** The sender of the mail. */
  from?: string;
  /** The sub-agent whose request it was; absent: the session's own. Each counts its own requests. */
  agent?: string;
};

type LedgerDisk = Pick<BoardDisk, "read" | "append" | "makeFolder">;

export type LedgerSetup = {
  disk: LedgerDisk;
  path: string;
  cwd: string;
  clock: Pick<Clock, "now">;
  /** Instruction files, whose content is in the system prompt. */
  systemFiles?: { path: string; text: string; bytes: number }[];
  /** Resolves when what was appended is on disk, or the signal aborts. */
  written?: (signal: AbortSignal) => Promise<void>;
  /** How many secrets a text has that was not redacted. */
  countSecrets: (text: string) => number;
};

export interface Ledger {
  /** To be called with every event of the session, those of its transcript first. */
  follow(event: AgentEvent): void;
  /** The model behind it: each request is in the ledger before it is sent. Throws, and sends nothing, when it cannot be written. */
  over(model: Model): Model;
  /** That of a sub-agent of the session, in the same file. `inherits`: its requests begin with what the session itself has sent. */
  forAgent(agent: string, way: { inherits: boolean }): Ledger;
}

/** `projects/{project}/{session}/sent.jsonl` below the configuration folder. */
export function ledgerPath(configDir: string, cwd: string, session: string): string {
  return `${configDir}/projects/${projectName(cwd)}/${session}/sent.jsonl`;
}

/** For a session with a script: nothing leaves the machine. Text that a model gets later is recorded when it is sent. */
export const nothingSent: Ledger = { follow() {}, over: (model) => model, forAgent: () => nothingSent };

export function openLedger(setup: LedgerSetup): Ledger {
  return ledgerOf(setup, { book: openBook(setup), agent: undefined, inherits: false });
}

/** How often each piece has been sent by one agent; the same text twice in one request is two pieces. */
type Sent = { pieces: Map<string, number>; requests: number };

/** What each of a session's agents has sent; `undefined` is the session itself. Tool schemas are shared by all of them. */
type Book = { of(agent: string | undefined): Sent; schemas: Set<string>; append(entries: SentEntry[]): void };

function openBook({ disk, path }: LedgerSetup): Book {
  const agents = new Map<string | undefined, Sent>();
  const schemas = new Set<string>();
  const of = (agent: string | undefined) => {
    const sent = agents.get(agent) ?? { pieces: new Map<string, number>(), requests: 0 };
    agents.set(agent, sent);
    return sent;
  };
  const written = readLedger(disk.read(path)?.toString("utf8") ?? "");
  for (const { agent, sha256, kind, request } of written) {
    const sent = of(agent);
    const key = keyOf(kind, sha256);
    sent.pieces.set(key, (sent.pieces.get(key) ?? 0) + 1);
    sent.requests = request;
    if (kind === "tools") schemas.add(key);
  }
  let opened = written.length > 0;
  return {
    of,
    schemas,
    append(entries) {
      if (!opened) disk.makeFolder(path.slice(0, path.lastIndexOf("/")));
      opened = true;
      disk.append(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { durable: "soon" });
    },
  };
}

type Whose = { book: Book; agent: string | undefined; inherits: boolean };

function ledgerOf(setup: LedgerSetup, { book, agent, inherits }: Whose): Ledger {
  const { disk, cwd, clock, countSecrets, written: untilWritten, systemFiles = [] } = setup;
  const system = systemFiles.map((file): FileSource => ({ path: file.path, sha256: fileHash(disk, file), bytes: file.bytes }));
  const origins = createOrigins(cwd);
  const sent = book.of(agent);
  const session = book.of(undefined);
  const timesSent = (key: string, kind: SentKind) =>
    kind === "tools" && book.schemas.has(key) ? 1 : Math.max(sent.pieces.get(key) ?? 0, inherits ? (session.pieces.get(key) ?? 0) : 0);
  const counted = createCount();
  const record = (request: ModelRequest) => {
    sent.requests++;
    const entries: SentEntry[] = [];
    const learnt = new Map<string, { count: number; kind: SentKind }>();
    for (const [piece, countOf] of counted.added(request)) {
      const { sha256 } = piece;
      const known = piece.origin ?? origins.of(piece, sha256);
      const origin = known.kind === "system" && system.length > 0 ? { ...known, files: system } : known;
      const key = keyOf(origin.kind, sha256);
      const count = countOf(key);
      if (count <= timesSent(key, origin.kind)) continue;
      learnt.set(key, { count, kind: origin.kind });
      const secrets = ownWords.has(origin.kind) ? 0 : countSecrets(piece.said ?? piece.text);
      const redacted = piece.text.includes("[secret:") ? new Set(piece.text.match(/\[secret:[a-z0-9-]+:\d+\]/g)).size : 0;
      const bytes = Buffer.byteLength(piece.text);
      entries.push({
        at: clock.now().toISOString(),
        request: sent.requests,
        ...(agent !== undefined && { agent }),
        ...origin,
        sha256,
        bytes,
        redacted,
        ...(secrets > 0 && { secrets }),
      });
    }
    try {
      if (entries.length > 0) book.append(entries);
    } catch (error) {
      counted.forget(); // a later request has to record them
      throw error;
    }
    for (const [key, { count, kind }] of learnt) {
      sent.pieces.set(key, count);
      if (kind === "tools") book.schemas.add(key);
    }
  };
  return {
    follow: origins.follow,
    over: (model) => ({
      ...model,
      async attempt(request, options) {
        record(request);
        await untilWritten?.(options.signal);
        if (options.signal.aborted) return { kind: "aborted" };
        return model.attempt(request, options);
      },
    }),
    forAgent: (id, way) => ledgerOf(setup, { book, agent: id, ...way }),
  };
}

/** Text of this program and of the model is not scanned for secrets. */
const ownWords = new Set<SentKind>(["tools", "echo", "system"]);

const keyOf = (kind: SentKind, sha256: string) => `${kind === "echo" ? "echo" : ""}${sha256}`;

/** The lines of a ledger. What a torn one was about to say was not sent. */
export const readLedger = (text: string): SentEntry[] => jsonLines<SentEntry>(text);

type Origin = Pick<SentEntry, "kind" | "tool" | "files" | "command" | "variables" | "from">;
/** `said`: the text to scan for secrets, if it is not `text`; an image has none. */
type Piece = { text: string; said?: string; sha256: string; origin?: Origin; call?: string };
type Content = Pick<ModelRequest, "system" | "tools" | "messages">;

/** A piece of a request, and what to call with its key: says how many of that key the request has up to here. */
type Counted = [piece: Piece, count: (key: string) => number];

/** Counts the pieces of requests. Nearly always a request is the one before with something added, and then only that is looked at. */
interface Count {
  /** The pieces of a request, in order, from the first that differs from the request before. */
  added(request: Content): Iterable<Counted>;
  /** The next request is looked at from its beginning. */
  forget(): void;
}

function createCount(): Count {
  const counts = new Map<string, number>();
  const seen: { part: Part; keys: string[] }[] = [];
  const known = new WeakMap<Part, Piece[]>();
  const shorten = (length: number) => {
    for (const { keys } of seen.splice(length)) for (const key of keys) counts.set(key, counts.get(key)! - 1);
  };
  return {
    *added({ system, tools, messages }) {
      const parts = [...system, ...tools, ...messages];
      shorten(sameLength(seen, parts));
      for (const part of parts.slice(seen.length)) {
        const keys: string[] = [];
        seen.push({ part, keys });
        const countOf = (key: string) => {
          keys.push(key);
          counts.set(key, (counts.get(key) ?? 0) + 1);
          return counts.get(key)!;
        };
        const pieces = known.get(part) ?? piecesOf(part).map((piece) => ({ ...piece, sha256: hash(piece.text) }));
        known.set(part, pieces);
        for (const piece of pieces) yield [piece, countOf];
      }
    },
    forget: () => shorten(0),
  };
}

/** How many of them a request begins with. */
function sameLength(seen: readonly { part: Part }[], parts: readonly Part[]): number {
  let length = 0;
  while (length < seen.length && isSame(seen[length]!.part, parts[length])) length++;
  return length;
}

/** The system prompt is made anew for each request. */
const isSame = (one: Part, other: Part | undefined) =>
  one === other || (other !== undefined && "text" in one && "text" in other && one.text === other.text);

type Part = Content["system"][number] | Content["tools"][number] | Message;

/** What is content in a part of a request: the rest are settings and the marks of the cache. */
function piecesOf(part: Part): Omit<Piece, "sha256">[] {
  if ("role" in part) return part.content.map((block) => pieceOf(part.role, block));
  if ("name" in part) return [{ text: withoutMark(part), origin: { kind: "tools", tool: part.name } }];
  return [{ text: part.text, origin: { kind: "system" } }];
}

function pieceOf(role: Message["role"], block: Message["content"][number]): Omit<Piece, "sha256"> {
  if (block.type === "tool_result") {
    const said = textOfResult(block.content);
    return { text: typeof block.content === "string" ? said : JSON.stringify(block.content), said, call: block.tool_use_id };
  }
  if (role === "user" && block.type === "text") return { text: block.text, said: block.text };
  if (block.type === "image" || block.type === "document")
    return { text: withoutMark(block), said: "", origin: { kind: "file", tool: "@" } };
  return { text: withoutMark(block), origin: { kind: "echo" } };
}

function withoutMark(part: object): string {
  const { cache_control: _mark, ...bare } = part as { cache_control?: unknown };
  return JSON.stringify(bare);
}

/** The kind of each text and of each call's result, from the events that contain them. */
function createOrigins(cwd: string): { follow(event: AgentEvent): void; of(piece: Piece, sha256: string): Origin } {
  const results = new Map<string, Origin>();
  const texts = new Map<string, Origin>();
  const calls = new Map<string, string>();
  return {
    follow(event) {
      if (event.type === "input")
        for (const { text, source } of event.inputs) texts.set(hash(text), withAbsolute(inputOrigin(source), cwd));
      if (event.type === "reply")
        for (const block of event.message.content)
          if (block.type === "tool_use" && block.name === "Bash") calls.set(block.id, commandOf(block.input));
      if (event.type === "tool_ended") {
        const command = event.isError && unrun.has(event.summary) ? undefined : calls.get(event.id);
        calls.delete(event.id);
        const files = event.sources?.map((source) => ({ ...source, path: resolve(cwd, source.path) }));
        results.set(event.id, {
          kind: files && files.length > 0 ? "file" : command !== undefined ? "command" : "tool",
          tool: event.name,
          ...(files && files.length > 0 && { files }),
          ...(command !== undefined && { command, variables: variablesIn(command) }),
        });
      }
    },
    of: ({ call }, sha256) =>
      (call === undefined ? texts.get(sha256) : results.get(call)) ?? { kind: call === undefined ? "summary" : "other" },
  };
}

/** What the results of calls say that were never run: nothing of what their commands name was sent. */
const unrun = new Set(["denied", "refused", "not run", "bad input"]);

function commandOf(input: unknown): string {
  const { command } = input as { command?: unknown };
  return typeof command === "string" ? command : "";
}

function withAbsolute(origin: Origin, cwd: string): Origin {
  return origin.files ? { ...origin, files: origin.files.map((file) => ({ ...file, path: resolve(cwd, file.path) })) } : origin;
}

function inputOrigin(source: InputSource): Origin {
  switch (source.kind) {
    case "user":
      return { kind: "message" };
    case "mail":
      return { kind: "mail", from: source.from };
    case "agent":
      return { kind: "agent", from: source.agent };
    case "task":
      return { kind: "task" };
    case "command":
      return { kind: "command", tool: "!", command: source.command, variables: variablesIn(source.command) };
    case "file":
      return { kind: "file", tool: "@", ...(source.sources && { files: source.sources }) };
    case "skill":
      return { kind: "file", tool: `/${source.name}`, ...(source.sources && { files: source.sources }) };
    case "background":
      return { kind: "harness" };
    case "harness":
    case "environment":
    case "hook":
      return { kind: source.kind };
  }
}

/** `$NAME`, `${NAME…}` and `printenv NAME`. */
function variablesIn(command: string): string[] {
  const names = [...command.matchAll(/\$\{?([A-Za-z_]\w*)|\bprintenv\s+([A-Za-z_]\w*)/g)].map(
    ([, dollar, printed]) => dollar ?? printed ?? "",
  );
  return [...new Set(names)].sort();
}

/** The hash of the whole file, not of the part that is shown. */
function fileHash(disk: LedgerDisk, { path, text }: { path: string; text: string }): string {
  const bytes = disk.read(path);
  return hash(bytes ?? text);
}

const hash = (content: string | Buffer) => digest("sha256", content, "hex");
