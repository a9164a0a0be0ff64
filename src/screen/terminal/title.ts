// The title of the terminal's window.
import { visibleLine } from "../visible-text.ts";

/** The bytes that set it (OSC 2). An empty text returns the title to the shell. */
export function leadTitle(text: string): string {
  return `\x1b]2;${visibleLine(text)}\x07`;
}
