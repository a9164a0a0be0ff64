// What keeps a program at a path from being run.
import { statSync } from "node:fs";
import type { ProgramFault } from "../../hooks/configured.ts";
import { isExecutable } from "../display/start-check.ts";
import { ifPossible } from "../system-error.ts";

export const programFault: ProgramFault = (path) => {
  const there = ifPossible(() => statSync(path, { throwIfNoEntry: false }));
  if (!there) return "missing";
  if (there.isDirectory()) return "a folder";
  return isExecutable(path) ? undefined : "not executable";
};
