// What a team costs while it waits: the memory of its processes, and the processor time of its teammates.
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { text, toolUse } from "../messages-api.ts";
import { mib, processorMs, pssMiB } from "./process-figures.ts";
import { median, type Row } from "./row.ts";
import { type BenchTeam, type Script, startTeam, until } from "./team.ts";

const names = ["ada", "bo", "cy"];

/** How long the processes get to settle after their work. */
const settleMs = 8_000;
const idleSeconds = 30;

/**
 * A lead and three teammates in tmux panes, after one task each. Memory is Pss of /proc/…/smaps_rollup: each process counts its share of
 * what several use, such as Node's own code. Linux only.
 */
export async function memoryBench(report: (row: Row) => void): Promise<void> {
  const team = await startTeam("in_tmux", work);
  const bare = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore", env: { PATH: process.env["PATH"] } });
  try {
    await until("three idle teammates", () => names.every((name) => done(team, name)));
    await pause(settleMs);
    const pids = names.map((name) => pidOf(team, name));
    const own = pids.map(pssMiB);
    const all = [pidOf(team, "lead"), ...pids].map(pssMiB).reduce((sum, one) => sum + one, 0);
    const node = pssMiB(bare.pid ?? 0);
    report({
      name: `memory: an idle teammate after ${turnsOfEach} turns, Pss`,
      ours: `${mib(median(own))} (${own.map(mib).join(", ")})`,
      beside: `${mib(node)} node that waits`,
      ratio: (median(own) / node).toFixed(2),
      target: "≤ 55 MiB",
      met: median(own) <= 55,
    });
    report({
      name: "memory: lead and three teammates together, Pss",
      ours: mib(all),
      beside: `${mib(4 * node)} four such nodes`,
      ratio: (all / (4 * node)).toFixed(2),
      target: "≤ 160 MiB",
      met: all <= 160,
    });
    const shares = await processorShares([...pids, bare.pid ?? 0]);
    const [nodeShare = Number.NaN] = shares.slice(-1);
    const idle = median(shares.slice(0, -1));
    report({
      name: `processor: an idle teammate over ${idleSeconds} s`,
      ours: `${percent(idle)} of a core (${shares.slice(0, -1).map(percent).join(", ")})`,
      beside: `${percent(nodeShare)} node that waits`,
      target: "≤ 0.3 %",
      met: idle <= 0.3,
    });
  } finally {
    bare.kill();
    await team.dispose();
  }
}

/** Reading files, running a command and ending, so that a teammate has loaded all of its modules. */
const turnsOfEach = 6;

const work: Script = ({ agent, n, request }) => {
  if (agent === "lead") {
    if (n === 0) return names.map((name) => toolUse("SpawnTeammate", { name }, `toolu_spawn_${name}`));
    // Each has one of its own: the first would take a second before the third is there.
    const order = (name: string) => ({ title: `Look around with ${name}`, assignee: name });
    if (n === 1) return names.map((name) => toolUse("TaskCreate", order(name), `toolu_create_${name}`));
    return text("I wait for them.");
  }
  const id = /task-\d+/.exec(JSON.stringify(request.body.messages))?.[0] ?? "";
  const calls = [
    toolUse("Read", { path: "notes.txt" }),
    toolUse("Grep", { pattern: "two" }),
    toolUse("Glob", { pattern: "*.txt" }),
    toolUse("Bash", { command: "wc -l notes.txt" }),
    toolUse("TaskUpdate", { id, status: "completed", summary: "Looked around." }),
  ];
  return calls[n] ?? text("Done.");
};

function done(team: BenchTeam, name: string): boolean {
  return team.requestsOf(name).length === turnsOfEach && team.status(name)?.state === "idle";
}

function pidOf(team: BenchTeam, name: string): number {
  const status = team.status(name);
  if (!status) throw new Error(`${name} has no status`);
  return status.pid;
}

/** Percent of one core for each process over the same period, from the scheduler's nanosecond counters. */
async function processorShares(pids: number[]): Promise<number[]> {
  const begin = performance.now();
  const before = pids.map(processorMs);
  await pause(idleSeconds * 1000);
  const passed = performance.now() - begin;
  return pids.map((pid, index) => ((processorMs(pid) - (before[index] ?? 0)) / passed) * 100);
}

function percent(value: number): string {
  return `${value.toFixed(2)} %`;
}
