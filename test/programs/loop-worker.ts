// One agent over a loopback Messages API until it has nothing more to call: as the product runs it, with permissions, transcript and the
// lines that a person sees, or as a bare loop that has only what a loop cannot do without. For test/bench/loop.ts.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { runTurns } from "../../src/agent/loop.ts";
import type { Message, ToolUseBlock } from "../../src/agent/model.ts";
import { toolSchemas } from "../../src/agent/request.ts";
import { createSession } from "../../src/agent/session.ts";
import { openTranscript } from "../../src/agent/transcript.ts";
import { anthropicModel } from "../../src/edge/anthropic.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk.ts";
import { files } from "../../src/edge/files.ts";
import { outputStore } from "../../src/edge/output-store.ts";
import { shell } from "../../src/edge/shell.ts";
import { commandEnvironment } from "../../src/permissions/environment.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { ignorePatterns } from "../../src/permissions/ignore-patterns.ts";
import { permit } from "../../src/permissions/permit.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { agentLines } from "../../src/screen/agent-lines.ts";
import { createStyle } from "../../src/screen/style.ts";
import { fileTools } from "../../src/tools/set.ts";

export type LoopOrder = { as: "product" | "bare"; url: string; folder: string; memoryAt: number[] };
/** Resident bytes after a collection, at the turns asked for. */
export type LoopReport = { rss: Record<number, number>; heap: Record<number, number> };

const order: LoopOrder = JSON.parse(process.argv[2] ?? "{}");
const report: LoopReport = { rss: {}, heap: {} };
const system = "You are ada, an agent that works on a repository.";
const style = createStyle({ LANG: "C.UTF-8" });
const go = "Look at everything.";
const { cwd, configDir } = { cwd: `${order.folder}/repo`, configDir: `${order.folder}/config` };

if (order.as === "product") await product();
else await bare();
writeFileSync(`${order.folder}/report.json`, JSON.stringify(report));

function note(turn: number): void {
  if (!order.memoryAt.includes(turn)) return;
  globalThis.gc?.();
  report.rss[turn] = process.memoryUsage.rss();
  report.heap[turn] = process.memoryUsage().heapUsed;
}

async function product(): Promise<void> {
  const real = files({ ignorePatterns, ripgrep: false });
  const made = await makePolicy({ cwd, home: order.folder, configDir, allow: ["Bash"] }, real.real);
  if (!made.ok) throw new Error(made.reason);
  const outputs = outputStore(`${configDir}/outputs`);
  const commands = shell({ cwd, env: commandEnvironment(process.env, "bench:ada") });
  mkdirSync(configDir, { recursive: true });
  const session = createSession({
    id: "bench",
    agent: "ada",
    cwd,
    version: "0",
    model: anthropicModel({ apiKey: "key", baseURL: order.url }),
    modelName: "claude-sonnet-5-5",
    system,
    tools: fileTools({ disk: guardDisk(real, made.policy), shell: commands, outputs }),
    permit: permit({ policy: made.policy, real: real.real, ask: undefined, onDenied: () => {} }),
    limits: {},
    clock,
    transcript: openTranscript(disk, `${configDir}/transcript.jsonl`),
    past: [],
    outputs,
  });
  let shown = 0;
  session.listen((event) => {
    shown += agentLines(event, style)?.length ?? 0;
    if (event.type === "request") note(event.turn);
  });
  session.say({ source: { kind: "user" }, text: go });
  const { ending } = await runTurns(session.agent, new AbortController().signal);
  if (ending.kind !== "done" || shown === 0) throw new Error(`The agent ended with ${JSON.stringify(ending)}`);
}

async function bare(): Promise<void> {
  const real = files({ ignorePatterns, ripgrep: false });
  const tools = toolSchemas(fileTools({ disk: real, shell: shell({ cwd, env: {} }) }));
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: go }] }];
  const ephemeral = { cache_control: { type: "ephemeral" as const } };
  for (let turn = 1; ; turn++) {
    note(turn);
    const body = {
      model: "claude-sonnet-5-5",
      max_tokens: 16_000,
      system: [{ type: "text", text: system, ...ephemeral }],
      tools,
      messages,
    };
    const response = await fetch(`${order.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer key", "anthropic-version": "2026-10-21" },
      body: JSON.stringify({ ...body, stream: true }),
    });
    const { text, calls } = parse(await response.text());
    messages.push({ role: "assistant", content: [...(text ? [{ type: "text" as const, text }] : []), ...calls] });
    if (calls.length === 0) return;
    const content = [];
    for (const call of calls) content.push({ type: "tool_result" as const, tool_use_id: call.id, content: await run(call) });
    messages.push({ role: "user", content });
  }
}

function parse(stream: string): { text: string; calls: ToolUseBlock[] } {
  let text = "";
  const calls: ToolUseBlock[] = [];
  let json = "";
  for (const line of stream.split("\n")) {
    if (!line.startsWith("data: ")) continue;
    const event = JSON.parse(line.slice(6));
    if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
      calls.push({ ...event.content_block });
      json = "";
    }
    if (event.type === "content_block_delta") {
      if (event.delta.type === "text_delta") text += event.delta.text;
      if (event.delta.type === "input_json_delta") json += event.delta.partial_json;
    }
    const call = calls.at(-1);
    if (event.type === "content_block_stop" && call && json) call.input = JSON.parse(json);
  }
  return { text, calls };
}

async function run({ name, input }: ToolUseBlock): Promise<string> {
  if (name === "Read") {
    const text = await readFile(`${cwd}/${(input as { path: string }).path}`, "utf8");
    return text
      .split("\n")
      .map((line, n) => `${n + 1}\t${line}`)
      .join("\n");
  }
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", (input as { command: string }).command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (bytes) => output.push(bytes));
    child.stderr.on("data", (bytes) => output.push(bytes));
    child.on("close", () => resolve(Buffer.concat(output).toString("utf8")));
  });
}
