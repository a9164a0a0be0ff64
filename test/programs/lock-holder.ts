// Holds a lock until a file appears, or claims a folder for its lifetime, and reports it on stdout.
import { existsSync, writeSync } from "node:fs";
import { lock } from "../../src/edge/lock/lock.ts";

export type HoldWork = { kind: "lock"; folder: string; until: string } | { kind: "life"; folder: string };

const work: HoldWork = JSON.parse(process.argv[2] ?? "");
const locks = lock();
const sleeper = new Int32Array(new SharedArrayBuffer(4));

if (work.kind === "life") {
  const claim = locks.claimForLife(work.folder);
  writeSync(1, `${JSON.stringify(claim)}\n`);
  if (claim.ok) setInterval(() => {}, 1e6);
} else {
  await locks.withLock(work.folder, () => {
    writeSync(1, "holding\n");
    while (!existsSync(work.until)) Atomics.wait(sleeper, 0, 0, 5);
  });
  writeSync(1, "released\n");
}
