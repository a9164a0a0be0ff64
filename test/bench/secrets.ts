// How well secrets are distinguished from text that only resembles them, how fast, and how reliably they are replaced.
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import { scanText } from "../../src/secrets/secrets.ts";
import { fuzzRedaction } from "../fuzz/redaction.ts";
import { seeded } from "../process/seeded.ts";
import { draw, type Half, halves } from "../secrets/labelled.ts";
import { score } from "../secrets/score.ts";
import { median, ms, type Part } from "./row.ts";

/** Measured once, by the commits that added each set: a later run cannot repeat these figures. */
const firstRuns: Record<Half, string> = {
  first: "made with the rules",
  second: "first run 89.7 % / 99.6 %",
  third: "first run 87.3 % / 99.2 %",
  fourth: "first run 96.3 % / 99.4 %",
  fifth: "first run 83.6 % / 100 %",
  sixth: "first run 67 % / 99.5 %",
  seventh: "first run 97.4 % / 99.7 %",
  eighth: "first run 92.8 % / 98.7 %",
  ninth: "first run 96.8 % / 99.3 %",
  tenth: "first run 97.9 % / 99.2 %",
  eleventh: "first run 95.6 % / 98.5 %",
  twelfth: "first run 100 % / 100 %",
};

export const secretsBench: Part = async (report) => {
  const scanner = secretScanner();
  for (const half of halves) {
    const { secrets, harmless, recall, precision } = await score(half, { seed: 20261121, scanner });
    report({
      name: `secrets: the ${half} set of ${secrets + harmless} labelled lines`,
      ours: `recall ${percent(recall)}, precision ${percent(precision)}`,
      beside: firstRuns[half],
      target: "≥ 98 %, ≥ 98 %",
      met: recall >= 0.98 && precision >= 0.98,
    });
  }
  const megabyte = Array.from({ length: 20_000 }, (_, n) => `const value${n} = compute("${draw("hex", 12, seeded(n))}", ${n});`)
    .join("\n")
    .slice(0, 2 ** 20);
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    scanText(megabyte);
    return performance.now() - started;
  });
  report({ name: "secrets: a file of 1 MiB looked through", ours: ms(median(times)), target: "< 1 s", met: median(times) < 1_000 });
  const count = 3_000;
  const faults = await fuzzRedaction(count, { seed: 1, scanner });
  report({
    name: `secrets: ${count} generated documents, nine characters left or a byte changed`,
    ours: `${faults.length}${faults.length > 0 ? ` (seeds ${faults.map(({ seed }) => seed).join(", ")})` : ""}`,
    target: "0",
    met: faults.length === 0,
  });
};

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
