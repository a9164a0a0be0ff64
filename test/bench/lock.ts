// Figures for the lock: safety when holders are killed or stopped, fairness, the delay after a holder's death, and its speed beside the
// system calls that it makes.
import { spawn } from "node:child_process";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import lockfile from "proper-lockfile";
import { lock } from "../../src/edge/lock/lock.ts";
import { judge } from "../process/lock-log.ts";
import { outcomeOf, race, startLockWorker } from "../process/lock-race.ts";
import { seeded } from "../process/seeded.ts";
import type { HoldWork } from "../programs/lock-holder.ts";
import { median, type Part, type Row } from "./row.ts";

/** Takes about three minutes on two cores. Needs `npm run build`, and the repository's root as working directory. */
export const lockBench: Part = async (report) => {
  for (const figure of [safety, fairness, crowd, afterDeath, speed]) {
    for (const row of await figure()) report(row);
  }
};

async function safety(): Promise<Row[]> {
  const result = await race({ processes: 16, until: { grants: 20_000 }, sectionMs: 1, deaths: 0.01, stops: true, seed: 42 });
  const { grants, faults, failures } = judge(result.log);
  return [
    {
      name: "lock: 16 processes, SIGKILL at 1 % of the grants, random SIGSTOP",
      ours: `${faults.length} overlaps, ${failures.length} failures in ${grants} grants with ${result.kills} kills and ${result.stops} stops`,
      target: "0 overlaps in at least 20000 grants",
      met: faults.length === 0 && failures.length === 0 && grants >= 20_000,
    },
  ];
}

async function fairness(): Promise<Row[]> {
  const { least, most } = await contention(4, 10);
  return [
    {
      name: "lock: 4 contending, least served ÷ most served",
      ours: (least / most).toFixed(2),
      target: "≥ 0.5",
      met: least / most >= 0.5,
    },
  ];
}

async function crowd(): Promise<Row[]> {
  const { least, most, failures, coresUsed } = await contention(64, 20);
  return [
    {
      name: "lock: 64 contending for 20 s",
      ours: `${failures} failures, served ${least} to ${most} times each, ${coresUsed.toFixed(2)} cores`,
      target: "no failure, nobody at zero",
      met: failures === 0 && least > 0,
    },
  ];
}

/** No process is killed; each asks for the lock again at once. */
async function contention(processes: number, seconds: number) {
  const result = await race({ processes, until: { seconds }, sectionMs: 1, deaths: 0, stops: false, seed: 1 });
  const { failures, faults, served } = judge(result.log);
  if (faults.length > 0) throw new Error(faults[0]);
  const counts = Array.from({ length: processes }, (_, worker) => served[worker] ?? 0);
  return {
    least: Math.min(...counts),
    most: Math.max(...counts),
    failures: failures.length,
    coresUsed: result.cpuSeconds / result.seconds,
  };
}

/** Four processes wait while a fifth holds the lock for up to 1.5 s and is then killed. */
async function afterDeath(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), "lock-death-"));
  const log = join(root, "log");
  const folder = join(root, "lock");
  const random = seeded(3);
  const workers = [0, 1, 2, 3].map((index) =>
    startLockWorker({ begin: root, folder, log, name: `${index}.0`, seed: index, sectionMs: 1, suicide: 0, timeoutMs: 10_000 }),
  );
  const latenciesMs: number[] = [];
  try {
    for (let round = 0; round < 25; round++) {
      const killedAt = await holdAndDie(folder, 50 + random() * 1450);
      latenciesMs.push(await nextGrant(log, killedAt));
    }
  } finally {
    const ends = workers.map(outcomeOf);
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(ends);
    rmSync(root, { recursive: true });
  }
  const longest = Math.max(...latenciesMs);
  return [
    {
      name: "lock: next grant after the holder's death",
      ours: `median ${median(latenciesMs).toFixed(0)} ms, longest of ${latenciesMs.length} ${longest.toFixed(0)} ms`,
      target: "≤ 1000 ms",
      met: longest <= 1000,
    },
  ];
}

/** Resolves with the time of the kill, on a clock that all processes share. */
async function holdAndDie(folder: string, holdMs: number): Promise<bigint> {
  const work: HoldWork = { kind: "lock", folder, until: join(folder, "never") };
  const holder = spawn(process.execPath, ["dist/test/lock-holder.js", JSON.stringify(work)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] },
  });
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  await pause(holdMs);
  const killedAt = process.hrtime.bigint();
  holder.kill("SIGKILL");
  return killedAt;
}

async function nextGrant(log: string, after: bigint): Promise<number> {
  for (;;) {
    for (const [, at = ""] of readFileSync(log, "utf8").matchAll(/^(\d+) \S+ enter /gm)) {
      if (BigInt(at) > after) return Number(BigInt(at) - after) / 1e6;
    }
    await pause(20);
  }
}

/** The rounds alternate, so that other load on the machine affects all of them alike. */
async function speed(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), "lock-speed-"));
  const own = lock();
  const turns = {
    again: { turn: () => own.withLock(join(root, "lock"), () => {}) },
    afterAnother: { turn: () => own.withLock(join(root, "shared"), () => {}), between: () => anotherHeld(join(root, "shared")) },
    bare: { turn: async () => writeSyncRename(join(root, "file")) },
    stock: { turn: async () => (await lockfile.lock(join(root, "stock"), { realpath: false }))() },
  };
  const perSecond: Record<keyof typeof turns, number[]> = { again: [], afterAnother: [], bare: [], stock: [] };
  for (let round = 0; round < 15; round++) {
    for (const kind of Object.keys(turns) as (keyof typeof turns)[]) perSecond[kind].push(await rate(turns[kind], 100));
  }
  rmSync(root, { recursive: true });
  const bare = median(perSecond.bare);
  const beside = `${bare.toFixed(0)} bare write + fsync + rename, ${median(perSecond.stock).toFixed(0)} stock proper-lockfile, which syncs nothing`;
  const row = (name: string, rates: number[]) => {
    const ratio = median(rates) / bare;
    return { name, ours: median(rates).toFixed(0), beside, ratio: ratio.toFixed(2), target: "≥ 0.7 × bare", met: ratio >= 0.7 };
  };
  return [
    row("lock: uncontended grants per second, one process again and again", perSecond.again),
    row("lock: uncontended grants per second, after another process", perSecond.afterAnother),
  ];
}

/** Leaves the lock's folder as another process leaves it when it releases the lock. */
function anotherHeld(folder: string): void {
  const generation = Math.max(...readdirSync(folder).map((name) => Number(/^g(\d+)$/.exec(name)?.[1] ?? 0))) + 1;
  const claim = (number: number) => join(folder, `g${number}`);
  writeSyncRename(claim(generation));
  linkSync(claim(generation), `${claim(generation)}.done`);
  for (const end of ["", ".done"]) rmSync(`${claim(generation - 3)}${end}`, { force: true });
}

function writeSyncRename(path: string): void {
  const descriptor = openSync(`${path}.tmp`, "w", 0o600);
  writeFileSync(descriptor, "x".repeat(200));
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(`${path}.tmp`, path);
}

async function rate({ turn, between }: { turn: () => Promise<void>; between?: () => void }, times: number): Promise<number> {
  let spentMs = 0;
  for (let time = 0; time < times; time++) {
    const begin = performance.now();
    await turn();
    spentMs += performance.now() - begin;
    between?.();
  }
  return (times * 1000) / spentMs;
}
