// Where a team is shown, read from its record alone: for commands in another terminal.
import { z } from "zod";
import type { TeamRecord } from "../board/team-record.ts";
import { type DisplayHandle, displayHandle, displayPlaces } from "./display/display.ts";
import { treesRecordSchema } from "./worktrees.ts";

export type TmuxHandle = Extract<DisplayHandle, { kind: "tmux" }>;

/** What the record says of a team under `options`. */
const optionsSchema = z.object({
  where: z.enum(displayPlaces).optional(),
  /** How long teammates wait for a lead that is gone. */
  lead_grace_ms: z.number().nonnegative().optional(),
  /** Each teammate works in a worktree of its own. */
  worktrees: treesRecordSchema.optional(),
  /** The folder it worked in is gone when it has ended. */
  demo: z.boolean().optional(),
});
export type TeamOptions = z.infer<typeof optionsSchema>;

/**
 * `tmux`: its panes, the one to show first in front. `tabs`, `lead`, `logs`: iTerm2 tabs, inside the lead's terminal, log files.
 * `nowhere`: nobody was started, other programs are the members.
 */
export type Place =
  | { kind: "tmux"; where: "beside" | "private" | "detached"; panes: TmuxHandle[] }
  | { kind: "tabs" }
  /** `panes`: the lead's own one, when its terminal happens to be in tmux. */
  | { kind: "lead"; panes: TmuxHandle[] }
  /** The name of the display that the person has configured. */
  | { kind: "driver"; driver: string }
  | { kind: "logs"; files: string[] }
  | { kind: "nowhere" };

export function placeOf(record: TeamRecord): Place {
  const { where } = optionsOf(record);
  switch (where) {
    case "beside":
    case "private":
      return { kind: "tmux", where, panes: [...panesOf(record, "lead"), ...panesOf(record, "teammate")] };
    case "detached":
      // The lead only prints: its teammates are shown first.
      return { kind: "tmux", where, panes: [...panesOf(record, "teammate"), ...panesOf(record, "lead")] };
    case "tabs":
      return { kind: where };
    case "lead":
      return { kind: where, panes: panesOf(record, "lead") };
    case "driver":
      return { kind: where, driver: handlesOf(record).flatMap(({ handle }) => (handle.kind === "driver" ? handle.driver : []))[0] ?? "" };
    case "logs":
      return { kind: "logs", files: handlesOf(record).flatMap(({ handle }) => (handle.kind === "plain" ? handle.log : [])) };
    case undefined:
      return { kind: "nowhere" };
  }
}

/** What this version does not understand is left out. */
export function optionsOf(record: TeamRecord): TeamOptions {
  return optionsSchema.safeParse(record.options).data ?? {};
}

/** Every place that was recorded, also of members that have ended. */
export function handlesOf(record: TeamRecord): { name: string; role: "lead" | "teammate"; handle: DisplayHandle }[] {
  return record.members.flatMap(({ name, role, display }) => {
    const handle = displayHandle.safeParse(display);
    return handle.success ? { name, role, handle: handle.data } : [];
  });
}

/** The panes of the other members that have not ended, in the order of the record, beginning after this one. */
export function panesAfter(record: TeamRecord, name: string): TmuxHandle[] {
  const at = record.members.findIndex((member) => member.name === name);
  const others = [...record.members.slice(at + 1), ...record.members.slice(0, Math.max(0, at))];
  return handlesOf({ ...record, members: others.filter(({ ended }) => ended === undefined) }).flatMap(({ handle }) =>
    handle.kind === "tmux" ? handle : [],
  );
}

/** Whether the record says where this process of the member is shown: of a pane, the process in it is recorded too. */
export function isPlaceKnown(record: TeamRecord, name: string, pid: number): boolean {
  const place = handlesOf(record).find((each) => each.name === name);
  return place !== undefined && (place.handle.kind !== "tmux" || place.handle.panePid === pid);
}

function panesOf(record: TeamRecord, wanted: "lead" | "teammate"): TmuxHandle[] {
  return handlesOf(record).flatMap(({ role, handle }) => (role === wanted && handle.kind === "tmux" ? handle : []));
}
