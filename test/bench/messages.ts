// The time from the moment at which a message is durable in a mailbox to the arrival of the request that carries it.
import { mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { text, toolUse } from "../messages-api.ts";
import { median, ms, type Part, quantile, type Row } from "./row.ts";
import { type Script, startTeam } from "./team.ts";

const count = 200;

/**
 * Idle: the receiver waits for mail. Busy: it runs one quick command after another, and a request already under way when the message
 * becomes durable does not count: the time starts at the answer to that request, or at the message if that is later.
 */
export const messagesBench: Part = async (report) => {
  const bare = await wakeUps();
  const beside = `bare fs.watch ${ms(median(bare))}`;
  for (const kind of ["idle", "busy"] as const) {
    const times = await deliveries(kind);
    report(
      row(`messages: durable → in the receiver's next request, ${kind}, median of ${times.length}`, {
        value: median(times),
        beside,
        limit: 15,
      }),
    );
    report(row(`messages: the same, ${kind}, p99`, { value: quantile(times, 0.99), beside, limit: 100 }));
  }
};

function row(name: string, { value, beside, limit }: { value: number; beside: string; limit: number }): Row {
  return { name, ours: ms(value), beside, target: `≤ ${limit} ms`, met: value <= limit };
}

async function deliveries(kind: "idle" | "busy"): Promise<number[]> {
  let over = false;
  const team = await startTeam(
    "in_tmux",
    script(kind, () => over),
  );
  try {
    await until(() => team.status("ada")?.state === "idle");
    if (kind === "busy") team.board.send({ from: "user", to: "ada", kind: "message", text: "Begin." });
    await until(() => kind === "idle" || team.requestsOf("ada").length > 3);
    const times: number[] = [];
    for (let number = 0; number < count; number++) {
      const mark = `note ${number};`;
      team.board.send({ from: "user", to: "ada", kind: "message", text: mark });
      const durableAt = performance.now();
      const carrier = await until(() =>
        team.requestsOf("ada").find(({ request }) => JSON.stringify(request.body.messages.at(-1)).includes(mark)),
      );
      const before = team.requestsOf("ada")[carrier.n - 1]?.answeredAt ?? 0;
      times.push(carrier.request.at - Math.max(durableAt, before));
      if (kind === "idle") await until(() => team.status("ada")?.state === "idle");
      await pause(Math.random() * 20);
    }
    return times;
  } finally {
    over = true;
    await team.dispose();
  }
}

/** The lead starts ada, who only reads her mail. */
function script(kind: "idle" | "busy", over: () => boolean): Script {
  return ({ agent, n }) => {
    if (agent === "lead") {
      if (n === 0) return toolUse("SpawnTeammate", { name: "ada" }, "toolu_spawn");
      return text("So be it.");
    }
    if (kind === "busy" && !over()) return toolUse("Bash", { command: "true" }, `toolu_${n}`);
    return text("Read.");
  };
}

/** How long the operating system takes to report a new file. */
async function wakeUps(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "tool-bench-"));
  let heard = () => {};
  const watcher = watch(folder, () => heard());
  const times: number[] = [];
  try {
    for (let number = 0; number < 50; number++) {
      const told = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const begin = performance.now();
      writeFileSync(join(folder, String(number)), "");
      await told;
      times.push(performance.now() - begin);
      await pause(5);
    }
    return times;
  } finally {
    watcher.close();
    rmSync(folder, { recursive: true });
  }
}

async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (const end = performance.now() + 30_000; ; ) {
    const found = look();
    if (found) return found;
    if (performance.now() > end) throw new Error("Waited 30 s in vain");
    await pause(1);
  }
}
