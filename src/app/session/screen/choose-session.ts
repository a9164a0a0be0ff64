// Lets the person choose the session to continue.

import type { SessionSummary } from "../../../agent/session/sessions.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import { plural } from "../../../wording/figures.ts";

/** Undefined if there is none, or if the person leaves the list. */
export async function chooseSession(
  { pane, nowMs, ending }: { pane: Pane; nowMs: () => number; ending: AbortController },
  sessions: SessionSummary[],
): Promise<string | undefined> {
  if (sessions.length === 0) {
    pane.warn("There is no session of this folder to resume.");
    return undefined;
  }
  const items = sessions.map(({ id, changedAt, turns, prompt }) => ({
    id,
    label: prompt.replaceAll(/\s+/g, " ").trim().slice(0, 80) || "(nothing was typed)",
    hint: `${id.slice(0, 8)}  ${ago(nowMs() - changedAt.getTime())}  ${plural(turns, "turn")}`,
  }));
  return (await pane.pick(items, { title: "Resume", signal: ending.signal }))?.id;
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} days ago`;
}
