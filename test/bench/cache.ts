// Cache marks over a whole session: every request extends the previous one, and the bill is close to the least that the provider's rules
// allow.
import { billed, blocksOf, leastBilled } from "./cache-rules.ts";
import { extending, longSession } from "./long-session.ts";
import type { Part } from "./row.ts";

export const cacheBench: Part = async (report) => {
  for (const seed of [1, 2, 3]) {
    const requests = await longSession({ turns: 200, seed });
    const extended = extending(requests);
    report({
      name: `cache: requests of a 200-turn session that extend the one before, seed ${seed}`,
      ours: `${extended} of ${requests.length - 1}`,
      target: "all",
      met: extended === requests.length - 1,
    });
    const blocks = requests.map(blocksOf);
    const [ours, least] = [billed(blocks), leastBilled(blocks)];
    report({
      name: `cache: input tokens as billed, seed ${seed}`,
      ours: Math.round(ours).toLocaleString("en"),
      beside: `${Math.round(least).toLocaleString("en")} at the least`,
      ratio: (ours / least).toFixed(4),
      target: "≤ 1.02",
      met: ours <= 1.02 * least,
    });
  }
};
