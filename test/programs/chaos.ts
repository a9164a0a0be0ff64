// `npm run chaos -- [--seed n] [--teams n] …`: teams of the built program under faults, each checked by an independent checker. Seeds are
// printed, and the same seed makes the same plan and the same choice of faults. After a violation the exit code is 1.
import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { type FaultKind, faultKinds } from "../chaos/faults.ts";
import { type Order, type Outcome, runTeam } from "../chaos/run-team.ts";

const defaults = { seed: 1, teams: 1, teammates: 8, tasks: 200, messages: 500, faults: 10, minutes: 15 };
const displays = ["tmux", "in-process"] as const;

await main();

async function main(): Promise<void> {
  const numbers = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: "string" as const }]));
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...numbers,
      cuts: { type: "string" },
      kills: { type: "string" },
      kinds: { type: "string" },
      display: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (flags["help"]) return print(usage());
  const given = flags as Record<string, unknown>;
  const size = Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, Number(given[name] ?? value)])) as typeof defaults;
  const kinds = flags["kinds"] === undefined ? faultKinds : (String(flags["kinds"]).split(",") as FaultKind[]);
  const unknown = kinds.filter((kind) => !faultKinds.includes(kind));
  if (unknown.length > 0) {
    process.exitCode = 2;
    return print(`There is no fault "${unknown.join()}".\n${usage()}`);
  }
  if (positionals.includes("places")) {
    const [{ placesChaos }, { placesTeamChaos }] = await Promise.all([import("../chaos/places.ts"), import("../chaos/places-team.ts")]);
    const order = { seed: size.seed, cuts: Number(given["cuts"] ?? 200), kills: Number(given["kills"] ?? 40) };
    const run = positionals.includes("team") ? placesTeamChaos : placesChaos;
    if ((await run({ ...order, print })).length > 0) process.exitCode = 1;
    return;
  }
  const outcomes: Outcome[] = [];
  for (let seed = size.seed; seed < size.seed + size.teams; seed++) {
    const display = displays.find((one) => one === flags["display"]) ?? displays[seed % 2]!;
    const order: Order = { ...size, seed, kinds, display, withinMs: size.minutes * 60_000 };
    const outcome = await runTeam(order);
    outcomes.push(outcome);
    print(outcomeText(order, outcome));
  }
  print(sumText(outcomes));
  if (outcomes.some(({ verdict }) => verdict.violations.length > 0)) process.exitCode = 1;
}

function outcomeText({ seed, display }: Order, { verdict, hits, resumes, ms, folder }: Outcome): string {
  const { tasks, completions, messages, unread } = verdict.counted;
  const left = unread > 0 ? ` (${unread} to members that had ended)` : "";
  return [
    `seed ${seed}, ${display}: ${completions} of ${tasks} tasks completed, ${messages} messages${left}, ${hits.length} faults (${countsOf(hits)}), ${resumes} resumes, ${Math.round(ms / 1000)} s: ${verdict.violations.length} violations`,
    ...verdict.violations.slice(0, 20).map((violation) => `  ${violation}`),
    ...(folder ? [`  kept: ${folder}`, `  again: npm run chaos -- --seed ${seed} --display ${display}`] : []),
  ].join("\n");
}

function sumText(outcomes: Outcome[]): string {
  const hits = outcomes.flatMap((outcome) => outcome.hits);
  const violations = outcomes.reduce((sum, { verdict }) => sum + verdict.violations.length, 0);
  return `${outcomes.length} teams, ${hits.length} faults (${countsOf(hits)}): ${violations} violations`;
}

function countsOf(hits: Outcome["hits"]): string {
  const counts = new Map<string, number>();
  for (const { kind } of hits) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(", ");
}

function usage(): string {
  return [
    `npm run chaos -- ${Object.entries(defaults)
      .map(([name, value]) => `[--${name} ${value}]`)
      .join(" ")} [--display ${displays.join("|")}] [--kinds a,b]`,
    `Faults: ${faultKinds.join(", ")}`,
    "npm run chaos -- places [team] [--seed 1] [--cuts 200] [--kills 40]",
  ].join("\n");
}

function print(text: string): void {
  writeSync(1, `${text}\n`);
}
