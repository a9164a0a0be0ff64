// Many real processes that compete for one lock, some of them killed or stopped at any moment, for tests and benchmarks.
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LockWork } from "../programs/lock-worker.ts";
import { seeded } from "./seeded.ts";

export type Race = {
  processes: number;
  /** The race ends after this many grants or seconds. */
  until: { grants: number } | { seconds: number };
  sectionMs: number;
  /** Deaths for each grant: half by the process itself inside the lock, half from outside at any instruction. */
  deaths: number;
  /** Each process is stopped about once a second, for 5 to 65 ms. */
  stops: boolean;
  seed: number;
};

/** Times start when all processes are running. `cpuSeconds` leaves out those that were killed. */
export type RaceResult = { log: string; kills: number; stops: number; seconds: number; cpuSeconds: number };

export async function race(options: Race): Promise<RaceResult> {
  const root = mkdtempSync(join(tmpdir(), "lock-race-"));
  const log = join(root, "log");
  writeFileSync(log, "");
  const tail = follow(log);
  const random = seeded(options.seed);
  const workers = Array.from({ length: options.processes }, (_, index) => worker(index, { root, log, race: options }));
  const any = () => workers[Math.floor(random() * workers.length)];
  const stopped: Promise<void>[] = [];
  try {
    while (tail.read().ready < options.processes) await pause(10);
    writeFileSync(join(root, "begin"), "");
    const begin = performance.now();
    let kills = 0;
    for (;;) {
      const { grants } = tail.read();
      const seconds = (performance.now() - begin) / 1000;
      if ("grants" in options.until ? grants >= options.until.grants : seconds >= options.until.seconds) break;
      for (; kills < Math.floor((grants * options.deaths) / 2); kills++) any()?.kill();
      if (options.stops && random() < options.processes / 100) {
        const victim = random() < 0.3 ? workers[tail.read().holder] : any();
        if (victim) stopped.push(victim.stop(5 + random() * 60));
      }
      await pause(10);
    }
    const seconds = (performance.now() - begin) / 1000;
    await Promise.all(stopped);
    const ends = await Promise.all(workers.map(({ end }) => end()));
    const cpuSeconds = ends.reduce((sum, { cpuMicros }) => sum + cpuMicros / 1e6, 0);
    const deaths = ends.reduce((sum, { deaths }) => sum + deaths, 0);
    return { log: readFileSync(log, "utf8"), kills: deaths, stops: stopped.length, seconds, cpuSeconds };
  } finally {
    await Promise.all(workers.map(({ end }) => end()));
    tail.close();
    rmSync(root, { recursive: true });
  }
}

/** One competing process, started again each time it is killed. */
function worker(index: number, { root, log, race }: { root: string; log: string; race: Race }) {
  let deaths = 0;
  let ending = false;
  let name = "";
  let child: ChildProcess;
  let cpuMicros = 0;
  let ended: Promise<void> = Promise.resolve();
  const start = () => {
    name = `${index}.${deaths}`;
    const seed = race.seed * 1_000_003 + index * 1009 + deaths;
    child = startLockWorker({
      begin: join(root, "begin"),
      folder: join(root, "lock"),
      log,
      name,
      seed,
      sectionMs: race.sectionMs,
      suicide: race.deaths / 2,
      timeoutMs: 10_000,
    });
    ended = outcomeOf(child).then(({ signal, output }) => {
      cpuMicros += Number(output);
      if (signal !== "SIGKILL") return;
      deaths++;
      if (!ending) start();
    });
  };
  start();
  return {
    kill: () => {
      appendFileSync(log, `0 ${name} killed\n`);
      child.kill("SIGKILL");
    },
    stop: async (ms: number) => {
      const victim = child;
      victim.kill("SIGSTOP");
      await pause(ms);
      victim.kill("SIGCONT");
    },
    end: async () => {
      ending = true;
      child.kill("SIGTERM");
      await ended;
      return { cpuMicros, deaths };
    },
  };
}

export function startLockWorker(work: LockWork): ChildProcess {
  return spawn(process.execPath, ["dist/test/lock-worker.js", JSON.stringify(work)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] },
  });
}

export async function outcomeOf(child: ChildProcess): Promise<{ signal: string | null; output: string }> {
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return new Promise((resolve) => child.once("close", (_code, signal) => resolve({ signal, output })));
}

/** Counts the entries of a growing log, reading only new lines. `holder`: index of the worker that entered last. */
function follow(log: string) {
  const descriptor = openSync(log, "r");
  const buffer = Buffer.alloc(1 << 20);
  const seen = { ready: 0, grants: 0, holder: 0 };
  let rest = "";
  return {
    read: () => {
      for (let bytes = readSync(descriptor, buffer); bytes > 0; bytes = readSync(descriptor, buffer)) {
        const lines = (rest + buffer.toString("utf8", 0, bytes)).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line.endsWith(" ready")) seen.ready++;
          const [, holder] = / (\d+)\.\d+ enter /.exec(line) ?? [];
          if (!holder) continue;
          seen.grants++;
          seen.holder = Number(holder);
        }
      }
      return seen;
    },
    close: () => closeSync(descriptor),
  };
}
