// Agents of a session: the time to read their definitions, how soon one sends its first request, and the memory of ten at once.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { definitionFiles } from "../../src/edge/disk/definition-files.ts";
import { loadDefinitions } from "../../src/subagents/definitions/definitions.ts";
import { type Answer, type RecordedRequest, startMessagesApi, text, toolUse } from "../messages-api.ts";
import { mib, pssMiB } from "./process-figures.ts";
import { median, ms, type Part } from "./row.ts";
import { keysWhileTenStream } from "./ten-streaming.ts";

const tool = resolve("bin/tool.js");
const runs = 10;

/** Needs `npm run build`. */
export const subagentsBench: Part = async (report) => {
  const root = mkdtempSync(join(tmpdir(), "tool-bench-"));
  try {
    const read = await loading(root);
    report({
      name: "agents: 1,000 definitions, 40 of them bad",
      ours: `${ms(read.ms)}, ${read.mistakes} bad ones named`,
      target: "< 300 ms, every bad one named",
      met: read.ms < 300 && read.mistakes === 40,
    });
    const starts = [];
    for (let run = 0; run < runs; run++) starts.push(await firstRequestMs(root));
    report({
      name: "agents: reply with the call → the agent's first request",
      ours: `${ms(median(starts))}, the median of ${runs}`,
      target: "≤ 15 ms",
      met: median(starts) <= 15,
    });
    const keys = await keysWhileTenStream(root);
    report({
      name: `agents: ${keys.length} keys typed while ten agents stream`,
      ours: `${ms(median(keys))}, the median; ${ms(Math.max(...keys))}, the slowest`,
      target: "each shown within 50 ms",
      met: Math.max(...keys) <= 50,
    });
    const added = await memoryOfTen(root);
    report({ name: "agents: memory that ten at once add to a session", ours: mib(added), target: "≤ 25 MiB", met: added <= 25 });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
};

async function loading(root: string): Promise<{ ms: number; mistakes: number }> {
  const folder = join(root, "definitions");
  mkdirSync(folder);
  for (let n = 0; n < 1_000; n++) {
    const turns = n % 25 === 0 ? "many" : "20";
    const keys = `name: agent-${n}\ndescription: Looks after part ${n} of the program\ntools: Read, Grep, Bash(npm test)\nmaxTurns: ${turns}`;
    writeFileSync(join(folder, `${n}.md`), `---\n${keys}\n---\n${"Do what you are told, and say what you did.\n".repeat(20)}`);
  }
  const from = performance.now();
  const { mistakes } = await loadDefinitions(definitionFiles, { folders: [{ folder, scope: "user" }], trusted: true });
  return { ms: performance.now() - from, mistakes: mistakes.length };
}

/** A model takes at least this long before it calls; what its first call needs is loaded meanwhile. */
const thinkingMs = 500;

/** From the moment at which the reply with the call was sent completely to the agent's first request, as the server sees both. */
async function firstRequestMs(root: string): Promise<number> {
  let sent = 0;
  const session = await startSession(root, async (request, n) => {
    if (n > 0 || isAgent(request)) return text("done");
    await new Promise((resolve) => setTimeout(resolve, thinkingMs));
    sent = performance.now();
    return toolUse("Agent", { description: "look", prompt: "Look." });
  });
  await session.ended;
  const first = session.requests.find(isAgent);
  await session.close();
  return (first?.at ?? Number.NaN) - sent;
}

/** The difference between a session that waits for its model, and the same session with ten agents that wait for theirs. */
async function memoryOfTen(root: string): Promise<number> {
  const held: (() => void)[] = [];
  const hold = (answer: Answer) => new Promise<Answer>((resolve) => void held.push(() => resolve(answer)));
  const calls = Array.from({ length: 10 }, (_, n) =>
    toolUse("Agent", { description: "look", prompt: "Look.", name: `agent-${n}` }, `toolu_${n}`),
  );
  const session = await startSession(root, (request, n) => hold(n === 0 ? calls : text(isAgent(request) ? "done" : "all done")));
  const waiting = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // waits until lazily loaded modules are in memory
    return pssMiB(session.pid);
  };
  const before = await waiting(1);
  held[0]?.();
  const during = await waiting(11);
  const rest = setInterval(() => void held.splice(0).map((answer) => answer()), 20);
  await session.ended;
  clearInterval(rest);
  await session.close();
  return during - before;
}

const isAgent = ({ body }: RecordedRequest) => /^You are (?!tool,)/.test(body.system?.[0]?.text ?? "");

async function startSession(root: string, reply: (request: RecordedRequest, n: number) => Answer | Promise<Answer>) {
  const cwd = mkdtempSync(join(root, "repo-"));
  spawnSync("git", ["init", "--quiet", cwd]);
  const api = await startMessagesApi({ reply });
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: api.url };
  const child = spawn(process.execPath, [tool, "--print", "start an agent"], { cwd, env, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return { pid: child.pid ?? 0, requests: api.requests, ended, close: api.close };
}
