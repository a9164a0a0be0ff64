// Which commands are known to change nothing.
import type { SimpleCommand } from "./analysis.ts";

/** git only looks where the repository does not make it start something. */
export function changesNothing(command: SimpleCommand, gitRuns: string | undefined): boolean {
  return isReadOnly(command) && !(gitRuns !== undefined && isGit(command));
}

export const isGit = ({ words }: SimpleCommand) => /(?:^|\/)git(?:-[^/]*)?$/.test(words[0]?.value ?? "");

/** Redirections into files change something. */
function isReadOnly({ readOnly, unclear, hazards, files }: SimpleCommand): boolean {
  return readOnly && unclear === undefined && hazards.length === 0 && files.every(({ access }) => access === "read");
}
