// Ends what an agent's commands left running. A background process outlives its shell, its pane and its agent; the marker in its
// environment is how it is found again.
import { readdirSync, readFileSync } from "node:fs";
import { run } from "./run.ts";

/** Ends every process that carries `TOOL_OWNER=<owner>`, but for this one and those above it. Resolves with how many there were. */
export async function sweep(owner: string): Promise<number> {
  const ended = new Set<number>();
  for (const [signal, waitMs] of stages) {
    for (const end = performance.now() + waitMs; ; ) {
      const left = await carriers(owner);
      for (const pid of left) {
        if (signal === "SIGKILL" || !ended.has(pid)) sendSignal(pid, signal);
        ended.add(pid);
      }
      if (left.length === 0) return ended.size;
      if (performance.now() > end) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return ended.size;
}

const stages = [
  ["SIGTERM", 2000],
  ["SIGKILL", 2000],
] as const;

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself in between.
  }
}

async function carriers(owner: string): Promise<number[]> {
  const found = process.platform === "linux" ? carriersInProc(owner) : await carriersByPs(owner);
  const ours = process.platform === "linux" ? lineage(process.pid) : [process.pid, process.ppid];
  return found.filter((pid) => !ours.includes(pid));
}

/** A zombie's environment is empty, so the dead are not found. */
function carriersInProc(owner: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readProc(pid, "environ").split("\0").includes(`TOOL_OWNER=${owner}`)).map(Number);
}

/** This process, its parent, and so on: whoever sweeps must not end itself. */
function lineage(pid: number): number[] {
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(readProc(String(pid), "status"))?.[1] ?? 0);
  return parent > 0 ? [pid, ...lineage(parent)] : [pid];
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // Ended in between, or another user's: not one of ours.
    return "";
  }
}

async function carriersByPs(owner: string): Promise<number[]> {
  const { stdout } = await run(["ps", "-A", "-E", "-ww", "-o", "pid=,command="], { timeoutMs: 5000 });
  const lines = stdout.split("\n").filter((line) => line.split(/\s+/).includes(`TOOL_OWNER=${owner}`));
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 0);
}
