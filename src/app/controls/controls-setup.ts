// What the slash commands of a session or a teammate work on.
import type { TranscriptEvent } from "../../agent/events.ts";
import type { Instructions } from "../../agent/instructions.ts";
import type { Session } from "../../agent/session/session.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { Style } from "../../screen/style.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import type { World } from "../world.ts";

/** The session in which commands are typed, and where it is shown. */
export type ControlsSetup = {
  world: World;
  pane: Pick<Pane, "print" | "warn" | "pick" | "fill" | "refresh">;
  style: Style;
  /** The replies come from a script, so the model cannot be changed. */
  scripted: boolean;
  session: Session;
  work: Workspace;
  instructions: Instructions[];
  events(): TranscriptEvent[];
  /** At a team's lead: withdraws a grant of the whole team. */
  withdrawFromTeam?: ((rule: string) => Promise<boolean>) | undefined;
};
