// Memory and processor time of a running process, from /proc. Linux only.
import { readdirSync, readFileSync } from "node:fs";

/** Pss of /proc/…/smaps_rollup: the process counts its share of memory that several use. */
export function pssMiB(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

/** Processor time of all its threads. /proc/…/stat counts hundredths of a second, which is too coarse for a process that mostly sleeps. */
export function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

export function mib(value: number): string {
  return `${value.toFixed(1)} MiB`;
}
