// A path as a person in the working directory would write it.
import { relative } from "node:path";

/** The path relative to the working directory. */
export function nearPath(cwd: string, file: string): string {
  const path = relative(cwd, file);
  return path.startsWith("..") ? file : path;
}
