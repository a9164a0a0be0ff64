// What happens to places under chaos: links that are cut, and hands, sshd's children and Slurm's steps that are killed.
import { readFileSync } from "node:fs";
import { type Found, signal } from "./process-table.ts";

export type Counts = { cuts: number; kills: Map<string, number> };
export type Wants = { cuts: number; kills: number };

const killsOf = ({ kills }: Counts) => [...kills.values()].reduce((sum, count) => sum + count, 0);

export const isEnough = (counts: Counts, { cuts, kills }: Wants) => counts.cuts >= cuts && killsOf(counts) >= kills;

export function countsText(counts: Counts): string {
  const killed = [...counts.kills].map(([kind, count]) => `${kind} ${count}`).join(", ");
  return `${counts.cuts} cuts, ${killsOf(counts)} kills (${killed})`;
}

/** One cut, or sometimes a kill. */
export function disturb(all: Found[], { random, counts, wants }: { random: () => number; counts: Counts; wants: Wants }): void {
  const one = (found: Found[]) => found[Math.floor(random() * found.length)];
  const links = all.filter(({ pid, command }) => /^(ssh|srun) /.test(command) && ageOf(pid) > startSeconds);
  const hands = all.filter(({ command }) => /^\S*node -e var p=process/.test(command));
  if (random() < 0.2 && killsOf(counts) < wants.kills) {
    const kinds = [
      ["hands", hands.filter(({ parent }) => !isStep(parent))],
      ["a task of Slurm", hands.filter(({ parent }) => isStep(parent))],
      ["a child of sshd", hands.flatMap(({ pid }) => sshdAbove(pid))],
    ] as const;
    const [kind, found] = kinds[Math.floor(random() * kinds.length)]!;
    const hit = one([...found]);
    if (hit && signal(hit.pid, "SIGKILL")) counts.kills.set(kind, (counts.kills.get(kind) ?? 0) + 1);
  } else if (counts.cuts < wants.cuts) {
    const hit = one(links);
    if (hit && signal(hit.pid, "SIGKILL")) counts.cuts++;
  }
}

/** Before that a link is more likely one to hands that are still being started, whose loss is a death. */
const startSeconds = 4;

function ageOf(pid: number): number {
  const stat = statOf(pid);
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? 0);
  return Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) - ticks / 100;
}

const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it has ended
  }
};
const isStep = (pid: number) => commandOf(pid).startsWith("slurmstepd");

/** The process of sshd that serves this one. */
function sshdAbove(pid: number): Found[] {
  for (let at = pid; at > 1; ) {
    const command = commandOf(at);
    if (/^sshd(-session)?: \S+@notty/.test(command)) return [{ pid: at, parent: 0, state: "", command }];
    const stat = statOf(at);
    at = Number(stat.slice(stat.lastIndexOf(")") + 1).split(" ")[2] ?? 0);
  }
  return [];
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return ""; // it has ended
  }
}
