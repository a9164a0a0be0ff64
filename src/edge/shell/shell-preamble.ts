// What the shell does before it reads a command: it joins its two streams into one pipe, which keeps their order, and closes what this
// program itself was started with, a folder outside the sandbox for one. (bubblewrap closes that for its own process.)
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { codeOf } from "../system-error.ts";

let found: string | undefined;

/** On the line of the command's first words, so that what the shell says of a line counts the command's own. */
export function preamble(): string {
  found ??= `exec 2>&1${closing()}; `;
  return found;
}

/** What the shell says before it has joined them: that the first line is no command. It shows that line. */
export function withoutPreamble(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString().replaceAll(`\`${preamble()}`, "`"));
}

const folder = "/proc/self/fdinfo";

function closing(): string {
  if (!existsSync(folder)) return atRunTime;
  const inherited = readdirSync(folder).filter((fd) => Number(fd) > 2 && !isClosedForChildren(`${folder}/${fd}`));
  return inherited.map((fd) => ` ${fd}>&-`).join("");
}

/** Where nobody says which descriptors are whose, as on macOS: the shell closes all that it finds. */
const atRunTime =
  '; for fd in /dev/fd/*; do [[ $fd =~ [0-9]+$ ]] && ((BASH_REMATCH > 2)) && eval "exec $BASH_REMATCH>&-"; done; unset fd BASH_REMATCH';

/**
 * Node closes for a child what it opened itself, which proc(5) shows by the flag O_CLOEXEC; so what is left open was there from the start,
 * and stays the same.
 */
function isClosedForChildren(path: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(path, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & 0o2000000) !== 0;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true; // it was the folder itself, while it was read
    throw error;
  }
}
