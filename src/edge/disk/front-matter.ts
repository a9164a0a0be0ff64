// Splits a Markdown file into its front matter, key by key with line numbers, and its body. YAML only: nothing in a file is executed.
import matter from "gray-matter";
import type { Entry, Fault, FrontMatter } from "../../subagents/definitions/front-matter.ts";
import { readYaml } from "./yaml-text.ts";

const mostBytes = 64 * 1024;
const mostLines = 1_500;

/** `textKeys`: keys whose value is a text, which people often write without quotes even where YAML needs them. */
export function readFrontMatter(text: string, textKeys: readonly string[]): FrontMatter {
  const plain = text.replace(/^\uFEFF/, "");
  const fence = fenceFault(plain);
  if (fence) return { ok: false, fault: fence };
  let raw = "";
  const engine = {
    parse(block: string) {
      raw = block;
      return {};
    },
  };
  const { content } = matter(plain, { language: "yaml", engines: { yaml: engine, javascript: engine, json: engine } });
  const read = readEntries(raw.replaceAll(/\r\n?/g, "\n"), textKeys);
  return read.ok ? { ...read, body: content } : read;
}

/** Reports everything that can be wrong with the two `---` lines. */
function fenceFault(text: string): Fault | undefined {
  const first = text.split("\n", 1)[0]!.trimEnd();
  const above = /^(?:[^\S\n]*(?:`{3,}\w*[^\S\n]*)?\n)+(?=---[^\S\n]*\n)/.exec(text)?.[0];
  if (above !== undefined) {
    const line = above.split("\n").length;
    return { line, found: "The front matter does not begin in line 1.", action: "Remove what is above it." };
  }
  if (!/^---(?!-)/.test(first)) {
    return {
      line: 1,
      found: "The file does not begin with front matter.",
      action: 'Begin it with a line "---", the keys, and a second line "---".',
    };
  }
  if (first !== "---" && !/^---\s*ya?ml$/.test(first)) {
    return {
      line: 1,
      found: `The front matter is marked as ${JSON.stringify(first.slice(3, 40).trim())}.`,
      action: 'Only YAML is read: begin the file with "---" alone.',
    };
  }
  const end = /\r?\n---[^\S\n]*(\r?\n|$)/.exec(text);
  if (!end)
    return {
      line: 1,
      found: 'The front matter has no end: there is no second line "---".',
      action: 'Add a line "---" after the last key.',
    };
  const block = text.slice(0, end.index);
  const lines = block.match(/[\r\n]/g)?.length ?? 0;
  if (lines > 2 * mostLines) {
    return { line: 1, found: `The front matter has more than ${mostLines} lines.`, action: "Put instructions below the front matter." };
  }
  const bytes = Buffer.byteLength(block);
  if (bytes <= mostBytes) return undefined;
  return {
    line: 1,
    found: `The front matter has ${bytes} bytes, and at most ${mostBytes} are read.`,
    action: "Put instructions below the front matter.",
  };
}

type Read = { ok: true; entries: Entry[]; faults: Fault[] } | { ok: false; fault: Fault };

/** The first line of `raw` is the rest of the opening `---` line. */
function readEntries(raw: string, textKeys: readonly string[]): Read {
  const whole = readBlock(raw, 0);
  if (whole.ok) return { ...whole, faults: [] };
  const blocks = blocksOf(raw, textKeys);
  if (blocks.length === 0) return whole;
  const entries: Entry[] = [];
  const faults: Fault[] = [];
  for (const block of blocks) {
    const read = readBlock(block.text, block.line - 1);
    if (read.ok) entries.push(...read.entries);
    else if (textKeys.includes(block.key)) entries.push({ key: block.key, value: plainText(block), line: block.line, repaired: true });
    else faults.push(read.fault);
  }
  return { ok: true, entries, faults: [...faults, ...repeated(entries)] };
}

function readBlock(text: string, linesBefore: number): { ok: true; entries: Entry[] } | { ok: false; fault: Fault } {
  if (isTooInvolved(text)) return { ok: false, fault: notYaml(linesBefore + 1, "it has more lines, brackets or signs than are read") };
  const read = readYaml(text);
  if (!read.ok) return { ok: false, fault: notYaml(linesBefore + read.line, read.reason) };
  const { value, lineOf } = read;
  if (value === null) return { ok: true, entries: [] };
  if (typeof value !== "object" || Array.isArray(value)) return { ok: false, fault: notYaml(linesBefore + 1, "it is not a list of keys") };
  return { ok: true, entries: Object.entries(value).map(([key, one]) => ({ key, value: one, line: linesBefore + lineOf([key]) })) };
}

/**
 * Rejects what no person writes: the parser takes quadratic time for many keys and markers, and exponential time for keys within keys (`? ?
 * ?`).
 */
function isTooInvolved(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return count(/[:\-[\]{}"'&*!|>#]/g) > 3_000 || count(/:\s/g) > 1_600 || count(/(?:^|[\s[{,:-])\?(?=\s)/gm) > 4;
}

const notYaml = (line: number, reason: string): Fault => ({
  line,
  found: `The front matter is not valid YAML: ${reason.split("\n")[0]!.slice(0, 200)}.`,
  action: "Correct this line; put a text with a colon in quotes.",
});

type Block = { key: string; text: string; line: number };

/** The lines of each key. A line in an example inside a text is not a key. */
function blocksOf(raw: string, textKeys: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let isInExample = false;
  for (const [index, line] of raw.split("\n").entries()) {
    const key = /^([A-Za-z][\w-]*)[^\S\n]*:(?=\s|$)/.exec(line)?.[1];
    const last = blocks.at(-1);
    const isSaid = key !== undefined && last !== undefined && textKeys.includes(last.key) && (isInExample || !looksLikeKey(key));
    if (key !== undefined && !isSaid) blocks.push({ key, text: line, line: index + 1 });
    else if (last) last.text += `\n${line}`;
    const [opened, closed] = [line.lastIndexOf("<example"), line.lastIndexOf("</example")];
    if (opened !== closed || !(isSaid || key === undefined)) isInExample = opened > closed;
  }
  return blocks;
}

const looksLikeKey = (word: string) => /^[a-z][A-Za-z-]*$/.test(word) && word !== "user" && word !== "assistant";

/** Removes outer quotes that are broken by a quote inside. */
function plainText({ key, text }: Block): string {
  const written = text.slice(text.indexOf(":", key.length) + 1).trim();
  return /^(["'])([\s\S]*)\1$/.exec(written)?.[2] ?? written;
}

function repeated(entries: Entry[]): Fault[] {
  return entries.flatMap(({ key, line }, index) => {
    const first = entries.findIndex((other) => other.key === key);
    if (first === index) return [];
    return [{ line, found: `"${key}" was given in line ${entries[first]!.line} already.`, action: "Keep one of them." }];
  });
}
