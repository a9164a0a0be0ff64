import { describe, expect, it } from "vitest";
import { seeded } from "../process/seeded.ts";
import { type Block, billed, blocksOf, type CacheRules, leastBilled, publishedRules } from "./cache-rules.ts";
import { extending, longSession } from "./long-session.ts";

const rules: CacheRules = { ...publishedRules, floorTokens: 15, mostMarks: 2 };

/** Blocks of these sizes, with cache marks at these indexes. */
function prompt(sizes: number[], marks: number[] = []): Block[] {
  let end = 0;
  return sizes.map((size, n) => {
    end += size;
    return { end, prefix: sizes.slice(0, n + 1).join(), marked: marks.includes(n) };
  });
}

describe("the bill", () => {
  it("has what a mark covers at the price of writing, and on the next request at the price of reading", () => {
    expect(billed([prompt([100, 50], [0])], rules)).toBe(125 + 50);
    expect(billed([prompt([100, 50], [0]), prompt([100, 50, 10], [0, 2])], rules)).toBe(175 + 10 + 1.25 * 60);
  });

  it("finds what was written within 20 blocks before a mark, and no further", () => {
    const first = prompt([100], [0]);
    const later = (blocks: number) => prompt([100, ...Array<number>(blocks).fill(1)], [blocks]);
    expect(billed([first, later(19)], rules)).toBe(125 + 10 + 1.25 * 19);
    expect(billed([first, later(20)], rules)).toBe(125 + 1.25 * 120);
  });

  it("has a prefix below the floor at its plain price", () => {
    expect(billed([prompt([10, 4], [1]), prompt([10, 4, 2], [1, 2])], rules)).toBe(14 + 1.25 * 16);
  });
});

it("the least bill is the least of all placings, tried one by one", () => {
  const random = seeded(7);
  for (let round = 0; round < 30; round++) {
    const sizes = Array.from({ length: 5 }, () => 1 + Math.floor(random() * 30));
    const requests = [2, 3, 5].map((length) => sizes.slice(0, length));
    const placings = requests.map((request) => subsets(request.length, rules.mostMarks));
    let least = Number.POSITIVE_INFINITY;
    for (const a of placings[0] ?? []) {
      for (const b of placings[1] ?? []) {
        for (const c of placings[2] ?? []) {
          least = Math.min(
            least,
            billed(
              [a, b, c].map((marks, n) => prompt(requests[n] ?? [], marks)),
              rules,
            ),
          );
        }
      }
    }
    expect(
      leastBilled(
        requests.map((request) => prompt(request)),
        rules,
      ),
    ).toBeCloseTo(least, 6);
  }
});

it("a session of 100 turns with todos, background commands and changes of the mode: every request extends the one before, and its marks cost at most two in a hundred more than the best ones could", async () => {
  const requests = await longSession({ turns: 100, seed: 11 });
  expect([requests.length, extending(requests)]).toEqual([100, 99]);
  const said = JSON.stringify(requests.at(-1)?.messages);
  expect(
    ["[>] Part", "Started in the background", "It has ended", "changed the mode to plan"].filter((words) => !said.includes(words)),
  ).toEqual([]);
  const blocks = requests.slice(0, 50).map(blocksOf);
  expect(billed(blocks) / leastBilled(blocks)).toBeLessThanOrEqual(1.02);
});

function subsets(length: number, most: number): number[][] {
  const all = Array.from({ length: 2 ** length }, (_, bits) => Array.from({ length }, (_, n) => n).filter((n) => (bits >> n) & 1));
  return all.filter((marks) => marks.length <= most);
}
