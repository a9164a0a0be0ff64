// A batch beside the same work in a script: for each unit a worktree, `tool --print`, its tests, a commit, a push and a pull request.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { estimateTokens } from "../../src/agent/requests/tokens.ts";
import { unitPrompt } from "../../src/batch/prompt.ts";
import { loopbackForge } from "../../src/edge/forge/loopback-forge.ts";
import { batchFixture, made } from "../batch/fixture.ts";
import { mib, pssMiB } from "./process-figures.ts";
import { type Part, quantile } from "./row.ts";

const tool = resolve("bin/tool.js");
const exec = promisify(execFile);
const atOnce = 2;
/** `BENCH_UNITS=6` runs a small batch. */
const count = Number(process.env["BENCH_UNITS"] ?? 30);

/** Needs `npm run build`. */
export const batchBench: Part = async (report) => {
  const ours = await inPlace(batchOf);
  const byHand = await inPlace(scriptOf);
  const ratio = ours.ms / byHand.ms;
  report({
    name: `batch: ${count} units, ${atOnce} at once, time for each unit`,
    ours: `${Math.round(ours.ms / count)} ms, ${ours.done} pull requests`,
    beside: `${Math.round(byHand.ms / count)} ms for the same git commands, tool --print and tests by hand`,
    ratio: ratio.toFixed(2),
    target: "≤ 1.5",
    met: ratio <= 1.5 && ours.done === count,
  });
  const highest = quantile(ours.pss, 1);
  report({
    name: "batch: memory of a running unit, Pss",
    ours: `${mib(highest)} at most, median ${mib(quantile(ours.pss, 0.5))}`,
    target: "≤ 60 MiB",
    met: highest <= 60,
  });
  const tokens = Math.ceil(estimateTokens(ours.report) / count);
  report({
    name: "batch: what its report adds to the conversation, for each unit",
    ours: `about ${tokens} tokens`,
    target: "≤ 200",
    met: tokens <= 200,
  });
};

type Setup = Awaited<ReturnType<typeof setUp>>;

async function inPlace<T>(work: (setup: Setup) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  const setup = await setUp(folder);
  try {
    return await work(setup);
  } finally {
    await setup.server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function setUp(folder: string) {
  const repository = join(folder, "repo");
  for (const name of ["repo", "home"]) mkdirSync(join(folder, name));
  await exec("git", ["init", "--quiet", repository]);
  const ids = Array.from({ length: count }, (_, index) => `u${index + 1}`);
  const units = ids.map((id) => made(id));
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), TOOL_CONFIG_DIR: join(folder, "config") };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  const fixture = batchFixture({ folder, repository, env, write }, units);
  const token = "bench";
  const server = await loopbackForge({ owner: "acme", repository: "app", folder: fixture.remote, token });
  fixture.git("remote", "set-url", "origin", server.remote);
  return { folder, repository, units, fixture, server, token, env: { ...env, GITHUB_API_URL: server.api, GH_TOKEN: token } };
}

async function batchOf({ repository, fixture, server, env }: Setup) {
  const args = ["batch", "--plan", fixture.plan, "--yes", "--concurrency", String(atOnce), "--script", fixture.script];
  const pss: number[] = [];
  const from = performance.now();
  const child = spawn(process.execPath, [tool, ...args, "--allow", "Bash(node --test:*)"], { cwd: repository, env });
  const sampling = setInterval(() => pss.push(...unitsOf(child.pid ?? 0).flatMap(pssNow)), 200);
  let report = "";
  child.stdout.on("data", (bytes: Buffer) => {
    report += bytes.toString("utf8");
  });
  child.stderr.resume();
  await new Promise((ended) => child.once("close", ended));
  clearInterval(sampling);
  return { ms: performance.now() - from, pss, report, done: server.pulls().length };
}

/** The processes of the units, which are children of the batch's process. */
function unitsOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        new RegExp(`^PPid:\\t${parent}$`, "m").test(textOf(`/proc/${pid}/status`)) && textOf(`/proc/${pid}/cmdline`).includes("unit"),
    )
    .map(Number);
}

function pssNow(pid: number): number[] {
  try {
    return [pssMiB(pid)];
  } catch {
    return []; // it has just ended
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has just ended
  }
}

/** The same commands with the same parallelism, as a person would write them in a script. */
async function scriptOf({ folder, repository, units, fixture, server, token, env }: Setup): Promise<{ ms: number }> {
  const from = performance.now();
  const left = [...units];
  let adding: Promise<unknown> = Promise.resolve(); // git adds one worktree at a time
  const work = async () => {
    for (let unit = left.shift(); unit; unit = left.shift()) {
      const { id } = unit;
      const worktree = join(folder, "trees", id);
      const git = (...args: string[]) => exec("git", args, { cwd: worktree, env });
      const add = adding.then(() => exec("git", ["worktree", "add", "--quiet", "-b", `by-hand/${id}`, worktree], { cwd: repository, env }));
      adding = add;
      await add;
      const print = ["--print", "--permission-mode", "acceptEdits", "--script", fixture.script, unitPrompt(unit, [])];
      await exec(process.execPath, [tool, ...print], { cwd: worktree, env });
      await exec(process.execPath, ["--test", `test/${id}.test.js`], { cwd: worktree, env });
      await git("add", "--all");
      await git("commit", "--quiet", "--message", unit.title);
      const login = `http.extraHeader=Authorization: Basic ${Buffer.from(`x:${token}`).toString("base64")}`;
      await git("-c", login, "push", "--quiet", "origin", `by-hand/${id}`);
      const body = JSON.stringify({ title: unit.title, head: `by-hand/${id}`, base: "main", body: "" });
      const answer = await fetch(`${server.api}/repos/acme/app/pulls`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body,
      });
      if (answer.status !== 201) throw new Error(`The pull request of ${id} was answered with ${answer.status}`);
      await exec("git", ["worktree", "remove", worktree], { cwd: repository, env });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { ms: performance.now() - from };
}
