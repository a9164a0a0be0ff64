// Where a teammate is seen: a tmux pane, an iTerm2 tab, a pseudo-terminal inside the lead's terminal, or nowhere but a log file.

import { z } from "zod";
import { processSchema } from "../../board/messages/requests.ts";

export const displayModes = ["auto", "tmux", "iterm2", "in-process"] as const;
export type DisplayMode = (typeof displayModes)[number];

/**
 * Where a display shows the teammates. `beside`: in the lead's own tmux session. `private`: on a tmux server of the team's own, shown in this terminal.
 * `detached`: on one that nobody is attached to. `tabs`, `lead`, `logs`: iTerm2 tabs, inside the lead's terminal, log files.
 */
export const displayPlaces = ["beside", "private", "detached", "tabs", "lead", "logs", "driver"] as const;

/** How a teammate's pane, tab or terminal is found again. Recorded in team.json, so that only what we opened is ever closed. */
export const displayHandle = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("tmux"),
      /** The server's socket path: panes are addressed through it, never through the environment. */
      socket: z.string(),
      serverPid: z.number(),
      /** When that server started, by its own word, in seconds since the epoch. A pid alone is reused. */
      serverStart: z.string(),
      pane: z.string(),
      /** Of the program we started there; another pid means that a person put something else into the pane. */
      panePid: z.number(),
      /** Our mark on the pane. */
      owner: z.string(),
    }),
    z.object({ kind: z.literal("iterm2"), session: z.string() }),
    /** `id`: the driver's own; `mark`: ours, which the driver reads back from the place. */
    z.object({ kind: z.literal("driver"), driver: z.string(), id: z.string(), mark: z.string() }),
    /** Only the lead that opened the terminal knows its `id`, which means nothing after that lead has ended. */
    z.object({ kind: z.literal("pty"), pid: z.number(), id: z.string() }),
    z.object({
      kind: z.literal("plain"),
      process: processSchema,
      log: z.string(),
    }),
  ]),
);
export type DisplayHandle = z.infer<typeof displayHandle>;

export type OpenRequest = {
  name: string;
  /** What runs in it: an argument vector, never a line for a shell. The program is an absolute path. */
  argv: string[];
  cwd: string;
  /** Only a few, and no secrets: tmux takes them on a command line. Everything else belongs in the launch file. */
  env: Record<string, string>;
};

/**
 * The state of the place, not of the program in it. The place of a program that failed stays `open` and shows its last output; the place of one that
 * ended with 0 closes. `gone` without such an end means that the user closed the place; `server_gone` means that the display itself was lost.
 */
export type DisplayState = "open" | "gone" | "server_gone";

export interface Display {
  kind: "tmux" | "iterm2" | "in-process" | "driver" | "plain";
  /** Starts argv in a new place. Throws DisplayError when the display refuses; whether the program runs is for the caller to check. */
  open(request: OpenRequest): Promise<DisplayHandle>;
  /** Adopts the place of a teammate that outlived its lead: as long as the team's server there runs, further teammates are opened on it. */
  takeOver?(handle: DisplayHandle): void;
  /** A handle of another kind of display is `server_gone`. */
  state(handle: DisplayHandle): Promise<DisplayState>;
  /** The last lines shown there and the exit status if known, for the report of a failure. Empty if neither is known. */
  lastWords(handle: DisplayHandle): Promise<string>;
  /** Where the user at the lead would see the next teammate; absent or undefined if that never changes. */
  outlook?(): Promise<Outlook | undefined>;
  /** The keys that switch from the lead's place to that one, such as `Ctrl-B 2`; undefined if both are visible at once. */
  wayTo?(handle: DisplayHandle): Promise<string | undefined>;
  /** Shows `text` as the title of that place, where it has one. Nothing happens when it is gone. */
  label(handle: DisplayHandle, text: string): Promise<void>;
  /** Shows that place to the user; absent if the display has its own keys for that. */
  focus?(handle: DisplayHandle): Promise<void>;
  /** Closes that place and ends what runs in it, but only if it is still the place that we opened. */
  close(handle: DisplayHandle): Promise<void>;
  /** After the last teammate: closes places of failed programs and ends what the display itself keeps running, such as a private tmux server. */
  dispose(): Promise<void>;
}

/**
 * `leadColumns`: the lead's width once the first pane is beside it. `room`: how many are in view with the lead. `window`: in a window of its own;
 * `prefix`: the display's prefix key, if it has one.
 */
export type Outlook =
  | { where: "beside"; room: number; leadColumns: number }
  | { where: "below"; room: number }
  | { where: "window"; prefix?: string };

/** What the lead's terminal shows of a display that has no screen of its own. `onEnd`: that teammate has ended, and nothing more comes. */
export type View = { onBytes: (bytes: Buffer) => void; onEnd?: () => void; columns: number; rows: number };

export interface Focusable {
  /**
   * Passes that teammate's bytes to the view: what it showed last, then a redraw in the view's size, then everything new.
   * One view at a time; a second one takes the first one's place. Undefined when the teammate has ended.
   */
  attach(handle: DisplayHandle, view: View): Focus | undefined;
}

/** The display as one that can pass a teammate on to the lead's terminal; undefined for those that have screens of their own. */
export function focusable(display: Display): (Display & Focusable) | undefined {
  return "attach" in display && typeof display.attach === "function" ? (display as Display & Focusable) : undefined;
}

export type Focus = { write(bytes: Buffer | string): void; resize(size: { columns: number; rows: number }): void; detach(): void };

/** A display that cannot be used: the message names the check that failed and what to do. Displays are edges, so it is known by its name. */
export type DisplayError = Error & { name: "DisplayError" };

export function isDisplayError(error: unknown): error is DisplayError {
  return error instanceof Error && error.name === "DisplayError";
}
