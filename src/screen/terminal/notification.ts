// A terminal notification for a person who is looking elsewhere.
import { visibleLine } from "../visible-text.ts";

/**
 * The bytes: OSC 777 for terminals that support only that, OSC 9 for others, and the bell, which also passes through tmux. `term`: the variable TERM.
 */
export function notification(text: string, term = ""): string {
  const safe = visibleLine(text).slice(0, longest).toWellFormed();
  // A semicolon is a separator here, and OSC 9 with a leading number means something else.
  const plain = safe.replaceAll(";", ",");
  return `${/^(rxvt|foot)/.test(term) ? `\x1b]777;notify;tool;${plain}\x07` : `\x1b]9;${plain}\x07`}\x07`;
}

const longest = 200;
