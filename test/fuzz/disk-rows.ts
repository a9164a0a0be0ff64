// The figures of the guarded disk, for `npm run fuzz`.
import type { Row } from "../bench/row.ts";
import { linkSwap } from "./link-swap.ts";
import { pathFuzz } from "./paths.ts";

export async function pathRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { paths, allowed, done, leaks, writes, faults } = await pathFuzz({ seed, count });
  const found = [...leaks, ...writes, ...faults].map((text) => `\n        ${text.slice(0, 500)}`).join("");
  return [
    {
      name: `disk: paths in a tree of links and loops at the door of each file tool (seed ${seed})`,
      ours: `${writes.length} writes outside, ${leaks.length} reads of denied files, ${faults.length} faults in ${paths} paths, ${allowed} of which came past the door and ${done} did something${found}`,
      target: "0, 0 and 0 in 200,000",
      met: writes.length + leaks.length + faults.length === 0,
    },
  ];
}

export async function linkSwapRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const found = await linkSwap({ seed, count });
  return [
    {
      name: `disk: writes while 8 processes swap links (seed ${seed})`,
      ours: `${found.outside.length} changes outside, ${found.leaks} reads from there in ${found.tries} writes, of which ${found.written} arrived and ${found.refused} were refused`,
      target: "0 and 0 in 100,000",
      met: found.outside.length + found.leaks === 0,
    },
  ];
}
