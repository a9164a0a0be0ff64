// A team whose disk is full for five seconds: how soon it continues after space is freed, and whether it completes all of its tasks.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { streamed, text } from "../messages-api.ts";
import { ms, type Part } from "./row.ts";
import { type Script, startTeam, until } from "./team.ts";

const rounds = 20;
const tasks = 4;
const fullMs = 5_000;

/** Needs permission to mount a tmpfs; takes about three minutes. */
export const fullDiskBench: Part = async (report) => {
  const waits: number[] = [];
  let whole = 0;
  for (let round = 0; round < rounds; round++) {
    const { waitMs, completed } = await oneRound();
    waits.push(waitMs);
    if (completed === tasks) whole++;
  }
  const longest = Math.max(...waits);
  report({
    name: `full disk: ${rounds} teams of two with ${tasks} tasks, full for ${fullMs / 1000} s, room → next request of the model`,
    ours: `longest ${ms(longest)}, ${whole} of ${rounds} teams with all tasks done`,
    target: `at most 5 s, ${rounds} of ${rounds}`,
    met: longest <= 5_000 && whole === rounds,
  });
};

async function oneRound(): Promise<{ waitMs: number; completed: number }> {
  let folder = "";
  const team = await startTeam("print", script, {
    prepare(root) {
      folder = join(root, "config");
      mkdirSync(folder);
      execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
    },
  });
  try {
    await until("both teammates at work", () => team.requestsOf("ann").length > 0 && team.requestsOf("bo").length > 0);
    fill(folder);
    await pause(fullMs);
    const before = team.requests.length;
    const start = performance.now();
    rmSync(join(folder, "filler"));
    await until("the next request", () => team.requests.length > before);
    const waitMs = performance.now() - start;
    await team.ended();
    const list = team.board.tasks.read();
    return { waitMs, completed: list.ok ? list.list.tasks.filter(({ status }) => status === "completed").length : 0 };
  } finally {
    execFileSync("/bin/umount", ["-l", folder]);
    await team.dispose();
  }
}

function fill(folder: string): void {
  try {
    for (;;) writeFileSync(join(folder, "filler"), Buffer.alloc(4096), { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

let calls = 0;
const call = (name: string, input: unknown) => ({ type: "tool_use" as const, id: `toolu_${++calls}`, name, input });

/**
 * The lead creates the tasks and starts two teammates; each reply of a teammate is longer than the free space in the last block of a file.
 */
const script: Script = async ({ agent, n, request }) => {
  if (agent === "lead" && n === 0) {
    const create = Array.from({ length: tasks }, (_, index) => call("TaskCreate", { title: `Task ${index + 1}` }));
    return streamed([...create, call("SpawnTeammate", { name: "ann" }), call("SpawnTeammate", { name: "bo" })]);
  }
  if (agent === "lead") return streamed([text("At work.")]);
  if (n === 0) await pause(1_000);
  if (!newestIsTask(request)) return streamed([text("Done.")]);
  const id = [...JSON.stringify(request.body.messages).matchAll(/task-\d+/g)].at(-1)?.[0];
  return streamed([text("x".repeat(8_000)), call("TaskUpdate", { id, status: "completed", summary: "Done." })]);
};

function newestIsTask(request: { body: { messages: { content: unknown }[] } }): boolean {
  const content = JSON.stringify(request.body.messages.at(-1)?.content);
  return /task-\d+/.test(content) && !content.includes("tool_result");
}
