// What a teammate's pane says when its lead is gone.
import { duration } from "../../wording/figures.ts";

/** For the pane of a teammate whose lead's process died. */
export function leadGoneText(name: string, graceMs: number, { team, command }: { team: string; command: string }): string {
  const waits = graceMs === 0 ? "ends" : `waits ${duration(graceMs)} for it, then ends`;
  return `The lead is gone. ${name} ${waits}; its work is kept. To resume the team: ${command} team --resume ${team}`;
}
