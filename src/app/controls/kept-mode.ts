// The permission mode of a session over its life: each change of it is in the transcript, so that a session that continues is as closed as it was
// left. What a mode had opened is not open again by itself.
import type { TranscriptEvent } from "../../agent/events.ts";
import type { Session } from "../../agent/session/session.ts";
import type { Workspace } from "../../agent/workspace.ts";
import { modesByStrictness } from "../../permissions/policy.ts";
import { changeMode } from "./mode-control.ts";

type Modal = { session: Pick<Session, "agent" | "note" | "listen">; work: Workspace };

/** Records the mode that an approved plan leaves. */
export function recordModes({ session, work }: Modal): void {
  let known = work.mode();
  session.listen((event) => {
    if (event.type === "mode_changed") known = event.mode;
    if (event.type !== "tool_ended" || work.mode() === known) return;
    known = work.mode();
    session.agent.emit({ type: "mode_changed", mode: known, at: event.at });
  });
}

/** Returns to the mode in which the session was left, if that is stricter than the one of now. The model is told. */
export function keepMode({ session, work }: Modal, past: readonly TranscriptEvent[]): void {
  const left = past.findLast((event) => event.type === "mode_changed")?.mode;
  if (left === undefined || modesByStrictness.indexOf(left) >= modesByStrictness.indexOf(work.mode())) return;
  changeMode({ session, work, pane: { warn: () => {}, refresh: () => {} } }, left);
}
