// A PATH on which programs can be replaced while something runs that has found them there.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programFolder } from "./scratch.ts";

/** A script that starts the program of this machine. */
export const passing = (program: string) => `#!/bin/sh\nexec /usr/bin/${program} "$@"\n`;

/** Programs of sandboxes, which fail with this message. */
export const failingWith = (message: string) => `#!/bin/sh\necho '${message}' >&2\nexit 1\n`;

/** `replace` with null removes the program. */
export function replaceablePrograms(names: string[]) {
  const folder = programFolder(Object.fromEntries(names.map((name) => [name, passing(name)])));
  return {
    path: `${folder}:${process.env["PATH"]}`,
    replace(name: string, text: string | null) {
      const path = join(folder, name);
      if (text === null) return rmSync(path);
      writeFileSync(`${path}.new`, text, { mode: 0o755 });
      renameSync(`${path}.new`, path); // a shell that reads it goes on reading the former one
    },
  };
}
