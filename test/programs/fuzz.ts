// `npm run fuzz -- [part …] [--seed n] [--count n]`: long runs of the fuzzers that `npm test` runs briefly. Seeds and counts are printed;
// after a missed target the exit code is 1.
import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Row, rowText } from "../bench/row.ts";

type Part = { what: string; count: number; load: () => Promise<(order: { seed: number; count: number }) => Promise<Row[]>> };

/** `count` is that of a full run. */
const parts: Record<string, Part> = {
  ignore: {
    what: "ignore patterns beside git check-ignore",
    count: 200_000,
    load: async () => (await import("../fuzz/ignore-rows.ts")).ignoreRows,
  },
  shell: { what: "generated commands in real bash", count: 200_000, load: async () => (await import("../fuzz/shell-rows.ts")).shellRows },
  deny: { what: "denied programs in wrappers", count: 200_000, load: async () => (await import("../fuzz/shell-rows.ts")).denyRows },
  redaction: { what: "planted secrets", count: 20_000, load: async () => (await import("../fuzz/redaction-rows.ts")).redactionRows },
  paths: { what: "paths at every file tool's door", count: 200_000, load: async () => (await import("../fuzz/disk-rows.ts")).pathRows },
  "link-swap": {
    what: "writes while links are swapped",
    count: 100_000,
    load: async () => (await import("../fuzz/disk-rows.ts")).linkSwapRows,
  },
  hostile: {
    what: "hostile repositories opened by the real program",
    count: 74,
    load: async () => (await import("../fuzz/hostile-rows.ts")).hostileRows,
  },
  "git-traps": {
    what: "repositories made for the git that we start",
    count: 1_000,
    load: async () => (await import("../fuzz/git-trap-rows.ts")).gitTrapRows,
  },
  definitions: {
    what: "definitions of agents with mutated text",
    count: 200_000,
    load: async () => (await import("../fuzz/definition-rows.ts")).definitionRows,
  },
  terminal: {
    what: "hostile bytes on the screen",
    count: 100_000,
    load: async () => (await import("../fuzz/terminal-rows.ts")).terminalRows,
  },
};

await main();

async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: "string" }, count: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) process.exitCode = 2;
  if (flags.help || unknown.length > 0) return print(usage(unknown));
  const seed = Number(flags.seed ?? 1);
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
    const { count, load } = parts[name]!;
    const order = { seed, count: Number(flags.count ?? count) };
    print(`npm run fuzz -- ${name} --seed ${order.seed} --count ${order.count}`);
    const run = await load();
    for (const row of await run(order)) {
      print(rowText(row));
      if (!row.met) process.exitCode = 1;
    }
  }
}

function usage(unknown: string[]): string {
  return [
    ...unknown.map((name) => `There is no part "${name}".`),
    "npm run fuzz -- [part …] [--seed n] [--count n]",
    ...Object.entries(parts).map(([name, { what, count }]) => `  ${name.padEnd(10)} ${what} (${count})`),
  ].join("\n");
}

function print(text: string): void {
  writeSync(1, `${text}\n`);
}
