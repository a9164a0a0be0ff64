// The faults of a team under chaos, one function for each kind. Each returns what it hit, or undefined when there was nothing to hit.
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../fuzz/random.ts";
import type { Disturbance } from "../programs/chaos-faults.ts";
import { below, type Found, members, processesWith, signal } from "./process-table.ts";

export type Target = {
  random: Random;
  /** An assignment in the environment of every process of the team. */
  mark: string;
  configDir: string;
  team: string;
  leadPid: () => number;
  /** The path that the processes read before each system call. */
  control: string;
  /** Makes the next answers of the model's server faulty. */
  armApi: (count: number) => void;
};

type Fault = (target: Target) => Promise<string | undefined>;

/** `resume`: the fault leaves no lead running, so the team must be resumed. */
export const faults = {
  teammate: { resume: false, inject: killTeammate },
  lead: { resume: true, inject: killLead },
  shell: { resume: false, inject: killShell },
  everything: { resume: true, inject: killEverything },
  suspend: { resume: false, inject: suspend },
  pane: { resume: false, inject: killPane },
  server: { resume: false, inject: killServer },
  disk_full: { resume: false, inject: fillDisk },
  disk_error: { resume: false, inject: failCall },
  read_error: { resume: false, inject: failRead },
  clock: { resume: false, inject: jumpClock },
  api: { resume: false, inject: failRequests },
} as const satisfies Record<string, { resume: boolean; inject: Fault }>;

export type FaultKind = keyof typeof faults;
export const faultKinds = Object.keys(faults) as FaultKind[];

async function killTeammate({ random, mark }: Target): Promise<string | undefined> {
  return killOne(members(processesWith(mark)).teammates, random);
}

async function killLead({ leadPid }: Target): Promise<string | undefined> {
  return signal(leadPid(), "SIGKILL") ? `process ${leadPid()}` : undefined;
}

async function killShell({ random, mark }: Target): Promise<string | undefined> {
  const all = processesWith(mark);
  return killOne(
    members(all).teammates.flatMap(({ pid }) => below(pid, all)),
    random,
  );
}

function killOne(found: Found[], random: Random): string | undefined {
  if (found.length === 0) return undefined;
  const { pid, command } = random.of(found);
  return signal(pid, "SIGKILL") ? `process ${pid} ${command.slice(0, 40)}` : undefined;
}

/** Repeats until no process is left: a process killed late may have started another. */
async function killEverything({ mark }: Target): Promise<string | undefined> {
  let count = 0;
  for (let found = processesWith(mark); found.length > 0; found = processesWith(mark)) {
    for (const { pid } of found) if (signal(pid, "SIGKILL")) count++;
    await pause(10);
  }
  return count > 0 ? `${count} processes` : undefined;
}

async function suspend({ random, mark, leadPid }: Target): Promise<string | undefined> {
  const pids = [leadPid(), ...members(processesWith(mark)).teammates.map(({ pid }) => pid)];
  const pid = random.of(pids);
  if (!signal(pid, "SIGSTOP")) return undefined;
  const ms = 100 + random.below(1_500);
  await pause(ms);
  signal(pid, "SIGCONT");
  return `process ${pid} for ${ms} ms`;
}

type Place = { kind: string; socket: string; serverPid: number; pane: string };

async function killPane({ random, ...target }: Target): Promise<string | undefined> {
  const places = placesOf(target);
  if (places.length === 0) return undefined;
  const { socket, pane } = random.of(places);
  try {
    execFileSync("tmux", ["-S", socket, "kill-pane", "-t", pane], { stdio: "ignore" });
    return pane;
  } catch {
    return undefined; // it has ended meanwhile
  }
}

async function killServer(target: Target): Promise<string | undefined> {
  const pids = new Set(placesOf(target).map(({ serverPid }) => serverPid));
  const servers = processesWith(target.mark).filter(({ pid, command }) => pids.has(pid) && command.includes("tmux"));
  for (const { pid } of servers) signal(pid, "SIGKILL");
  return servers.length > 0 ? servers.map(({ pid }) => `process ${pid}`).join() : undefined;
}

function placesOf({ configDir, team }: Pick<Target, "configDir" | "team">): Place[] {
  const record = JSON.parse(readFileSync(join(configDir, "teams", team, "team.json"), "utf8")) as {
    members: { role: string; ended?: unknown; display?: Place }[];
  };
  return record.members.flatMap(({ role, ended, display }) => (role === "teammate" && !ended && display?.kind === "tmux" ? [display] : []));
}

async function fillDisk(target: Target): Promise<string | undefined> {
  const ms = 100 + target.random.below(1_500);
  return disturb(target, { code: "ENOSPC" }, ms);
}

async function failCall(target: Target): Promise<string | undefined> {
  const after = target.random.below(40);
  return disturb(target, { code: "EIO", after, times: 1 }, 1_500);
}

async function failRead(target: Target): Promise<string | undefined> {
  const after = target.random.below(200);
  return disturb(target, { code: "EIO", reads: true, after, times: 1 }, 1_500);
}

async function jumpClock(target: Target): Promise<string | undefined> {
  const clockMs = target.random.of([-86_400_000, -3_600_000, 60_000, 3_600_000]);
  return disturb(target, { clockMs }, 100 + target.random.below(1_000));
}

let disturbances = 0;

/** Writes to a temporary file and renames it, so that no process reads half of it. */
async function disturb({ control, configDir }: Target, what: Omit<Disturbance, "id" | "below">, ms: number): Promise<string> {
  writeFileSync(`${control}.new`, JSON.stringify({ id: ++disturbances, below: configDir, ...what } satisfies Disturbance));
  renameSync(`${control}.new`, control);
  await pause(ms);
  rmSync(control);
  return `${JSON.stringify(what)} for ${ms} ms`;
}

async function failRequests({ random, armApi }: Target): Promise<string | undefined> {
  const count = 1 + random.below(6);
  armApi(count);
  return `${count} answers`;
}
