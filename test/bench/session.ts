// A session of one agent: how soon it accepts typing, what one reply costs without a screen, and what it uses while nobody types.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type IPty, spawn as spawnPty } from "@lydell/node-pty";
import { type MessagesApi, startMessagesApi, text } from "../messages-api.ts";
import { mib, processorMs, pssMiB } from "./process-figures.ts";
import { median, ms, type Row } from "./row.ts";

const pairs = 20;
const settleMs = 5_000;
const idleSeconds = 30;
const tool = resolve("bin/tool.js");

/** The provider is a Messages API on loopback in this process. Needs `npm run build`. */
export async function sessionBench(report: (row: Row) => void): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "tool-bench-"));
  const cwd = join(root, "repo");
  mkdirSync(cwd);
  spawnSync("git", ["init", "--quiet", cwd]);
  writeFileSync(join(cwd, "notes.txt"), "one\ntwo\n");
  const api = await startMessagesApi({ reply: () => text("hi") });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: api.url,
  };
  try {
    await firstPrompt(report, { cwd, env });
    await oneReply(report, { cwd, env, api });
    await idle(report, { cwd, env });
  } finally {
    await api.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Place = { cwd: string; env: Record<string, string> };

async function firstPrompt(report: (row: Row) => void, place: Place): Promise<void> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    ours.push(await untilShown([tool], /> /, place));
    bare.push(await untilShown(["-e", "0"], /$^/, place));
  }
  const ratio = median(ours.map((time, pair) => time / (bare[pair] ?? Number.NaN)));
  report({
    name: "session: first prompt ready",
    ours: ms(median(ours)),
    beside: `${ms(median(bare))} node -e 0 in the same pseudo-terminal`,
    ratio: `${ratio.toFixed(2)}, the median of ${pairs} pairs`,
    target: "ratio ≤ 2.5",
    met: ratio <= 2.5,
  });
}

/** Milliseconds until the program shows the text or ends. */
function untilShown(argv: string[], shown: RegExp, place: Place): Promise<number> {
  const begin = performance.now();
  const pty = inTerminal(argv, place);
  let output = "";
  return new Promise((done) => {
    let tookMs: number | undefined;
    pty.onData((bytes) => {
      output += bytes;
      if (tookMs !== undefined || !shown.test(output)) return;
      tookMs = performance.now() - begin;
      pty.kill("SIGKILL");
    });
    pty.onExit(() => done(tookMs ?? performance.now() - begin));
  });
}

function inTerminal(argv: string[], { cwd, env }: Place): IPty {
  return spawnPty(process.execPath, argv, { name: "xterm-256color", cols: 100, rows: 30, cwd, env });
}

async function oneReply(report: (row: Row) => void, { cwd, env, api }: Place & { api: MessagesApi }): Promise<void> {
  const argv = [tool, "--print", "reply hi"];
  const ours: Used[] = [];
  const bare: Used[] = [];
  for (let pair = 0; pair < pairs / 4; pair++) {
    ours.push(await used(argv, { cwd, env }));
    bare.push(await used(["-e", "0"], { cwd, env }));
  }
  for (const [what, of] of [
    ["wall time", (one: Used) => one.wallMs],
    ["processor time", (one: Used) => one.cpuMs],
  ] as const) {
    const ratio = median(ours.map(of)) / median(bare.map(of));
    report({
      name: `session: --print "reply hi", ${what}`,
      ours: ms(median(ours.map(of))),
      beside: `${ms(median(bare.map(of)))} node -e 0`,
      ratio: ratio.toFixed(1),
      target: "ratio ≤ 10",
      met: ratio <= 10,
    });
  }
  const pss = await highestPss(argv, { cwd, env });
  report({ name: 'session: --print "reply hi", highest Pss', ours: mib(pss), target: "≤ 85 MiB", met: pss <= 85 });
  const body = api.requests[0]?.body;
  const bytes = Buffer.byteLength(JSON.stringify({ system: body?.system, tools: body?.tools }));
  report({ name: "session: system and tools of the first request", ours: `${bytes} bytes`, target: "< 12288 bytes", met: bytes < 12_288 });
}

type Used = { wallMs: number; cpuMs: number };

/** Runs it ten times below a parent process: proc(5) reports, in hundredths of a second, what the ended children of a process have used. */
function used(argv: string[], { cwd, env }: Place): Promise<Used> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ["-e", between, process.execPath, ...argv], { cwd, env });
    let output = "";
    child.stdout.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
    child.on("close", (code) => {
      if (code !== 0) return fail(new Error(`${argv.join(" ")} ended with ${code}`));
      const { wallMs, stat } = JSON.parse(output) as { wallMs: number; stat: string };
      const [cutime, cstime] = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .slice(13);
      done({ wallMs: wallMs / runs, cpuMs: ((Number(cutime) + Number(cstime)) * 10) / runs });
    });
  });
}

const runs = 10;

const between = `
  const [program, ...args] = process.argv.slice(1);
  const { spawnSync } = require("node:child_process");
  const begin = performance.now();
  let status = 0;
  for (let run = 0; run < ${runs}; run++) status ||= spawnSync(program, args, { stdio: "ignore" }).status ?? 1;
  const wallMs = performance.now() - begin;
  process.stdout.write(JSON.stringify({ wallMs, stat: require("node:fs").readFileSync("/proc/self/stat", "utf8") }));
  process.exitCode = status;
`;

async function highestPss(argv: string[], { cwd, env }: Place): Promise<number> {
  const child = spawn(process.execPath, argv, { cwd, env, stdio: "ignore" });
  let highest = 0;
  let alive = true;
  child.on("close", () => {
    alive = false;
  });
  while (alive) {
    try {
      highest = Math.max(highest, pssMiB(child.pid ?? 0) || 0);
    } catch {
      break; // it ended between the two readings
    }
    await pause(2);
  }
  return highest;
}

async function idle(report: (row: Row) => void, place: Place): Promise<void> {
  const pty = inTerminal([tool], place);
  let output = "";
  pty.onData((bytes) => {
    output += bytes;
  });
  const ended = new Promise<void>((done) => pty.onExit(() => done()));
  try {
    for (const end = performance.now() + 20_000; !output.includes("ready") && performance.now() < end; ) await pause(20);
    pty.write("hello\r");
    await pause(settleMs);
    const pss = pssMiB(pty.pid);
    report({ name: "session: idle after a reply, Pss", ours: mib(pss), target: "≤ 85 MiB", met: pss <= 85 });
    const [begin, before] = [performance.now(), processorMs(pty.pid)];
    await pause(idleSeconds * 1000);
    const share = ((processorMs(pty.pid) - before) / (performance.now() - begin)) * 100;
    report({
      name: `session: processor while idle, over ${idleSeconds} s`,
      ours: `${share.toFixed(2)} % of a core`,
      target: "≤ 0.3 %",
      met: share <= 0.3,
    });
  } finally {
    pty.kill("SIGKILL");
    await ended;
  }
}
