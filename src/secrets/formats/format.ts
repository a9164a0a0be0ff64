// How the table of secret formats is written: the name of a format, its pattern, and the keywords that a text must contain.

/**
 * The secret is the named group `secret`, or else the whole match. `near` must match within 200 characters before it, or after it on the
 * same line.
 */
export type FormatRule = {
  kind: string;
  pattern: RegExp;
  near?: RegExp;
  /** Every match contains one of these, so a text without them is skipped. If absent, every text is searched. */
  keywords?: string[];
};

/** Not in the middle of a word; the letter of an escape (`\\n`, `%3D`) does not count as part of one. */
const start = "(?<!(?<!\\\\|%[0-9A-Fa-f])[A-Za-z0-9_])";

/** A format with a fixed prefix, from which its keywords are derived. */
export const rule = (
  kind: string,
  pattern: string,
  { near, keywords = keywordsOf(pattern) }: Pick<FormatRule, "near" | "keywords"> = {},
): FormatRule => ({
  kind,
  pattern: new RegExp(`${start}(?:${pattern})`, "g"),
  ...(near && { near }),
  ...(keywords && { keywords }),
});

/**
 * The literal prefix of a pattern, or the alternatives of its first group: searching a text for those is much faster than running the
 * pattern.
 */
function keywordsOf(pattern: string): string[] | undefined {
  const [, group, then = "", after = ""] = /^\(\?:([\w.|/-]+)\)([\w/-]*)(.?)/.exec(pattern) ?? [];
  if (group && (then !== "" || !/[?*{]/.test(after))) {
    const fixed = /[?*{|]/.test(after) ? then.slice(0, -1) : then;
    return group.includes(".") ? undefined : group.split("|").map((mark) => mark + fixed);
  }
  const [plain = ""] = /^(?:[\w/-]|\\[.$])+/.exec(pattern) ?? [];
  const optional = /^[?*{|]/.test(pattern.slice(plain.length));
  const mark = (optional ? plain.slice(0, -1) : plain).replaceAll("\\", "");
  return mark.length >= 2 && !pattern.slice(plain.length).startsWith("|") ? [mark] : undefined;
}

/** Not followed by more such characters: a token of fixed length is not the beginning of something longer. */
export const end = "(?![A-Za-z0-9])";

/** An address whose path is the secret. All of it is replaced, because the rest is useless alone. */
export const webhook = (kind: string, address: string): FormatRule => ({
  kind,
  pattern: new RegExp(
    String.raw`(?:https?:\\?/\\?/)?(?<![A-Za-z0-9])(?:[\w-]{1,60}\.)?${address.replaceAll(/\.(?=\w{2})/g, String.raw`\.`)}`,
    "g",
  ),
  keywords: [/[a-z]+(?:\.[a-z]+)*(?=\(|\.|\/)/.exec(address)![0]],
});
