// What a tool is: a name, a schema, and one function. Disk and shell reach it already guarded, so that no tool can forget the rules.
import type { z } from "zod";
import type { Aliases } from "./arguments.ts";
import type { FileRead } from "./disk.ts";
import type { Media } from "./media.ts";

export type ToolResult = {
  /** What the model reads. */
  text: string;
  isError: boolean;
  /** Images and documents that belong to the text. */
  media?: Media[];
  /** One line for a person: `84 lines`, `✓ 11 passed`. */
  summary: string;
  /** Files that this call wrote, relative to the working directory. */
  touched?: string[];
  /** What a person may ask to see of it: a unified diff, or more of the text. */
  detail?: string;
  /** Files whose content is in `text`, as they were then. */
  sources?: FileSource[];
  /** What was asked for on the way and not allowed; the call itself was. */
  denied?: DeniedOnTheWay[];
  /** For how long it waited for answers on the way. */
  askedMs?: number;
};

export type DeniedOnTheWay = { tool: string; subject: string; reason: string };

/** `path` is relative to the working directory when inside it; `bytes` is the size of the whole file. */
export type FileSource = { path: string; sha256: string; bytes: number };

/** A file that was read, as a source of what is said of it. */
export function sourceOf({ path, version, bytes, size = bytes.length }: FileRead): FileSource {
  return { path, sha256: version, bytes: size };
}

export type ToolContext = {
  signal: AbortSignal;
  /** The id of the call. */
  call?: string;
  /** The end of what was just written, for whoever watches. */
  onOutput?: (text: string) => void;
};

export interface Tool<Input = never> {
  name: string;
  /** For the model. */
  description: string;
  /** The one description of the input: parsed at the door, sent to the model as JSON Schema. */
  input: z.ZodType<Input>;
  /** Names that models use for arguments of it because other tools have them. */
  aliases?: Aliases;
  /** Calls that change nothing may run side by side. */
  readOnly: boolean;
  /** Set when calls change something and may overlap anyway: starting teammates. */
  sideBySide?: true;
  /** What a call is about, in a few words for one line on a screen: a path, a command. */
  subject(input: Input): string;
  /** What the model says that the call is for, where it says so. */
  purpose?(input: Input): string | undefined;
  /** What makes this call fail whatever a person answers, found out before they are asked. Undefined if only running it tells. */
  obstacle?(input: Input): Promise<ToolResult | undefined>;
  /** Whether this call puts something else in the place of what is there: a person is told before they answer. */
  replaces?(input: Input): Promise<boolean>;
  /** Expected failures are results with `isError`; a throw is a fault and becomes a result at the tool call's door. */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tools has tools of every input
export type AnyTool = Tool<any>;
