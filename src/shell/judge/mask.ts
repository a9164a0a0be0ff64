// A text with `*` for any run of characters, in time that grows with the lengths alone: a rule may come from a repository.

/** Blanks in the mask are one blank each. */
export function fitsMask(mask: string, text: string): boolean {
  const [first = "", ...others] = mask.split(/\*+/).map((part) => part.replaceAll(/\s+/g, " "));
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  // The earliest place leaves the most for what follows.
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}
