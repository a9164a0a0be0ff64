// A notification by the terminal, for a person who looks elsewhere.
import { visibleLine } from "../visible-text.ts";

/**
 * The bytes: OSC 777 for the terminals that know no other, OSC 9 for the rest, and the bell, which passes through tmux too. `term` is the
 * variable TERM.
 */
export function notification(text: string, term = ""): string {
  const safe = visibleLine(text).slice(0, longest).toWellFormed();
  // A semicolon would divide it, and OSC 9 with a number before one means something else.
  const plain = safe.replaceAll(";", ",");
  return `${/^(rxvt|foot)/.test(term) ? `\x1b]777;notify;tool;${plain}\x07` : `\x1b]9;${plain}\x07`}\x07`;
}

const longest = 200;
