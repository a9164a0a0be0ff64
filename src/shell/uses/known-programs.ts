// Whether any table has an entry for a program. A program without one may be a wrapper.

import { fileEntries } from "../tables/file-operands.ts";
import { wrappers } from "../tables/wrappers.ts";
import { subcommandPrograms } from "../words/subcommand.ts";
import { builtins } from "./builtins.ts";
import { isListed } from "./hazards.ts";
import { speaking } from "./mentioned-files.ts";
import { isLooking } from "./read-only-programs.ts";

/** `program` is the name without its folder. */
export function isKnownProgram(program: string): boolean {
  return (
    isListed(program) ||
    isLooking(program) ||
    builtins.has(program) ||
    speaking.has(program) ||
    subcommandPrograms.has(program) ||
    fileEntries.has(program) ||
    wrappers.has(program)
  );
}
