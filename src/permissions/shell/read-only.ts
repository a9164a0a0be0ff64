// Which commands are known to change nothing.
import type { SimpleCommand } from "./analysis.ts";

/** Redirections into files change something. */
export function isReadOnly({ readOnly, unclear, hazards, files }: SimpleCommand): boolean {
  return readOnly && unclear === undefined && hazards.length === 0 && files.every(({ access }) => access === "read");
}
