// The comparison of ignore patterns with git, as a figure.
import type { Row } from "../bench/row.ts";
import { compareWithGit } from "./ignore.ts";

export async function ignoreRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const found: Row[] = [];
  let compared = 0;
  let differences: unknown[] = [];
  // A tree has some hundred paths, so several trees are compared.
  for (let round = 0; compared < count && differences.length === 0; round++) {
    const result = compareWithGit({ seed: seed + round, pairs: Math.min(20_000, count - compared) });
    compared += result.pairs;
    differences = result.differences;
  }
  const ours = differences.length === 0 ? `0 in ${compared}` : `${differences.length}, such as ${JSON.stringify(differences[0])}`;
  found.push({
    name: "Ignore patterns that mean something else than to git check-ignore",
    ours,
    target: "0",
    met: differences.length === 0,
  });
  return found;
}
