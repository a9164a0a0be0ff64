// What `tool watch` costs while nothing moves: processor time over half a minute, with sessions that are open and teams that have ended.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { processes } from "../../src/edge/processes/processes.ts";
import { processorMs } from "./process-figures.ts";
import { ms, type Part } from "./row.ts";
import { openTypist } from "./typed-keys.ts";

const sessions = 5;
const watchedMs = 30_000;
/** One hundredth of one core. */
const targetMs = 300;

/** Needs `npm run build`. */
export const watchBench: Part = async (report) => {
  const root = mkdtempSync(join(tmpdir(), "tool-bench-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    TOOL_CONFIG_DIR: join(root, "config"),
  };
  for (let at = 0; at < sessions; at++) openSession(env.TOOL_CONFIG_DIR, at);
  const typist = openTypist([resolve("bin/tool.js"), "watch"], { cwd: root, env });
  try {
    await typist.shown(`session session${sessions - 1}`);
    await pause(3_000); // what a start leaves to do
    const before = processorMs(typist.pid);
    await pause(watchedMs);
    const took = processorMs(typist.pid) - before;
    report({
      name: `watch: ${sessions} sessions that wait, half a minute in which nothing happens`,
      ours: `${ms(took)} of processor time`,
      target: `≤ ${targetMs} ms`,
      met: took <= targetMs,
    });
  } finally {
    await typist.end();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** Of this process, which lives long enough. */
function openSession(configDir: string, at: number): void {
  const { pid, start } = processes().self();
  const id = `session${at}-0000`;
  const transcript = join(configDir, `projects/x/${id}.jsonl`);
  for (const folder of [join(configDir, "running"), join(configDir, `projects/x/${id}`)]) mkdirSync(folder, { recursive: true });
  writeFileSync(transcript, "");
  const figures = { turns: 1, tokens: 10, cached_tokens: 0, context_tokens: 10, window_tokens: 200_000, cost_usd: 0 };
  const doing = { state: "idle", doing: "", what: "Wait", since: new Date().toISOString(), task: null };
  const status = { name: "tool", pid, start, nonce: id, session: id, cwd: configDir, kind: "attended", transcript, ...doing, ...figures };
  writeFileSync(join(configDir, `running/${id}.json`), JSON.stringify(status));
}
