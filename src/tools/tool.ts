// What a tool is: a name, a schema, and one function. It receives a guarded disk and shell, so that no tool can forget the rules.
import type { z } from "zod";
import type { Aliases } from "./arguments.ts";
import type { FileRead } from "./disk.ts";
import type { Media } from "./files/media.ts";

export type ToolResult = {
  /** What the model reads. */
  text: string;
  isError: boolean;
  /** Images and documents that belong to the text. */
  media?: Media[];
  /** One line for the user: `84 lines`, `✓ 11 passed`. */
  summary: string;
  /** Files that this call wrote, relative to the working directory. */
  touched?: string[];
  /** More that the user may ask to see: a unified diff, or more of the text. */
  detail?: string;
  /** Files whose content is in `text`, with the version that was read. */
  sources?: FileSource[];
  /** The versions of files that it wrote without showing them. */
  wrote?: FileSource[];
  /** Requests made during the call that were refused; the call itself was allowed. */
  denied?: DeniedOnTheWay[];
  /** How long the call waited for answers to such requests. */
  askedMs?: number;
  /** What the person has to know of it, a line each. */
  notices?: string[];
};

/**
 * `lines`: the change as the hunks of a unified diff, or lines that begin with + or - without a header; absent if the old content cannot be shown.
 * `counted`: `+9 −3`. `note`: what they do not tell.
 */
export type Replaced = { lines?: string[]; counted?: string; note?: string };

export type DeniedOnTheWay = { tool: string; subject: string; reason: string; rules?: string[] };

/** `path` is relative to the working directory if inside it; `bytes` is the size of the whole file. */
export type FileSource = { path: string; sha256: string; bytes: number };

/** A file that was read, as a source of the result's text. */
export function sourceOf({ path, version, bytes, size = bytes.length }: FileRead): FileSource {
  return { path, sha256: version, bytes: size };
}

export type ToolContext = {
  signal: AbortSignal;
  /** The id of the call. */
  call?: string;
  /** Receives the end of the latest output, for display. */
  onOutput?: (text: string) => void;
};

export interface Tool<Input = never> {
  name: string;
  /** For the model. */
  description: string;
  /** The only description of the input: used to parse it, and sent to the model as JSON Schema. */
  input: z.ZodType<Input>;
  /** The description of the input as JSON Schema, if it comes from elsewhere; `input` then only has the form of an object. */
  schema?: Record<string, unknown>;
  /** Other names that models use for its arguments because other tools have them. */
  aliases?: Aliases;
  /** Calls that change nothing may run in parallel. */
  readOnly: boolean;
  /** Set if it is called again and again to see whether something has happened meanwhile. */
  waits?: true;
  /** Set if calls change something and may still overlap: starting teammates. */
  sideBySide?: true;
  /** Set if the other calls of the same reply may rely on its result: its calls run first. */
  goesFirst?: true;
  /** What a call is about, in a few words for one line on a screen: a path, a command. */
  subject(input: Input): string;
  /** The reason that the model gives for the call, if any. */
  purpose?(input: Input): string | undefined;
  /** A reason for which this call must fail whatever the user answers, so that they are not asked. Undefined if only running it tells. */
  obstacle?(input: Input): Promise<ToolResult | undefined>;
  /** What this call does to the content of an existing file; undefined if there is none. The user sees it before they answer. */
  replaces?(input: Input): Promise<Replaced | undefined>;
  /** The tool that the call is for, if it only carries the call of another: rules, hooks and the screen see that one. */
  forwards?(input: Input): { tool: AnyTool; input: unknown } | undefined;
  /** Expected failures are results with `isError`. A throw is a bug, and the caller turns it into a result. */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tools has tools of every input
export type AnyTool = Tool<any>;
