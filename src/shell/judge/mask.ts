// Matches a text against a mask in which `*` stands for any characters. Linear in the lengths, because a rule may come from a repository.

/** A run of whitespace in the mask matches one space. */
export function fitsMask(mask: string, text: string): boolean {
  const [first = "", ...others] = mask.split(/\*+/).map((part) => part.replaceAll(/\s+/g, " "));
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  // The earliest match leaves the most text for the parts that follow.
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}
