// Reads front matter in its usual form without a YAML parser: on each line a key and a text, a number or a short list. The parser takes a
// quarter of a millisecond for such a file; a test compares both.
import type { Entry, FrontMatter } from "../../subagents/front-matter.ts";

const block = /^---\r?\n((?:[A-Za-z][\w-]{0,60}: [^\r\n]+\r?\n)+)---\r?\n/;

/** A text: begins with a letter, has no colon before a space, no comment and no trailing space, and is not one of the words below. */
const plainText = /^[A-Za-z](?:[^\p{C}\p{Zl}\p{Zp}:#]|:(?=\S)|(?<=\S)#)*(?<!\s)$/u;

/** Quoted text without escapes. */
const quotedText = /^(?:"([^"\\\p{C}\p{Zl}\p{Zp}]*)"|'([^'\p{C}\p{Zl}\p{Zp}]*)')$/u;

/** `[Read, "Bash"]` */
const plainList = /^\[(?:[A-Za-z][\w()*./-]*|"[A-Za-z][\w()*./-]*")(?:, ?(?:[A-Za-z][\w()*./-]*|"[A-Za-z][\w()*./-]*"))*\]$/;

const words = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const plainNumber = /^(?:0|[1-9]\d{0,8})$/;

/** Longer ones go to the parser, which has its own limit. */
const mostCharacters = 8_000;

/** Undefined if a YAML parser is needed. */
export function readPlainFrontMatter(text: string): FrontMatter | undefined {
  const found = block.exec(text);
  if (!found?.[1] || found[1].length > mostCharacters) return undefined;
  const keys = new Set<string>();
  const entries: Entry[] = [];
  for (const [index, line] of found[1]
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .entries()) {
    const colon = line.indexOf(":");
    const [key, written] = [line.slice(0, colon), line.slice(colon + 2)];
    const value = plainValue(written);
    if (keys.has(key) || words.test(key) || value === undefined) return undefined;
    keys.add(key);
    entries.push({ key, value, line: index + 2 });
  }
  return { ok: true, entries, faults: [], body: text.slice(found[0].length) };
}

function plainValue(written: string): string | number | string[] | undefined {
  if (plainNumber.test(written)) return Number(written);
  if (plainText.test(written) && !words.test(written)) return written;
  if (plainList.test(written)) {
    const names = written.match(/[^[\],"\s]+/g) ?? [];
    return names.some((name) => words.test(name)) ? undefined : names;
  }
  const quoted = quotedText.exec(written);
  return quoted?.[1] ?? quoted?.[2];
}
