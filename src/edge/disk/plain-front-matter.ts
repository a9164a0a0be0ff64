// Front matter as most people write it, read without a parser of YAML: a key and a plain text or number on each line, and nothing else. The
// parser takes a quarter of a millisecond for such a file; a test holds both against each other.
import type { Entry, FrontMatter } from "../../subagents/front-matter.ts";

const block = /^---\n((?:[A-Za-z][\w-]{0,60}: [^\n]+\n)+)---\n/;

/** What begins with a letter and has no colon, no comment and no blank at its end is text, but for these words. */
const plainText = /^[A-Za-z](?:[\w ,.()/*+=<>;!?'-]*[\w,.()/*+=<>;!?'-])?$/;
const words = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const plainNumber = /^(?:0|[1-9]\d{0,8})$/;

/** Longer ones are for the parser, which knows what is too long. */
const mostCharacters = 8_000;

/** Undefined for what has to be read as YAML. */
export function readPlainFrontMatter(text: string): FrontMatter | undefined {
  const found = block.exec(text);
  if (!found?.[1] || found[1].length > mostCharacters) return undefined;
  const keys = new Set<string>();
  const entries: Entry[] = [];
  for (const [index, line] of found[1].slice(0, -1).split("\n").entries()) {
    const colon = line.indexOf(":");
    const [key, written] = [line.slice(0, colon), line.slice(colon + 2)];
    const isText = plainText.test(written) && !words.test(written);
    if (keys.has(key) || words.test(key) || (!isText && !plainNumber.test(written))) return undefined;
    keys.add(key);
    entries.push({ key, value: isText ? written : Number(written), line: index + 2 });
  }
  return { ok: true, entries, faults: [], body: text.slice(found[0].length) };
}
