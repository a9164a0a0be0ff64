// How fast a team claims tasks: 16 processes finish 1,000 tasks with dependencies, beside a bare write loop and beside proper-lockfile with
// its defaults.
import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createTeam } from "../../src/board/create-team.ts";
import type { Task } from "../../src/board/tasks/task.ts";
import { taskListText } from "../../src/board/tasks/task-list.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";
import { checkDrain, type Drain } from "../process/drain-check.ts";
import { seeded } from "../process/seeded.ts";
import type { Part, Row } from "./row.ts";

const processes = 16;
const count = 1_000;

/** Takes about a minute on two cores. */
export const claimsBench: Part = async (report) => {
  const ours = await drain("ours");
  const stock = await drain("stock");
  const bare = bareLoop(ours.bytes);
  const faults = faultsOf(ours.check);
  report({
    name: `claims lost, doubled or too early, of ${count} by ${processes} processes`,
    ours: `${faults}`,
    beside: `proper-lockfile ${faultsOf(stock.check)}`,
    target: "0",
    met: faults === 0,
  });
  report(compared("claims a second", { ours: ours.claimsPerSecond, beside: stock.claimsPerSecond, what: "proper-lockfile" }));
  // A claim and its completion are two changes of the list.
  report(compared("changes of the list a second", { ours: 2 * ours.claimsPerSecond, beside: bare, what: "bare write+fsync+rename" }));
};

type Measured = { claimsPerSecond: number; check: Drain; bytes: number };

async function drain(kind: "ours" | "stock"): Promise<Measured> {
  const root = mkdtempSync(join(tmpdir(), "claims-bench-"));
  try {
    const folder = join(root, "drain");
    const agents = Array.from({ length: processes }, (_, index) => `a${index + 1}`);
    createTeam({ disk, lock: lock(), clock }, folder, { name: "drain", cwd: root, members: ["lead", ...agents] });
    writeFileSync(`${folder}/tasks.json`, taskListText({ version: 1, revision: 0, next_id: count + 1, tasks: tasks() }));
    const start = join(root, "start");
    const ended = agents.map((agent) => worker([folder, agent, kind, start]));
    while (!agents.every((agent) => existsSync(`${start}.${agent}`))) await pause(5);
    const begin = performance.now();
    writeFileSync(start, "");
    await Promise.all(ended);
    const seconds = (performance.now() - begin) / 1000;
    const list = readFileSync(`${folder}/tasks.json`, "utf8");
    const check = checkDrain(readFileSync(`${folder}/log/events.jsonl`, "utf8"), list);
    return { claimsPerSecond: check.claims / seconds, check, bytes: Buffer.byteLength(list) };
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Each depends on up to three of the hundred tasks before it. */
function tasks(): Task[] {
  const random = seeded(11);
  return Array.from({ length: count }, (_, index) => ({
    id: `task-${index + 1}`,
    title: `Number ${index + 1}`,
    description: "",
    status: "open",
    assigned_to: null,
    dependencies: Array.from({ length: index === 0 ? 0 : Math.floor(random() * 4) }, () => {
      const back = 1 + Math.floor(random() * Math.min(index, 100));
      return `task-${index + 1 - back}`;
    }),
    created_at: "2026-01-01T00:00:00.000Z",
  }));
}

function worker(args: string[]): Promise<void> {
  const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;
  // This file is bundled into dist/test or into a chunk in a folder below it.
  const built = fileURLToPath(new URL(import.meta.url)).replace(/dist\/test\/.*$/, "dist/test/claims-worker.js");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [built, ...args], { env, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject).on("close", (code) => (code === 0 ? resolve() : reject(new Error(`A worker ended with ${code}`))));
  });
}

/** The limit that the disk sets: one process writes the same number of bytes repeatedly, without a lock. */
function bareLoop(bytes: number): number {
  const root = mkdtempSync(join(tmpdir(), "bare-loop-"));
  try {
    const text = Buffer.alloc(bytes, "x");
    const begin = performance.now();
    let loops = 0;
    for (; performance.now() - begin < 3_000; loops++) {
      const descriptor = openSync(`${root}/list.tmp`, "w");
      writeSync(descriptor, text);
      fsyncSync(descriptor);
      closeSync(descriptor);
      renameSync(`${root}/list.tmp`, `${root}/list`);
    }
    return (loops * 1000) / (performance.now() - begin);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** A figure for comparison, without a target. */
function compared(name: string, { ours, beside, what }: { ours: number; beside: number; what: string }): Row {
  return {
    name,
    ours: `${ours.toFixed(0)}/s`,
    beside: `${what} ${beside.toFixed(0)}/s`,
    ratio: (ours / beside).toFixed(2),
    target: "reported",
    met: true,
  };
}

function faultsOf({ claims, completions, lostOrDouble, early, overlapping, gaps }: Drain): number {
  const missing = Math.abs(count - claims) + Math.abs(count - completions);
  return missing + lostOrDouble.length + early.length + overlapping.length + gaps.length;
}
