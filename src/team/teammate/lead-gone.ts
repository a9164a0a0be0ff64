// Since when a team has no lead. A death is not observed directly, so the first process to notice writes it down, for that one lead process.

import { z } from "zod";
import type { BoardDisk } from "../../board/disk.ts";
import { contentOf } from "../../board/json-file.ts";
import type { TeamLayout } from "../../board/layout.ts";
import { readResult } from "../lead/result.ts";
import { readStatus } from "../member-files.ts";

/** `at`: known to be gone since then. `ended`: it ended by itself, after its teammates. */
export type LeadGone = { kind: "ended" } | { kind: "lost"; at: Date };

/** For a team whose lead does not live. `note`: this look is written down if it is the first. */
export function leadGone(
  disk: Pick<BoardDisk, "read" | "replace">,
  layout: TeamLayout,
  { now, note }: { now: Date; note: boolean },
): LeadGone {
  if (readResult(disk, layout)) return { kind: "ended" };
  const status = readStatus(disk, layout, "lead");
  if (!status) return { kind: "ended" };
  const { pid, start } = status;
  const seen = contentOf(disk.read(notePath(layout)), noteSchema);
  if (seen?.pid === pid && seen.start === start) return { kind: "lost", at: new Date(seen.seen_at) };
  if (note) disk.replace(notePath(layout), JSON.stringify({ pid, start, seen_at: now.toISOString() } satisfies Note));
  return { kind: "lost", at: now };
}

const noteSchema = z.object({ pid: z.number(), start: z.string(), seen_at: z.iso.datetime() });
type Note = z.infer<typeof noteSchema>;

function notePath(layout: TeamLayout): string {
  return `${layout.member("lead")}/gone.json`;
}
