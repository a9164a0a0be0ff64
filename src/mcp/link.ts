// The port to one running server, which `edge/mcp` implements over stdio and streamable HTTP.
import type { RawCatalog } from "./catalog.ts";
import type { FormAnswer, RawForm } from "./elicitation.ts";
import type { Server } from "./server.ts";

export type LinkEvents = {
  /** The server says that its list has changed. */
  onChanged(): void;
  /** The connection is gone; the reason continues "the server …". Called once, also after `close`. */
  onLost(reason: string): void;
  /** The server asks the person. */
  onForm(form: RawForm, signal: AbortSignal): Promise<FormAnswer>;
};

export type LinkOrder = {
  name: string;
  /** Without `${VAR}`. */
  server: Server;
  /** The only root that the server is told. */
  cwd: string;
  /** Marks its processes as TOOL_OWNER. */
  owner: string;
  /** What it gets besides what its entry names. */
  env: Readonly<Record<string, string>>;
  /** Where the tokens of remote servers are kept. */
  configDir: string;
  startMs: number;
  /** For a call, from its beginning or its last progress on. */
  callMs: number;
  events: LinkEvents;
};

export type CallOptions = { signal: AbortSignal; onProgress?: (text: string) => void };

/** Answers are as the server gave them, at most `mostBytes` each. Rejections are `LinkFault`s. */
export type Link = {
  catalog(signal: AbortSignal): Promise<RawCatalog>;
  call(tool: string, input: Record<string, unknown>, options: CallOptions): Promise<unknown>;
  prompt(name: string, given: Record<string, string>, signal: AbortSignal): Promise<unknown>;
  resource(uri: string, signal: AbortSignal): Promise<unknown>;
  /** Nothing of it is left when this resolves. */
  close(): Promise<void>;
};

/** Rejects with a LinkFault. */
export type OpenLink = (order: LinkOrder, signal: AbortSignal) => Promise<Link>;

/**
 * Why something with a server failed; the message continues "the server …". `lost`: the server is gone or broke the protocol. `login`: the person
 * must log in first. `refused`: the person must do something else first. `answered`: the server answers with an error, and works. `late`: it did not answer in time. `aborted`: nobody waits any
 * more.
 */
export type LinkFault = Error & { fault: "lost" | "login" | "refused" | "answered" | "late" | "aborted" };

export const linkFault = (fault: LinkFault["fault"], reason: string): LinkFault => Object.assign(new Error(reason), { fault });

/** Any other error is one of a server that is of no more use. */
export function faultIn(error: unknown): LinkFault["fault"] {
  return error instanceof Error && "fault" in error ? (error as LinkFault).fault : "lost";
}
