// Whether a text has any visible character.

/** True if the text has only spaces of any kind, control characters and format characters such as zero-width ones. */
export function isBlank(text: string): boolean {
  return !/[^\p{Cc}\p{Cf}\p{Z}]/u.test(text);
}
