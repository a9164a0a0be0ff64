// `npm run bench`: measures the figures that this project promises, all or the named parts. A missed target is printed, and never an error.
import { readFileSync, writeSync } from "node:fs";
import { availableParallelism, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { type Part, type Row, rowText } from "../bench/row.ts";

/** In the order in which they run. Each is loaded only when it runs, so that it does not add to the memory of the others. */
const parts: Record<string, { what: string; load: () => Promise<Part> }> = {
  lock: { what: "the lock: safety, fairness, deaths, speed", load: async () => (await import("../bench/lock.ts")).lockBench },
  claims: { what: "16 processes draining 1,000 tasks", load: async () => (await import("../bench/claims.ts")).claimsBench },
  startup: { what: "tool --version beside node -e 0", load: async () => (await import("../bench/startup.ts")).startupBench },
  session: { what: "a session's start, one reply, and idling", load: async () => (await import("../bench/session.ts")).sessionBench },
  spawn: { what: "spawn asked for → first model request", load: async () => (await import("../bench/spawn.ts")).spawnBench },
  resume: { what: "a team of 4 after SIGKILL of everything", load: async () => (await import("../bench/resume.ts")).resumeBench },
  messages: { what: "message durable → in a request", load: async () => (await import("../bench/messages.ts")).messagesBench },
  memory: { what: "memory and processor of an idle team", load: async () => (await import("../bench/memory.ts")).memoryBench },
  faults: { what: "every fault of the provider, 50 times", load: async () => (await import("../bench/faults.ts")).faultsBench },
  "full-disk": { what: "a team whose disk is full for 5 s", load: async () => (await import("../bench/full-disk.ts")).fullDiskBench },
  cache: { what: "stable prefixes and the bill of a long session", load: async () => (await import("../bench/cache.ts")).cacheBench },
  loop: { what: "time per turn beside a bare loop, and memory", load: async () => (await import("../bench/loop.ts")).loopBench },
  sandbox: { what: "the sandbox: cost of a command, ways out", load: async () => (await import("../bench/sandbox.ts")).sandboxBench },
  permissions: { what: "a decision about a command", load: async () => (await import("../bench/permissions.ts")).permissionsBench },
  secrets: { what: "secrets found, missed and replaced", load: async () => (await import("../bench/secrets.ts")).secretsBench },
  prompts: { what: "bytes of first requests, and their head", load: async () => (await import("../bench/prompts.ts")).promptsBench },
  requests: { what: "bytes, stable prefixes, model turns", load: async () => (await import("../bench/requests.ts")).requestsBench },
  subagents: {
    what: "agents of a session: definitions, start, memory",
    load: async () => (await import("../bench/subagents.ts")).subagentsBench,
  },
  mcp: { what: "servers that nobody calls, a call, many tools", load: async () => (await import("../bench/mcp.ts")).mcpBench },
  places: { what: "hands over ssh beside those at home", load: async () => (await import("../bench/places.ts")).placesBench },
  "places-team": {
    what: "a hundred teammates with hands at a place",
    load: async () => (await import("../bench/places-team.ts")).placesTeamBench,
  },
  "places-slurm": {
    what: "a batch on two Slurm nodes beside one slot",
    load: async () => (await import("../bench/places-slurm.ts")).placesSlurmBench,
  },
  batch: { what: "a batch beside the same commands by hand", load: async () => (await import("../bench/batch.ts")).batchBench },
  estimates: {
    what: "what batches were estimated at, beside what they took",
    load: async () => (await import("../bench/batch-estimates.ts")).batchEstimatesBench,
  },
  git: { what: "our own git, sealed, beside the bare one", load: async () => (await import("../bench/sealed-git.ts")).sealedGitBench },
  changes: {
    what: "looking at 30 units and taking them, beside git",
    load: async () => (await import("../bench/changes.ts")).changesBench,
  },
  merges: { what: "handing over in worktrees beside git", load: async () => (await import("../bench/merges.ts")).mergesBench },
  report: { what: "the report page of 10,000 events", load: async () => (await import("../bench/report.ts")).reportBench },
  answers: { what: "how soon an answered question takes effect", load: async () => (await import("../bench/answers.ts")).answersBench },
  watch: { what: "what tool watch costs while nothing moves", load: async () => (await import("../bench/watch.ts")).watchBench },
  typing: { what: "the echo of a key while much is printed", load: async () => (await import("../bench/typing.ts")).typingBench },
  screen: { what: "a streamed reply on the screen", load: async () => (await import("../bench/screen.ts")).screenBench },
};

await main();

async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  const unknown = positionals.filter((name) => !(name in parts));
  if (unknown.length > 0) process.exitCode = 2;
  if (flags.help || flags.list || unknown.length > 0) return print(usage(unknown));
  const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
  const machine = machineLine();
  const command = `npm run bench -- ${chosen.join(" ")}`;
  const say = flags.json ? () => {} : print;
  say(`${machine}\n${command}\n`);
  const rows: Row[] = [];
  for (const name of chosen) {
    const part = await parts[name]?.load();
    await part?.((row) => {
      rows.push(row);
      say(rowText(row));
    });
  }
  const missed = rows.filter(({ met }) => !met).length;
  say(`\n${rows.length} figures, ${missed} missed`);
  if (flags.json) print(JSON.stringify({ machine, command, rows }, null, 2));
}

function usage(unknown: string[]): string {
  return [
    ...unknown.map((name) => `There is no part "${name}".`),
    "npm run bench -- [--json] [part …]",
    ...Object.entries(parts).map(([name, { what }]) => `  ${name.padEnd(10)} ${what}`),
  ].join("\n");
}

function machineLine(): string {
  const model = /^model name\s*: (.*)$/m.exec(cpuInfo())?.[1] ?? process.arch;
  return `${availableParallelism()} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform} ${release()}`;
}

function cpuInfo(): string {
  try {
    return readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return ""; // the file exists only on Linux
  }
}

function print(text: string): void {
  writeSync(1, `${text}\n`);
}
