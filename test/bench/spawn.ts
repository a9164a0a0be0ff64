// The time from the lead's model asking for teammates to the first request of each teammate's own model.
import { spawn as spawnProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text, toolUse } from "../messages-api.ts";
import { median, ms, type Row } from "./row.ts";
import { makeHome, processesWith, type Script, startTeam, tmux } from "./team.ts";

const rounds = 7;
const names = ["ada", "bo", "cy"];

/** A pane with bare Node opens in the same rounds, so that other load on the machine affects both alike. */
export async function spawnBench(report: (row: Row) => void): Promise<void> {
  const one: number[][] = [];
  const three: number[][] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    one.push(await firstRequestsMs(names.slice(0, 1)));
    three.push(await firstRequestsMs(names));
    bare.push(...(await barePanesMs()));
  }
  const beside = `${ms(median(bare))} until Node alone has connected from a new pane`;
  const row = (name: string, values: number[], limitMs: number) => {
    const ours = median(values);
    report({
      name: `spawn: asked for → first model request, ${name}`,
      ours: `${ms(ours)}, ${ms(Math.min(...values))} to ${ms(Math.max(...values))} in ${rounds} rounds`,
      beside,
      ratio: (ours / median(bare)).toFixed(1),
      target: `≤ ${limitMs} ms`,
      met: ours <= limitMs,
    });
  };
  row(
    "one teammate",
    one.map(([first = Number.NaN]) => first),
    400,
  );
  row(
    "first of three at once",
    three.map(([first = Number.NaN]) => first),
    400,
  );
  row(
    "third of three at once",
    three.map((times) => times[2] ?? Number.NaN),
    800,
  );
}

/**
 * One whole team from start to end; returns sorted times. The clock starts just before the reply with the calls is written to the socket.
 */
async function firstRequestsMs(teammates: string[]): Promise<number[]> {
  const team = await startTeam("print", work(teammates));
  try {
    await team.ended();
    const asked = team.requestsOf("lead")[1]?.answeredAt ?? Number.NaN;
    return teammates.map((name) => (team.requestsOf(name)[0]?.request.at ?? Number.NaN) - asked).toSorted((a, b) => a - b);
  } finally {
    await team.dispose();
  }
}

/** Of several teammates the first ones work on tasks of their own while the others start, so there is always a task left to claim. */
function work(teammates: string[]): Script {
  const each = teammates.length === 1 ? 1 : 4;
  const tasks = teammates.flatMap((name) =>
    Array.from({ length: each }, (_, part) => ({ title: `Read with ${name} ${part}`, key: `${name}_${part}` })),
  );
  return ({ agent, n, request }) => {
    if (agent === "lead") {
      if (n === 0) return tasks.map(({ title, key }) => toolUse("TaskCreate", { title }, `toolu_create_${key}`));
      if (n === 1) return teammates.map((name) => toolUse("SpawnTeammate", { name }, `toolu_spawn_${name}`));
      return text("That is all.");
    }
    const task =
      JSON.stringify(request.body.messages)
        .match(/task-\d+/g)
        ?.at(-1) ?? "";
    return n % 2 === 0 ? toolUse("TaskUpdate", { id: task, status: "completed", summary: "Read." }) : text("Done.");
  };
}

/** Opens three panes, one after another, in which Node only opens a connection. */
async function barePanesMs(): Promise<number[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  const { env } = makeHome(root);
  let connected = () => {};
  const server = createServer((socket) => {
    socket.on("error", () => {}); // its pane is killed while it is connected
    connected();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const program = `require("node:net").connect(${(server.address() as AddressInfo).port}, "127.0.0.1")`;
  tmux(env, "new-session", "-d", "-x", "200", "-y", "50", "sleep", "1000");
  const times: number[] = [];
  try {
    for (let pane = 0; pane < 3; pane++) {
      const arrival = new Promise<void>((resolve) => {
        connected = resolve;
      });
      const begin = performance.now();
      const argv = ["-u", "-L", "person", "split-window", "-d", process.execPath, "-e", program];
      spawnProcess("tmux", argv, { env, stdio: "ignore" });
      await arrival;
      times.push(performance.now() - begin);
    }
  } finally {
    for (const pid of processesWith(`TMUX_TMPDIR=${root}`)) process.kill(pid, "SIGKILL");
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
  return times;
}
