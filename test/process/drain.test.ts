// Eight programs complete one list of tasks through `tool team exec`: no task is lost, done twice, or started before its dependencies are
// completed.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { checkDrain } from "./drain-check.ts";
import { seeded } from "./seeded.ts";
import { type Exec, startExec, temporaryHome, tool } from "./tool.ts";

const agents = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"];
const count = 200;

type Task = { id: string; status: string; dependencies: string[] };

describe("eight tool team exec", () => {
  it("drain 200 tasks with dependencies", { timeout: 180_000 }, async () => {
    using home = temporaryHome();
    await tool(home, ["team", "create", "drain", "--members", ["lead", ...agents].join(",")]);
    await tool(home, ["team", "exec", "--as", "lead", "--team", "drain"], creations());
    const granted = (await Promise.all(agents.map((as, index) => drain(startExec(home, { as, team: "drain" }), seeded(index + 1))))).flat();
    expect(granted.toSorted()).toEqual(Array.from({ length: count }, (_, index) => `task-${index + 1}`).toSorted());
    const folder = `${home.config}/teams/drain`;
    expect(checkDrain(readFileSync(`${folder}/log/events.jsonl`, "utf8"), readFileSync(`${folder}/tasks.json`, "utf8"))).toEqual({
      claims: count,
      completions: count,
      lostOrDouble: [],
      early: [],
      overlapping: [],
      gaps: [],
    });
  });
});

function creations(): string {
  const random = seeded(7);
  return Array.from({ length: count }, (_, index) => {
    const earlier = () => `task-${1 + Math.floor(random() * index)}`;
    const dependencies = index === 0 ? [] : Array.from({ length: Math.floor(random() * 4) }, earlier);
    return `${JSON.stringify({ op: "TaskCreate", args: { title: `number ${index + 1}`, dependencies } })}\n`;
  }).join("");
}

/** Claims any task that looks ready until all are completed. Returns the claims that succeeded. */
async function drain(exec: Exec, random: () => number): Promise<string[]> {
  const granted: string[] = [];
  for (;;) {
    const { tasks } = (await exec.ask({ op: "TaskList" })) as { tasks: Task[] };
    if (tasks.every(({ status }) => status === "completed")) break;
    const done = new Set(tasks.filter(({ status }) => status === "completed").map(({ id }) => id));
    const ready = tasks.filter(({ status, dependencies }) => status === "open" && dependencies.every((id) => done.has(id)));
    const id = ready[Math.floor(random() * Math.min(ready.length, 12))]?.id;
    if (id === undefined) {
      await pause(5);
      continue;
    }
    const claim = await exec.ask({ op: "TaskUpdate", args: { id, status: "in_progress" } });
    if (!claim["ok"]) continue;
    granted.push(id);
    const completion = await exec.ask({ op: "TaskUpdate", args: { id, status: "completed", summary: "done" } });
    expect(completion).toMatchObject({ ok: true });
  }
  expect(await exec.end()).toBe(0);
  return granted;
}
