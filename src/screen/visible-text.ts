// Text that we did not draw ourselves, made harmless before it reaches a terminal: no byte of it can move the cursor, change a
// colour, set a title or reverse the reading order.

const bidi = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const tags = "\\u{e0000}-\\u{e007f}";
const lineSeparators = "\\u2028\\u2029";
const unsafe = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${bidi}${lineSeparators}${tags}]`, "gu");

/** Control, bidi and tag characters become visible escapes; newlines stay, tabs become spaces, CRLF becomes a newline. */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").replace(unsafe, asEscape).toWellFormed();
}

/** The same on one line: a line break becomes a space. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", " ");
}

function asEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return "^?";
  return `\\u{${code.toString(16)}}`;
}
