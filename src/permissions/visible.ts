// Text that someone else chose, made safe to show: what moves the cursor, turns the writing direction or cannot be seen is spelt out.

/** Keeps printable characters and blanks; `\x1b`, `\u{202e}` and the like for control, format and tag characters. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
  });
}
