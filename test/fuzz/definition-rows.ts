// The figures of reading definitions, for `npm run fuzz`.
import type { Row } from "../bench/row.ts";
import { fuzzDefinitions } from "./definitions.ts";

export async function definitionRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { files, crashes, slow, usable } = fuzzDefinitions({ seed, count });
  const found = [...crashes, ...slow].map((text) => `\n        ${text.slice(0, 500)}`).join("");
  return [
    {
      name: `definitions of agents with mutated text (seed ${seed})`,
      ours: `${crashes.length} crashes, ${slow.length} over 200 ms in ${files} files, of which ${usable} could be used${found}`,
      target: "0 and 0 in 200,000",
      met: crashes.length + slow.length === 0,
    },
  ];
}
