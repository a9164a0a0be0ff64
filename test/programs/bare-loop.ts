// The smallest possible agent loop, over a loopback Messages API until the model makes no more calls: no permissions, no screen, no
// transcript. test/bench/loop.ts compares the program with it.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Message, ToolUseBlock } from "../../src/agent/ports/model.ts";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import { files } from "../../src/edge/disk/files.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { ignorePatterns } from "../../src/permissions/paths/ignore-patterns.ts";
import { fileTools } from "../../src/tools/set.ts";

export type BareOrder = { url: string; cwd: string };

const order: BareOrder = JSON.parse(process.argv[2] ?? "{}");
const { url, cwd } = order;
const system = "You are ada, an agent that works on a repository.";
const go = "Look at everything.";

await bare();

async function bare(): Promise<void> {
  const real = files({ ignorePatterns, ripgrep: false });
  const tools = toolSchemas(fileTools({ disk: real, shell: shell({ cwd, env: {} }) }));
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: go }] }];
  const ephemeral = { cache_control: { type: "ephemeral" as const } };
  for (;;) {
    const body = {
      model: "claude-sonnet-5-5",
      max_tokens: 16_000,
      system: [{ type: "text", text: system, ...ephemeral }],
      tools,
      messages,
    };
    const response = await fetch(`${url}/v1/messages`, {
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
