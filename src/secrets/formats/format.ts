// How a form of a secret is written down: what it is called, what it looks like, and what a text must have for it to be looked for.

/** The secret is the group of that name where there is one, else the whole match. `near` must stand within 200 characters before it, or behind it on its line. */
export type FormatRule = {
  kind: string;
  pattern: RegExp;
  near?: RegExp;
  /** One of these stands in whatever the pattern finds; without them it has to be looked for. */
  keywords?: string[];
};

/** Not in the middle of a word; the letter of an escape (`\\n`, `%3D`) is not part of one. */
const start = "(?<!(?<!\\\\|%[0-9A-Fa-f])[A-Za-z0-9_])";

/** A form behind a fixed beginning. Its keywords are read off the pattern. */
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

/** The letters that a pattern begins with, or the alternatives of a group: a text is much sooner searched for those than for the pattern. */
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

/** Not followed by more of the same: a token of fixed length is not the beginning of something longer. */
export const end = "(?![A-Za-z0-9])";

/** An address whose path is the secret: all of it, since nobody has use for the rest. */
export const webhook = (kind: string, address: string): FormatRule => ({
  kind,
  pattern: new RegExp(
    String.raw`(?:https?:\\?/\\?/)?(?<![A-Za-z0-9])(?:[\w-]{1,60}\.)?${address.replaceAll(/\.(?=\w{2})/g, String.raw`\.`)}`,
    "g",
  ),
  keywords: [/[a-z]+(?:\.[a-z]+)*(?=\(|\.|\/)/.exec(address)![0]],
});
