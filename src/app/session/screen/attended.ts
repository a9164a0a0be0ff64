// What the parts of a session on a screen share.
import type { Ending } from "../../../agent/events.ts";
import type { Effort } from "../../../agent/requests/thinking.ts";
import type { Style } from "../../../screen/style.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import type { SessionFlags } from "../../agent-flags.ts";
import type { Completions } from "../../controls/line-editor.ts";
import type { Waker } from "../../waker.ts";
import type { World } from "../../world.ts";

/**
 * The next session of the pane: one that continues, or a new one, with the chosen model, effort and mode. `cleared`: started by /clear. `typed`: lines
 * that were typed while the former one ended. `agent`: one of its agents that continues, and may ask.
 */
export type Next = {
  id?: string;
  agent?: string;
  model?: string;
  effort?: Effort | undefined;
  mode?: string;
  cleared?: true;
  typed?: string[];
};

export type Attended = {
  world: World;
  flags: SessionFlags;
  pane: Pane;
  style: Style;
  completions: Completions;
  wake: Waker;
  /** The session that can be resumed after the program has ended in any way. */
  resumable: { id?: string };
  /** Aborts when the program should end. */
  ending: AbortController;
  /** How its last run of turns ended. */
  lastEnd?: Ending["kind"];
  /** This repository's settings that the person does not trust. */
  declined: { hash?: string };
  /** Names of workers seen so far; each has its own accent colour. */
  agentNames: string[];
  nowMs: () => number;
};
