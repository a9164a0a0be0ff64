// The figure of hostile text on the screen, as a row.
import type { Row } from "../bench/row.ts";
import { fuzzTerminal } from "./terminal.ts";

export async function terminalRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { runs, problems } = await fuzzTerminal({ seed, count });
  const ours = [`${problems.length} problems in ${runs} byte streams`, ...problems.slice(0, 1)].join("; first: ");
  const target = "0 sequences that are not ours, visible text kept";
  return [{ name: `hostile bytes on the screen, seed ${seed}`, ours, target, met: problems.length === 0 }];
}
