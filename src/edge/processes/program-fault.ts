// What keeps a program at a path from being run.
import { statSync } from "node:fs";
import type { ProgramFault } from "../../hooks/configured.ts";
import { isExecutable } from "../display/start-check.ts";
import { ifPossible } from "../system-error.ts";

export const programFault =
  (searchPath: string): ProgramFault =>
  (program) =>
    program.includes("/") ? faultAt(program) : isFound(program, searchPath) ? undefined : "not on PATH";

/** In a folder of the way that is relative, whatever is there counts: where the command will run is not known here. */
const isFound = (name: string, searchPath: string) =>
  searchPath.split(":").some((folder) => !folder.startsWith("/") || faultAt(`${folder}/${name}`) === undefined);

const faultAt: ProgramFault = (path) => {
  const there = ifPossible(() => statSync(path, { throwIfNoEntry: false }));
  if (!there) return "missing";
  if (there.isDirectory()) return "a folder";
  return isExecutable(path) ? undefined : "not executable";
};
