// What MCP servers cost: those that nobody calls, a call beside the library's own client, and many tools in the first request.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { spawn as spawnPty } from "@lydell/node-pty";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { estimateTokens } from "../../src/agent/requests/tokens.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { openLink } from "../../src/edge/mcp/open-link.ts";
import { catalogOf } from "../../src/mcp/catalog.ts";
import { type Connections, openConnections } from "../../src/mcp/connections.ts";
import { keptLists } from "../../src/mcp/lists.ts";
import type { Server } from "../../src/mcp/server.ts";
import { serverTools } from "../../src/mcp/server-tools.ts";
import { startMessagesApi, text } from "../messages-api.ts";
import { mib, pssMiB } from "./process-figures.ts";
import { median, ms, type Part } from "./row.ts";

const tool = resolve("bin/tool.js");
const pairs = 20;
const settleMs = 400;
const echo = [process.execPath, resolve("dist/test/hostile-server.js"), ""] as const;

/** Needs `npm run build`, and Linux for the memory. */
export const mcpBench: Part = async (report) => {
  const root = mkdtempSync(join(tmpdir(), "tool-bench-"));
  try {
    await unused(report, root);
    await calls(report, root);
    await manyTools(report, root);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
};

type Place = { cwd: string; env: Record<string, string>; configDir: string };

/** A home and a repository with these servers in the person's settings. */
function place(root: string, { name, mcpServers }: { name: string; mcpServers: Record<string, unknown> }): Place {
  const [cwd, home] = [join(root, name, "repo"), join(root, name, "home")];
  const configDir = join(home, ".tool");
  for (const folder of [cwd, configDir]) mkdirSync(folder, { recursive: true });
  spawnSync("git", ["init", "--quiet", cwd]);
  if (Object.keys(mcpServers).length > 0) writeFileSync(join(configDir, "settings.json"), JSON.stringify({ mcpServers }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color", ANTHROPIC_API_KEY: "bench" };
  return { cwd, env, configDir };
}

const unused: (...by: [...Parameters<Part>, root: string]) => Promise<void> = async (report, root) => {
  const mcpServers = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`server-${n}`, { command: "npx", args: ["-y", `server-${n}`], env: { LEVEL: "info" } }]),
  );
  const places = [place(root, { name: "with", mcpServers }), place(root, { name: "without", mcpServers: {} })] as const;
  const seen = { with: [] as Started[], without: [] as Started[] };
  for (let pair = -1; pair < pairs; pair++) {
    for (const at of pair % 2 === 0 ? [0, 1] : [1, 0]) {
      const started = await firstPrompt(places[at] as Place);
      if (pair >= 0) seen[at === 0 ? "with" : "without"].push(started); // the first of each fills caches
    }
  }
  const between = (of: (one: Started) => number) => median(seen.with.map((one, pair) => of(one) - of(seen.without[pair] as Started)));
  const middle = (of: (one: Started) => number) => median(seen.without.map(of));
  const [moreMs, moreMiB] = [between((one) => one.ms), between((one) => one.mib)];
  report({
    name: "mcp: processor time of a start with 20 servers that nobody calls, beyond none",
    ours: `${moreMs.toFixed(1)} ms, the median of ${pairs} pairs`,
    beside: ms(middle((one) => one.ms)),
    target: "≤ 3 ms",
    met: moreMs <= 3,
  });
  report({
    name: "mcp: Pss with 20 servers that nobody calls, beyond none",
    ours: `${moreMiB.toFixed(2)} MiB, the median of ${pairs} pairs`,
    beside: mib(middle((one) => one.mib)),
    target: "≤ 0.5 MiB",
    met: moreMiB <= 0.5,
  });
};

/** `ms`: of the processor, for all threads, until it waits for its user: other work on the machine is not in it. */
type Started = { ms: number; mib: number };

async function firstPrompt({ cwd, env }: Place): Promise<Started> {
  const pty = spawnPty(process.execPath, [tool], { name: "xterm-256color", cols: 100, rows: 30, cwd, env });
  const ended = new Promise<void>((done) => pty.onExit(() => done()));
  let output = "";
  await new Promise<void>((done) =>
    pty.onData((bytes) => {
      output += bytes;
      if (/> /.test(output)) done();
    }),
  );
  await pause(settleMs);
  const started = { ms: processorMs(pty.pid), mib: pssMiB(pty.pid) };
  pty.kill("SIGKILL");
  await ended;
  return started;
}

/** The first number of `schedstat` is in nanoseconds. */
function processorMs(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.reduce((sum, task) => sum + Number.parseInt(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8"), 10) / 1e6, 0);
}

const blocks = 20;
const callsOfEach = 100;

/** From the run of the tool to its result, for the model, beside the result that the library's client gives; rules and redaction are not in it. */
const calls: typeof unused = async (report, root) => {
  const [command, ...args] = echo;
  const server: Server = { kind: "stdio", command, args, env: {} };
  const connections = connectionsTo({ server, root });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args] }));
  const [direct] = serverTools({ connections: connections.all, budget: { tokens: 0, estimate: estimateTokens }, desk: undefined }).filter(
    ({ name }) => name === "McpCall",
  );
  const meant = direct?.forwards?.({ tool: "mcp__echo__ok" });
  const { signal } = new AbortController();
  const ways = {
    ours: async () => void (await meant?.tool.run(meant.input, { signal })),
    bare: async () => void (await client.callTool({ name: "ok", arguments: {} })),
  };
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let block = -1; block < blocks; block++) {
    for (const way of block % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const)) {
      const begin = performance.now();
      for (let one = 0; one < callsOfEach; one++) await ways[way]();
      if (block >= 0) times[way].push((performance.now() - begin) / callsOfEach);
    }
  }
  await Promise.all([connections.close(), client.close()]);
  const ratio = median(times.ours.map((time, block) => time / (times.bare[block] ?? Number.NaN)));
  report({
    name: "mcp: a call over stdio",
    ours: `${median(times.ours).toFixed(2)} ms`,
    beside: `${median(times.bare).toFixed(2)} ms of the library's own client`,
    ratio: `${ratio.toFixed(2)}, the median of ${blocks} pairs of ${callsOfEach}`,
    target: "≤ 1.5",
    met: ratio <= 1.5,
  });
};

function connectionsTo({ server, root }: { server: Server; root: string }): Connections {
  return openConnections({
    configured: [{ name: "echo", server, place: "user", file: "", line: 1, hides: [] }],
    open: openLink,
    lists: { read: () => undefined, keep: () => {} },
    variables: () => ({}),
    env: { PATH: process.env["PATH"] ?? "" },
    cwd: root,
    configDir: root,
    owner: "bench:mcp",
    startMs: 10_000,
    callMs: 60_000,
  });
}

/** In servers of ten tools, so that the budget is used up: one server with all of them would stand behind the search as a whole. */
const manyTools: typeof unused = async (report, root) => {
  const named = Array.from({ length: 30 }, (_, n) => `many-${n}`);
  const entry = (name: string): Server => ({ kind: "stdio", command: "false", args: [name], env: {} });
  const mcpServers = Object.fromEntries(named.map((name) => [name, { command: "false", args: [name] }]));
  const places = { with: place(root, { name: "many", mcpServers }), without: place(root, { name: "none", mcpServers: {} }) };
  const lists = keptLists(disk, places.with.configDir);
  for (const name of named)
    lists.keep(name, entry(name), catalogOf(name, { tools: tenTools(name), prompts: [], resources: [], templates: [] }));
  const api = await startMessagesApi({ reply: () => text("hi") });
  const tokens = async ({ cwd, env }: Place) => {
    const before = api.requests.length;
    const child = spawnPty(process.execPath, [tool, "--print", "hi"], { cwd, env: { ...env, ANTHROPIC_BASE_URL: api.url } });
    await new Promise<void>((done) => child.onExit(() => done()));
    const body = api.requests[before]?.body;
    return { all: estimateTokens(JSON.stringify(body)), standing: body?.tools?.filter(({ name }) => name.startsWith("mcp__")).length ?? 0 };
  };
  try {
    const [some, none] = [await tokens(places.with), await tokens(places.without)];
    report({
      name: "mcp: first request with 300 tools, beyond none",
      ours: `${some.all - none.all} tokens by our estimate, ${some.standing} tools stand in it`,
      beside: `${none.all} tokens`,
      target: "≤ 2,500 tokens",
      met: some.standing > 0 && some.all - none.all <= 2_500,
    });
  } finally {
    await api.close();
  }
};

const tenTools = (server: string) =>
  Array.from({ length: 10 }, (_, n) => ({
    name: `find_things_${n}`,
    description: `Finds things of ${server} by their name and kind, newest first, and returns at most a hundred of them.`,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "a part of the name" },
        kind: { type: "string", enum: ["open", "closed"], description: "its state" },
        limit: { type: "number" },
      },
      required: ["name"],
    },
  }));
