// The figure of hostile repositories, as a row.
import type { Row } from "../bench/row.ts";
import { openHostile } from "./hostile.ts";

export async function hostileRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { repositories, opened, asked, problems } = await openHostile({ seed, count });
  const found = [
    `${problems.length} problems in ${repositories} repositories`,
    `${opened} of ${2 * repositories} openings went on`,
    `${asked} asked for trust`,
  ];
  const ours = [found.join(", "), ...problems.slice(0, 3)].join("; first: ");
  const target = "before trust 0 child processes, connections or writes beyond our own state folder";
  return [{ name: `hostile repositories, seed ${seed}`, ours, target, met: problems.length === 0 && asked > 0 }];
}
