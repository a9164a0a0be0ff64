// One of many processes that compete for a lock. It writes to a common log when it enters and leaves, may kill itself inside, and ends on
// SIGTERM, printing the CPU time that it used.
import { closeSync, existsSync, openSync, readdirSync, writeSync } from "node:fs";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { lock } from "../../src/edge/lock/lock.ts";
import { seeded } from "../process/seeded.ts";

/**
 * It starts when the file `begin` exists. `sectionMs`: how long it stays inside the lock; `suicide`: the probability of a SIGKILL at each
 * grant.
 */
export type LockWork = {
  begin: string;
  folder: string;
  log: string;
  name: string;
  seed: number;
  sectionMs: number;
  suicide: number;
  timeoutMs: number;
};

const { begin, folder, log, name, seed, sectionMs, suicide, timeoutMs }: LockWork = JSON.parse(process.argv[2] ?? "");
const locks = lock();
const descriptor = openSync(log, "a");
const random = seeded(seed);
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let ending = false;

process.on("SIGTERM", () => {
  ending = true;
});
write("ready");
while (!existsSync(begin) && !ending) await pause(10);
const before = process.cpuUsage();
while (!ending) {
  const death = random() < suicide ? (["after enter", "before leave", "after leave"] as const)[Math.floor(random() * 3)] : undefined;
  try {
    await locks.withLock(folder, () => section(death), { timeoutMs });
  } catch (error) {
    write(`failed ${String(error)}`);
  }
  // With an uncontended lock the event loop would never turn, and the signal would never arrive.
  await setImmediate();
}
closeSync(descriptor);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String(user + system));

function section(death: string | undefined): void {
  const generation = Math.max(...readdirSync(folder).map((found) => Number(/^g(\d+)$/.exec(found)?.[1] ?? 0)));
  write(`enter ${generation}`);
  if (death === "after enter") die();
  if (sectionMs > 0) Atomics.wait(sleeper, 0, 0, sectionMs);
  if (death === "before leave") die();
  write(`leave ${generation}`);
  if (death === "after leave") die();
}

function die(): void {
  write("dying");
  process.kill(process.pid, "SIGKILL");
}

function write(what: string): void {
  writeSync(descriptor, `${process.hrtime.bigint()} ${name} ${what}\n`);
}
