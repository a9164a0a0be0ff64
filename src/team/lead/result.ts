// How a team ended, written by its lead to result.json: for the process that shows the lead's pane, attaches, or asks later.

import { z } from "zod";
import type { BoardDisk } from "../../board/disk.ts";
import { contentOf } from "../../board/json-file.ts";
import type { TeamLayout } from "../../board/layout.ts";
import { teamReportSchema } from "../report/report.ts";

const leadEnds = ["completed", "nothing_to_do", "stalled", "failed", "interrupted"] as const;

const resultSchema = z.lazy(() =>
  z.looseObject({
    /** The exit code of the lead's process. */
    code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(130)]),
    report: teamReportSchema,
    end: z.looseObject({
      how: z.enum(leadEnds),
      /** Why the team was stuck; empty unless it ended because of that. */
      stalled: z.array(z.string()),
    }),
    /** Of a team with worktrees: where its work is, and which worktrees are left. */
    worktrees: z.array(z.string()).optional(),
  }),
);
export type TeamResult = z.infer<typeof resultSchema>;

/** Undefined while a lead leads, and when the last one died before it could write one. */
export function readResult(disk: Pick<BoardDisk, "read">, layout: TeamLayout): TeamResult | undefined {
  return contentOf(disk.read(resultPath(layout)), resultSchema);
}

/** To be called before the lead's claim is released, so that the result exists whenever the lead is found gone. */
export function writeResult(disk: Pick<BoardDisk, "replace">, layout: TeamLayout, result: TeamResult): void {
  disk.replace(resultPath(layout), JSON.stringify(result));
}

/** Called first by a new lead: removes the result of its predecessor. */
export function removeResult(disk: Pick<BoardDisk, "remove">, layout: TeamLayout): void {
  disk.remove(resultPath(layout));
}

function resultPath(layout: TeamLayout): string {
  return `${layout.member("lead")}/result.json`;
}
