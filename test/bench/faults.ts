// Every way in which a provider can fail, many times over a real connection: how often a tool call ran that should not have, and how often
// a run ended without a message.
import { fuzzApi } from "../fuzz/api.ts";
import { kinds } from "../fuzz/api-kinds.ts";
import type { Part } from "./row.ts";

const times = 50;

export const faultsBench: Part = async (report) => {
  const { runs, problems } = await fuzzApi({ seeds: Array.from({ length: times }, (_, n) => n + 1) });
  report({
    name: `faults: ${Object.keys(kinds).length} kinds × ${times}: calls run twice or from half a reply, silent ends`,
    ours: [`${problems.length} in ${runs} runs`, ...problems.slice(0, 5)].join("; "),
    target: "0",
    met: problems.length === 0,
  });
};
