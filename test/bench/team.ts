// A real team to measure: the built program, panes on a private tmux server, and a Messages API on loopback in this process.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Board, openBoard } from "../../src/board/board.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";
import { readStatus } from "../../src/team/member-files.ts";
import type { MemberStatus } from "../../src/team/report/status.ts";
import { type Answer, type RecordedRequest, startMessagesApi } from "../messages-api.ts";

export type TeamRequest = {
  agent: string;
  /** The index of the request among those of this agent, from 0. */
  n: number;
  request: RecordedRequest;
  /** When the answer was written to the socket, on the clock of `request.at`; undefined until then. */
  answeredAt: number | undefined;
};

export type BenchTeam = {
  board: Board;
  requests: TeamRequest[];
  requestsOf(agent: string): TeamRequest[];
  status(agent: string): MemberStatus | undefined;
  /** When its newest lead was started, on the clock of `request.at`. */
  startedAt(): number;
  /** SIGKILL of everything, including the tmux server; resolves when no process is left. */
  killAll(): Promise<void>;
  /** Starts `tool team --resume`. */
  resume(): void;
  /** Resolves when the lead's process has ended. */
  ended(): Promise<void>;
  /** Ends the team if it still runs, and deletes its files. */
  dispose(): Promise<void>;
};

/** `prepare`: in the folder that has `work`, where the team works, and `config`. `args` and `env`: further ones of the lead. */
type Preparation = { prepare?: (root: string) => void | Promise<void>; args?: string[]; env?: Record<string, string> };

export type Script = (asked: TeamRequest) => Answer | Promise<Answer>;

/**
 * `in_tmux`: the lead runs in a pane of the user's tmux, with teammates beside it. `print`: nobody watches; the panes are on a detached
 * server.
 */
export type Place = "in_tmux" | "print";

/** Starts `tool team` with `script` as its model. Needs `npm run build`, and the repository's root as working directory. */
export async function startTeam(
  place: Place,
  script: Script,
  { prepare, args = [], env: further = {} }: Preparation = {},
): Promise<BenchTeam> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  const { cwd, env } = makeHome(root);
  await prepare?.(root);
  const requests: TeamRequest[] = [];
  const requestsOf = (agent: string) => requests.filter((request) => request.agent === agent);
  const api = await startMessagesApi({
    reply: async (request) => {
      const agent = agentOf(request);
      const asked: TeamRequest = { agent, n: requestsOf(agent).length, request, answeredAt: undefined };
      requests.push(asked);
      const answer = await script(asked);
      asked.answeredAt = performance.now();
      return answer;
    },
  });
  const home = { cwd, env: { ...env, ...further, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: api.url } };
  let startedAt = 0;
  const startLead = (...args: string[]) => {
    startedAt = performance.now();
    return start(place, [resolve("bin/tool.js"), "team", ...(place === "print" ? ["--print"] : []), ...args], home);
  };
  let lead = startLead(...args, "--allow", "Bash", "Do the work.");
  const boardOf = () => openBoard({ disk, lock: lock(), clock }, join(root, "config", "teams", "atlas"));
  try {
    await until("the lead's first request", () => requests.length > 0);
  } catch (error) {
    await dispose();
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${lead.output()}`);
  }
  const board = boardOf();

  async function dispose(): Promise<void> {
    for (const pid of lead.alive() ? lead.pids() : []) process.kill(pid, "SIGINT");
    await until("the end of the lead", () => !lead.alive()).catch(() => {});
    for (const pid of processesWith(`TMUX_TMPDIR=${root}`)) kill(pid);
    await api.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
  return {
    board,
    requests,
    requestsOf,
    status: (agent) => readStatus(disk, board.layout, agent),
    startedAt: () => startedAt,
    async killAll() {
      const left = () => processesWith(`TMUX_TMPDIR=${root}`);
      left().forEach(kill);
      await until("the end of everything", () => left().length === 0 && !lead.alive());
    },
    resume() {
      lead = startLead("--resume");
    },
    ended: () => until("the end of the lead", () => !lead.alive()),
    dispose,
  };
}

/** Polls every few milliseconds. Throws after a minute, or `withinMs`. */
export async function until(what: string, look: () => boolean, withinMs = 60_000): Promise<void> {
  for (const end = performance.now() + withinMs; !look(); ) {
    if (performance.now() > end) throw new Error(`Waited ${withinMs / 1000} s for ${what}`);
    await pause(3);
  }
}

export type Home = { cwd: string; env: Record<string, string> };

/** An environment that neither reads nor changes anything of the user's. */
export function makeHome(root: string): Home {
  const cwd = join(root, "work");
  for (const folder of [cwd, join(root, "home")]) mkdirSync(folder);
  writeFileSync(join(cwd, "notes.txt"), "one\ntwo\nthree\n");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(root, "home"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    TMUX_TMPDIR: root,
    TOOL_CONFIG_DIR: join(root, "config"),
    TOOL_EXPERIMENTAL_AGENT_TEAMS: "1",
  };
  return { cwd, env };
}

type Lead = { alive: () => boolean; pids: () => number[]; output: () => string };

function start(place: Place, argv: string[], { cwd, env }: Home): Lead {
  if (place === "print") {
    const child = spawn(process.execPath, argv, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const output = collected(child);
    return { alive: () => child.exitCode === null && child.signalCode === null, pids: () => (child.pid ? [child.pid] : []), output };
  }
  const pid = Number(
    tmux(env, "new-session", "-d", "-x", "200", "-y", "50", "-c", cwd, "-P", "-F", "#{pane_pid}", process.execPath, ...argv),
  );
  return { alive: () => isAlive(pid), pids: () => [pid], output: () => "It ran in a tmux pane." };
}

/** Runs tmux on a server of its own below TMUX_TMPDIR, without configuration. */
export function tmux(env: Record<string, string>, ...command: string[]): string {
  return execFileSync("tmux", ["-u", "-L", "person", "-f", "/dev/null", ...command], { env, encoding: "utf8" }).trimEnd();
}

function collected(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return () => output;
}

/** The first line of the system prompt names the agent. */
function agentOf({ body }: RecordedRequest): string {
  return /^You are ([a-z0-9-]+)/.exec(body.system[0]?.text ?? "")?.[1] ?? "";
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false; // no such process
  }
}

/** The running processes that have that assignment in their environment. */
export function processesWith(assignment: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environment(name).includes(assignment))
    .map(Number);
}

function environment(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return []; // it has ended since the folder was listed, or belongs to another user
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}
