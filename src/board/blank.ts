// Whether a text says anything at all.

/** No visible character: spaces of any kind, control and format characters (zero-width ones among them) only. */
export function isBlank(text: string): boolean {
  return !/[^\p{Cc}\p{Cf}\p{Z}]/u.test(text);
}
