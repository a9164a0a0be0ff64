// What pi-tui makes when it is loaded or measures its first line, made when it is needed: a start measures none but plain lines.

/** All emoji as one expression take a tenth of a second to be compiled; those of a single character are a property of that character. */
const emojiTest = `((one, all) => ({
  test: (text) => one.test(text) || (text.length > (text.codePointAt(0) > 0xffff ? 2 : 1) && (all ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text)),
}))(/^[\\p{Emoji_Presentation}--\\p{Regional_Indicator}]$/v);`;

/** In plain text with the marks, arrows and frames that we print, each character is a grapheme. */
const segmenter = `((plain, made) => ({
  segment: (text) =>
    plain.test(text)
      ? Array.from(text, (segment, index) => ({ segment, index, input: text }))
      : (made ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text),
}))(/^[\\x20-\\x7e\\xa1-\\xff\\u2010-\\u2027\\u2190-\\u22ff\\u2500-\\u25ff\\u2713\\u2717]*$/);`;

const replacements = [
  ["= /^\\p{RGI_Emoji}$/v;", `= ${emojiTest}`],
  ['= new Intl.Segmenter(undefined, { granularity: "grapheme" });', `= ${segmenter}`],
];

/** The text of pi-tui's utils.js with both changed. Throws when one of them is not there once. */
export function lazily(code) {
  for (const [literal] of replacements)
    if (code.split(literal).length !== 2) throw new Error(`pi-tui has changed: ${literal} is not there once`);
  return replacements.reduce((text, [literal, lazy]) => text.replace(literal, () => lazy), code);
}
