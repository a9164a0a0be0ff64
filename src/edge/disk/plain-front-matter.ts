// Front matter as most people write it, read without a parser of YAML: a key and a text, a number or a short list on each line. The
// parser takes a quarter of a millisecond for such a file; a test holds both against each other.
import type { Entry, FrontMatter } from "../../subagents/front-matter.ts";

const block = /^---\r?\n((?:[A-Za-z][\w-]{0,60}: [^\r\n]+\r?\n)+)---\r?\n/;

/** What begins with a letter and has no colon before a blank, no comment and no blank at its end is text, but for the words below. */
const plainText = /^[A-Za-z](?:[^\p{C}\p{Zl}\p{Zp}:#]|:(?=\S)|(?<=\S)#)*(?<!\s)$/u;

/** In quotes, where nothing in them is written otherwise than it is meant. */
const quotedText = /^(?:"([^"\\\p{C}\p{Zl}\p{Zp}]*)"|'([^'\p{C}\p{Zl}\p{Zp}]*)')$/u;

/** `[Read, "Bash"]` */
const plainList = /^\[(?:[A-Za-z][\w()*./-]*|"[A-Za-z][\w()*./-]*")(?:, ?(?:[A-Za-z][\w()*./-]*|"[A-Za-z][\w()*./-]*"))*\]$/;

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
