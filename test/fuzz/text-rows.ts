// The figures of hostile text on the screen and of secrets taken out of texts, as rows.
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import type { Row } from "../bench/row.ts";
import { fuzzRedaction } from "./redaction.ts";
import { fuzzTerminal } from "./terminal.ts";

export async function terminalRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { runs, problems } = await fuzzTerminal({ seed, count });
  const ours = [`${problems.length} problems in ${runs} byte streams`, ...problems.slice(0, 1)].join("; first: ");
  const target = "0 sequences that are not ours, visible text kept";
  return [{ name: `hostile bytes on the screen, seed ${seed}`, ours, target, met: problems.length === 0 }];
}

export async function redactionRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const faults = await fuzzRedaction(count, { seed, scanner: secretScanner() });
  const ours = [`${faults.length} faults in ${count} documents`, ...faults.slice(0, 1).map((fault) => JSON.stringify(fault))].join(
    "; first: ",
  );
  const target = "0 left of 9 characters, 0 files changed";
  return [{ name: `secrets taken out of texts, seed ${seed}`, ours, target, met: faults.length === 0 }];
}
