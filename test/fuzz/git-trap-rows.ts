// The rows of `npm run fuzz -- git-traps`: repositories that were made for the git that we start, under every command that looks at one.
import type { Row } from "../bench/row.ts";
import { hasStrace, runTrap, type TrapResult, trapCases } from "./git-trap-runs.ts";
import { random } from "./random.ts";

/** `count`: how many of the cases, drawn by the seed; all if it is larger. */
export async function gitTrapRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { results, watched } = await runTraps({ seed, count });
  const row = (what: string, of: (result: TrapResult) => string[]): Row => {
    const found = results.flatMap((result) => of(result).map((each) => `${result.name}: ${each}`));
    return {
      name: `${results.length} hostile repositories and commands${watched}: ${what}`,
      ours: [`${found.length}`, ...found.slice(0, 40)].join("\n        "),
      target: "0",
      met: found.length === 0,
    };
  };
  return [
    row("programs of theirs that were started", ({ processes }) => processes),
    row("connections", ({ connections }) => connections),
    row("writes elsewhere", ({ writes }) => writes),
    row("secrets shown, crashes, runs without an end", ({ other }) => other),
  ];
}

export async function runTraps({ seed, count }: { seed: number; count: number }): Promise<{ results: TrapResult[]; watched: string }> {
  const chance = random(seed);
  const all = trapCases(5);
  const waiting = Array.from({ length: Math.min(count, all.length) }, () => all.splice(chance.below(all.length), 1)[0]!);
  const results: TrapResult[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await runTrap(next));
  };
  await Promise.all(Array.from({ length: 3 }, worker));
  return { results, watched: hasStrace() ? ", under strace" : ", without strace, which is not installed" };
}
