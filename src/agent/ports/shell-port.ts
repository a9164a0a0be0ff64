// The shell port of the workspace; edge/shell implements it.
import type { LeftBehind } from "../../permissions/call.ts";
import type { Shell } from "../../tools/shell.ts";
import type { Sandbox } from "./sandbox-port.ts";

export type ShellOptions = {
  cwd: string;
  /** The whole environment of commands; its TOOL_OWNER marks what they start. */
  env: Record<string, string>;
  /** Opened with the first command. Without it, or while it is not active, commands run with the person's own rights. */
  sandbox?: () => Promise<Sandbox>;
  /** Whether a file that a command left may stay at this path, where it could run later or set rights. Without anybody to ask, it may not. */
  mayStay?: (path: string, left: LeftBehind, signal: AbortSignal) => Promise<MayStay>;
  /** A file stays away, and nobody was asked about it. */
  onKept?: (text: string) => void;
};

export type MayStay = { allowed: true } | { allowed: false; reason: string };

/** `endAll` ends what commands left running in the background; for the end of the agent. */
export type AgentShell = Shell & { endAll(): Promise<void> };
