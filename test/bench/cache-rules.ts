// What the provider bills for a series of requests under its published cache rules
// (https://platform.claude.com/docs/en/build-with-claude/prompt-caching), and the least that any placement of cache marks could cost.
import { createHash } from "node:crypto";
import type { ModelRequest } from "../../src/agent/ports/model.ts";

export type CacheRules = {
  readFactor: number;
  writeFactor: number;
  mostMarks: number;
  /** How many blocks the provider searches backwards for a cached prefix, the marked block included. */
  lookBack: number;
  /** A shorter prefix is not cached. */
  floorTokens: number;
};

export const publishedRules: CacheRules = { readFactor: 0.1, writeFactor: 1.25, mostMarks: 4, lookBack: 20, floorTokens: 1024 };

/** A block of the prompt. `end`: tokens of the prompt up to the block's end; `prefix`: identifies everything up to there. */
export type Block = { end: number; prefix: string; marked: boolean };

/** Tokens at four bytes each. */
export function blocksOf({ tools, system, messages }: ModelRequest): Block[] {
  const hash = createHash("sha256");
  let bytes = 0;
  const parts: object[] = [...tools, ...system, ...messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block })))];
  return parts.map((part) => {
    const text = JSON.stringify({ ...part, cache_control: undefined });
    bytes += Buffer.byteLength(text);
    return { end: bytes / 4, prefix: hash.update(text).copy().digest("hex"), marked: "cache_control" in part };
  });
}

/** Input tokens of all requests, weighted by price. Throws when a request has more marks than allowed. */
export function billed(requests: Block[][], rules = publishedRules): number {
  const written = new Set<string>();
  let sum = 0;
  for (const blocks of requests) {
    const marks = blocks.flatMap(({ marked }, n) => (marked ? [n] : []));
    if (marks.length > rules.mostMarks) throw new Error(`${marks.length} marks, and ${rules.mostMarks} are allowed`);
    const read = Math.max(0, ...marks.map((mark) => foundFrom(blocks, mark, { written, rules })));
    const cacheable = marks.filter((mark) => (blocks[mark]?.end ?? 0) >= rules.floorTokens);
    const upTo = Math.max(read, ...cacheable.map((mark) => blocks[mark]?.end ?? 0));
    for (const mark of cacheable) written.add(blocks[mark]?.prefix ?? "");
    sum += rules.readFactor * read + rules.writeFactor * (upTo - read) + (blocks.at(-1)?.end ?? 0) - upTo;
  }
  return sum;
}

function foundFrom(blocks: Block[], mark: number, { written, rules }: { written: Set<string>; rules: CacheRules }): number {
  for (let n = mark; n > mark - rules.lookBack && n >= 0; n--) {
    const block = blocks[n];
    if (block && written.has(block.prefix)) return block.end;
  }
  return 0;
}

/**
 * The least cost of requests that each extend the previous one. After each request some prefix is the longest in the cache; the next
 * request reads it, and writes up to a later block or writes nothing. Two marks suffice for that, so the limits on marks and on looking
 * back never matter.
 */
export function leastBilled(requests: Block[][], rules = publishedRules): number {
  // the least cost so far, by the end of the longest cached prefix
  let least = new Map<number, number>([[0, 0]]);
  for (const blocks of requests) {
    const whole = blocks.at(-1)?.end ?? 0;
    const ends = [0, ...blocks.map(({ end }) => end).filter((end) => end >= rules.floorTokens)];
    const next = new Map<number, number>();
    let bestBefore = Number.POSITIVE_INFINITY;
    for (const end of ends) {
      bestBefore = Math.min(bestBefore, (least.get(end) ?? Number.POSITIVE_INFINITY) + (rules.readFactor - rules.writeFactor) * end);
      next.set(end, bestBefore + rules.writeFactor * end + whole - end);
    }
    least = next;
  }
  return Math.min(...least.values());
}
