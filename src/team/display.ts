// Where a teammate is seen: a tmux pane, a pseudo-terminal inside the lead's terminal, or nowhere but a log file.
import { z } from "zod";

export const displayModes = ["auto", "tmux", "iterm2", "in-process"] as const;
export type DisplayMode = (typeof displayModes)[number];

/** How a teammate's place on a display is found again. Recorded in team.json, so that only what we opened is ever closed. */
export const displayHandle = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("tmux"),
    /** The server's socket path: panes are addressed through it, never through the environment. */
    socket: z.string(),
    serverPid: z.number(),
    /** Start time of that process, from the process table. */
    serverStart: z.string(),
    pane: z.string(),
  }),
  z.object({ kind: z.literal("pty"), pid: z.number() }),
  z.object({ kind: z.literal("plain"), pid: z.number(), log: z.string() }),
]);
export type DisplayHandle = z.infer<typeof displayHandle>;

export type OpenRequest = {
  name: string;
  /** What runs in it: an argument vector, never a line for a shell. */
  argv: string[];
  cwd: string;
  env: Record<string, string>;
};

/** `gone` with its server alive means that a person closed it; with the server gone the display itself was lost. */
export type DisplayState = "open" | "gone" | "server_gone";

export interface Display {
  kind: "tmux" | "in-process" | "plain";
  /** Starts argv in a new place. Throws DisplayError when the display refuses; early death of the program is the caller's to see. */
  open(request: OpenRequest): Promise<DisplayHandle>;
  state(handle: DisplayHandle): Promise<DisplayState>;
  /** The last lines shown there and the exit status if known, for a failure's report. */
  lastWords(handle: DisplayHandle): Promise<string>;
  label(handle: DisplayHandle, text: string): Promise<void>;
  /** Closes that place only if its identity is still ours. */
  close(handle: DisplayHandle): Promise<void>;
  /** Ends what the display itself keeps running: a private tmux server. */
  dispose(): Promise<void>;
}

/** A display that cannot be used: the message names the check that failed and what to do. */
export class DisplayError extends Error {
  override name = "DisplayError";
}
