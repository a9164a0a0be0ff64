// Figures for the sandbox: the time it adds to a command, in a small tree and in a large one, and how many programs escaped.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shell } from "../../src/edge/shell/shell.ts";
import { type EscapeWorld, escapeWorld, waitingProcesses } from "../edge/escape-world.ts";
import { escapes } from "../edge/escapes.ts";
import { median, ms, type Part, type Row } from "./row.ts";

/** Needs bubblewrap; takes about a minute. */
export const sandboxBench: Part = async (report) => {
  const world = await escapeWorld();
  try {
    const state = world.sandbox.state();
    if (state.kind !== "active") throw new Error(`The sandbox is ${state.kind}`);
    report(await overhead(world, "a tree of 10 folders"));
    for (let n = 0; n < 5000; n++) {
      mkdirSync(join(world.policy.cwd, `many/${n % 50}/${n}`), { recursive: true });
      writeFileSync(join(world.policy.cwd, `many/${n % 50}/${n}/file`), "");
    }
    await new Promise((resolve) => setTimeout(resolve, 1100)); // folders that changed a moment ago are read again each time
    report(await overhead(world, "a tree of 5,000 folders"));
    report(await afterKill(world));
    report(await ways(world));
  } finally {
    await world.close();
  }
};

/** The two alternate, so that other load on the machine affects both alike. */
async function overhead(world: EscapeWorld, where: string): Promise<Row> {
  const bare = shell({ cwd: world.policy.cwd, env: { PATH: process.env["PATH"] ?? "" } });
  const request = { command: "true", timeoutMs: 10_000, signal: new AbortController().signal, onOutput: () => {} };
  const took: Record<"inside" | "bare", number[]> = { inside: [], bare: [] };
  const timed = async (run: () => Promise<unknown>) => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  for (let round = 0; round < 60; round++) {
    took.bare.push(await timed(() => bare.run(request)));
    took.inside.push(await timed(() => world.run("true")));
  }
  const [inside, without] = [median(took.inside), median(took.bare)];
  return {
    name: `sandbox: one command in ${where}`,
    ours: `${ms(inside)}, ${ms(inside - without)} more`,
    beside: `${ms(without)} bare bash`,
    target: "about 10 ms more",
    met: inside - without <= 20,
  };
}

/** Kills the shell prepared for the next command, as a machine out of memory does; the command has a time limit of 10 s. */
async function afterKill(world: EscapeWorld): Promise<Row> {
  const took: number[] = [];
  for (let round = 0; round < 20; round++) {
    await world.run("true");
    while (waitingProcesses(world).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    process.kill(waitingProcesses(world)[0]!, "SIGKILL");
    const start = performance.now();
    await world.run("true");
    took.push(performance.now() - start);
  }
  const longest = Math.max(...took);
  return {
    name: "sandbox: an allowed command after its waiting shell was killed, the longest of 20",
    ours: ms(longest),
    target: "at most 1 s",
    met: longest <= 1000,
  };
}

async function ways(world: EscapeWorld): Promise<Row> {
  const before = world.snapshot().join("\n");
  const out: string[] = [];
  for (const [what, program] of escapes) {
    const { output, end } = await world.run(`[ -e "$HOST_TMP" ] && exit 99\n${program}`);
    const found =
      output.replaceAll(program, "").includes(world.canary) || output.includes("REACHED\n") || world.snapshot().join("\n") !== before;
    if (found || (end.kind === "exited" && end.code === 99)) out.push(what);
  }
  return {
    name: "sandbox: escaping programs, run after an allow",
    ours: `${out.length} of ${escapes.length} found a way${out.map((what) => `\n        ${what}`).join("")}`,
    target: "0 of at least 100",
    met: out.length === 0 && escapes.length >= 100,
  };
}
