// Makes foreign text safe to show: escapes characters that move the cursor, change the writing direction or are invisible.

const unseen = "\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}";
const anyUnseen = new RegExp(`[${unseen}]`, "gu");

/** Keeps printable characters and spaces; `\x1b`, `\u{202e}` and the like for control, format and tag characters, line breaks included. */
export function visible(text: string): string {
  return text.replaceAll(anyUnseen, spelt);
}

/** An emoji as typed: its presentation, its skin tone, and what is joined to it. A keycap is one too. */
const person = "\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?";
const emoji = `${person}(?:\\u200d${person})*|[0-9#*]\\ufe0f?\\u20e3`;

/** Scripts that need joiners between their letters. */
const joining = ["Arabic", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala"];
const letterAndJoiner = `[${joining.map((script) => `\\p{Script=${script}}`).join("")}][\\u200c\\u200d]`;

const harmless = /^[\n\x20-\x7e]*$/;
const proseParts = new RegExp(`(?<kept>${emoji}|${letterAndJoiner}|\\n)|[${unseen}]`, "gu");

/** The same for prose: keeps line breaks, and joiners and selectors where an emoji or a script needs them. */
export function visibleProse(text: string): string {
  return harmless.test(text) ? text : text.replaceAll(proseParts, (found, kept: string | undefined) => kept ?? spelt(found));
}

function spelt(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
}
