// What a session on a screen is doing, and what a line or a key does meanwhile: in a solo session, at a teammate and at a lead alike.
import type { Next } from "./attended.ts";

type Kind = "opening" | "waiting" | "working" | "compacting" | "rewinding" | "checking" | "leaving";

/** `sinceMs`: when it began. `to`: the session that follows on this screen. */
export type LiveState = { kind: Exclude<Kind, "leaving">; sinceMs: number } | { kind: "leaving"; sinceMs: number; to?: Next | undefined };

type Rules = {
  /** Typed commands are run; otherwise they are kept, as any other line, for the session that follows. */
  runsCommands: boolean;
  /** What Esc interrupts: the run of turns, or where there is none the person's own commands. */
  escape: "turns" | "own_commands";
  /** Whether Esc twice lets the person go back to an earlier message. */
  goesBack: boolean;
  /** Whether Ctrl-D ends the session. */
  ends: boolean;
};

const idle: Rules = { runsCommands: true, escape: "own_commands", goesBack: true, ends: true };
const busy: Rules = { runsCommands: true, escape: "turns", goesBack: false, ends: false };

export const rulesIn: Record<Kind, Rules> = {
  opening: idle,
  waiting: idle,
  working: busy,
  compacting: busy,
  rewinding: busy,
  checking: busy,
  leaving: { ...idle, runsCommands: false, goesBack: false },
};

export const isBusy = ({ kind }: LiveState): boolean => rulesIn[kind] === busy;
