// `npm run fuzz -- redaction`
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import type { Row } from "../bench/row.ts";
import { fuzzRedaction } from "./redaction.ts";

export async function redactionRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const faults = await fuzzRedaction(count, { seed, scanner: secretScanner() });
  return [
    {
      name: `redaction: ${count} documents, nine characters of a secret left or a byte changed`,
      ours: `${faults.length}${faults.length > 0 ? `: ${JSON.stringify(faults.slice(0, 5))}` : ""}`,
      target: "0",
      met: faults.length === 0,
    },
  ];
}
