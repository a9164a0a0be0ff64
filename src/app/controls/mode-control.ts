// Changes the permission mode of a running session: Shift-Tab and /mode.
import { modeChanged } from "../../agent/ports/environment.ts";
import type { Session } from "../../agent/session/session.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { Pane } from "../../screen/terminal/pane.ts";

/**
 * Changes to the mode of that name, or to the next one. The status line shows it, the next decision uses it, and the model is told in the next
 * request.
 */
export function changeMode(
  { work, session, pane }: { work: Workspace; session: Pick<Session, "agent" | "note">; pane: Pick<Pane, "warn" | "refresh"> },
  wanted?: string,
): void {
  const change = work.changeMode(wanted);
  if (!change.ok) pane.warn(change.reason);
  else {
    const { agent } = session;
    agent.emit({ type: "mode_changed", mode: change.mode, at: agent.clock.now().toISOString() });
    session.note(modeChanged(change.mode, { submitsPlans: agent.tools.some(({ name }) => name === work.planTool.name) }));
  }
  pane.refresh();
}
