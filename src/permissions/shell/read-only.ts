// Which commands are known to change nothing.
import type { Analysis } from "./analysis.ts";

/** Whether every simple command is known and known to change nothing; redirections into files change something. */
export function isReadOnly({ commands, unclear }: Analysis): boolean {
  return (
    unclear === undefined &&
    commands.every(
      ({ readOnly, unclear, hazards, files }) =>
        readOnly && unclear === undefined && hazards.length === 0 && files.every(({ access }) => access === "read"),
    )
  );
}
