// Makes text from outside harmless for a terminal: no byte of it can move the cursor, change a colour, set a title or reverse the reading order.
// wording/visible.ts defines what is unsafe, for questions and screens alike.
import { visibleProse } from "../wording/visible.ts";

/** Control, bidi, tag and other invisible characters become visible escapes; newlines stay, tabs become spaces, CRLF becomes a newline. */
export function visibleText(text: string): string {
  return visibleProse(text.replaceAll("\r\n", "\n").replaceAll("\t", "    "));
}

/** Its first line as it is and the following ones indented, so that none of them looks like a line of its own. */
export function hanging(text: string, columns: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(columns)}`);
}

/** `visibleText` on one line: a line break becomes a space. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", " ");
}

/** The beginning of a text with at most that many characters, without splitting a character at the end. */
export function beginning(text: string, atMost: number): string {
  return text.length <= atMost ? text : text.slice(0, atMost).replace(/[\ud800-\udbff]$/, "");
}

/** The same, with a mark if something was cut. */
export function shortened(text: string, atMost: number): string {
  return text.length <= atMost ? text : `${beginning(text, atMost - 1)}…`;
}
