// One run of a team: its flags, its display, and what it resumes.
import type { PlaceRoom } from "../../places/free-place.ts";
import type { ScratchRepository } from "../../team/demo.ts";
import type { DisplayChoice } from "../../team/display/choose-display.ts";
import type { Launch, NamedTeammate } from "../../team/launch.ts";
import type { TmuxHandle } from "../../team/place.ts";
import type { AgentFlags, OutputFormat } from "../agent-flags.ts";

export type Flags = AgentFlags & {
  teammates?: number;
  /** Teammates that start with the team. */
  teammate?: NamedTeammate[];
  display?: string;
  /** A team's name; `true`: the newest of this folder. */
  resume?: string | true;
  /** `places`: the one with hands at places. */
  demo?: boolean | "places";
  print?: boolean;
  outputFormat: OutputFormat;
  /** The same as `--output-format json`. */
  json?: boolean;
  leadMayEdit?: boolean;
  /** Each teammate works in its own worktree. */
  worktrees?: boolean;
  /** With worktrees: where teammates' hands work. */
  places?: string;
  /** With worktrees: the command that tests the merged work. */
  test?: string;
};

export type Choice = Extract<DisplayChoice, { ok: true }>;

export type Run = {
  prompt: string | undefined;
  /** Piped input for below the prompt. */
  piped?: string;
  flags: Flags;
  choice: Choice;
  attended: boolean;
  cwd: string;
  scratch?: ScratchRepository;
  /** A team that continues; absent: a new one is made. */
  resumed?: ResumedTeam;
  /** Aborts at a signal that came before there was a lead to handle it. */
  interrupted?: AbortSignal;
};

/**
 * `launch`: makes its lead's launch, once nothing prevents the resume. `panes`: its teammates' recorded panes. `onLead`: called as soon as a lead
 * with a separate process has been started.
 */
export type ResumedTeam = {
  launch(flags: Flags, now: { places: PlaceRoom[] | undefined; isThere: (place: string) => boolean }): Promise<Launch>;
  hasTrees: boolean;
  /** Its places are those that it had, of which some may be gone. */
  hasKeptPlaces: boolean;
  panes: TmuxHandle[];
  onLead(): Promise<void>;
};
