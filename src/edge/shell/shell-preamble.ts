// What the shell does before it runs a command: it joins both streams into one pipe, which keeps their order, and closes descriptors that
// this program inherited, such as a folder outside the sandbox. (bubblewrap closes those only for its own process.)
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { codeOf } from "../system-error.ts";

let found: string | undefined;

/** On the first line of the command, so that line numbers in the shell's messages match the command. */
export function preamble(): string {
  found ??= `exec 2>&1${closing()}; `;
  return found;
}

/** Removes the preamble from a message of the shell about a syntax error in the first line, which quotes that line. */
export function withoutPreamble(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString().replaceAll(`\`${preamble()}`, "`"));
}

const folder = "/proc/self/fdinfo";

function closing(): string {
  if (!existsSync(folder)) return atRunTime;
  const inherited = readdirSync(folder).filter((fd) => Number(fd) > 2 && !isClosedForChildren(`${folder}/${fd}`));
  return inherited.map((fd) => ` ${fd}>&-`).join("");
}

/** If the inherited descriptors are unknown, as on macOS, the shell closes all that it finds. */
const atRunTime =
  '; for fd in /dev/fd/*; do [[ $fd =~ [0-9]+$ ]] && ((BASH_REMATCH > 2)) && eval "exec $BASH_REMATCH>&-"; done; unset fd BASH_REMATCH';

/** Node opens its own files with O_CLOEXEC, as proc(5) shows; descriptors without it were inherited, and do not change. */
function isClosedForChildren(path: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(path, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & 0o2000000) !== 0;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true; // the descriptor of the folder itself, while it was read
    throw error;
  }
}
