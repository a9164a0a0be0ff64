// Checks that a program can run before a display starts it: tmux reports success for a missing program, and replaces a missing directory by
// another.
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ifPossible } from "../system-error.ts";
import { DisplayError } from "./display-error.ts";

/** Throws DisplayError if the working directory or the program is missing. A program without a path is looked up on PATH later. */
export function requireStart({ name, argv, cwd }: { name: string; argv: string[]; cwd: string }): void {
  if (!isAbsolute(cwd) || !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DisplayError(`Cannot start ${name} in ${cwd}: there is no such directory. Create it, or start the team elsewhere.`);
  }
  const [program = ""] = argv;
  if (isAbsolute(program) && !isExecutable(program)) {
    throw new DisplayError(`Cannot start ${name}: ${program} is not there or cannot be executed.`);
  }
}

/** False also if it is missing, or in a directory that cannot be searched. */
export function isExecutable(path: string): boolean {
  const check = () => {
    accessSync(path, constants.X_OK);
    return true;
  };
  return ifPossible(check) ?? false;
}
