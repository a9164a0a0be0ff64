// What the parts of a lead share.
import type { Clock } from "../../../agent/ports/clock.ts";
import type { TeamEvent } from "../../../board/event.ts";
import type { Style } from "../../../screen/style.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import type { Terminal } from "../../../screen/terminal/terminal.ts";
import type { Display } from "../../../team/display/display.ts";
import type { Launch } from "../../../team/launch.ts";
import type { Checked } from "../../../team/lead/merged-work.ts";
import type { Spawner } from "../../../team/lead/spawn-tools.ts";
import type { Staff } from "../../../team/lead/staff.ts";
import type { emptyCompletions } from "../../controls/line-editor.ts";
import type { Live } from "../../session/screen/live-session.ts";
import type { Waker } from "../../waker.ts";
import type { World } from "../../world.ts";
import type { Member } from "../member/member.ts";
import type { watchTeam } from "../team-watch.ts";
import type { showTeammates } from "./lead-teammates.ts";

export type LeadSetup = {
  launch: Launch;
  /** Piped input for below the launch's prompt. It is not in the launch, which may become a file, because it must be redacted first. */
  piped?: string;
  display: Display;
  print: (text: string) => void;
  /** Also gets each event of the team, for machine-readable output. */
  onEvent?: (event: TeamEvent) => void;
  /** Aborts at a signal that came before the lead could handle it. */
  interrupted?: AbortSignal;
};

export type LeadScreen = {
  clock: Clock;
  processes: Awaited<ReturnType<World["edges"]["processes"]>>;
  startedAt: Date;
  style: Style;
  terminal: Terminal | null;
  completions: ReturnType<typeof emptyCompletions>;
  pane: Pane;
  ending: AbortController;
  attended: boolean;
};

export type Lead = LeadScreen & {
  display: Display;
  launch: Launch;
  member: Member;
  staff: Staff;
  team: ReturnType<typeof watchTeam>;
  teammates: ReturnType<typeof showTeammates> | null;
  wake: Waker;
  /** Its session on the screen. */
  live: Live;
  spawner: Spawner;
  /** Resolves when the lead's entry is in the record. */
  recorded: Promise<unknown>;
  /** Absent if all members work in one tree. */
  trees: LeadTrees | undefined;
  /** The error that ended it early. */
  fault?: { error: unknown };
};

export type LeadTrees = {
  /** Looks for future conflicts in the background and reports them. */
  look(): void;
  /** Called once all tasks are completed. */
  check(signal: AbortSignal): Promise<Checked>;
  /** At a resume: merged work that is missing, for the person and the lead's model. */
  lost(): Promise<string | undefined>;
  /** Removes what is merged, and returns lines for the person about the rest. */
  settle(): Promise<string[]>;
};
