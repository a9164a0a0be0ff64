// MCP servers in real sessions: the registry's reference servers, called by a model, under the rules.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { call, firstThatDoesNotExtend, type Part, provider, toolResults } from "../cast.ts";
import { loginServer } from "../edge/mcp/authorization-server.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

const server = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

async function place(parts: Part, files: Record<string, unknown>) {
  const api = await provider({ tool: parts });
  const there = teamPlace();
  for (const [path, content] of Object.entries(files)) {
    const whole = path.startsWith("~/") ? join(there.configDir, path.slice(2)) : join(there.repository, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content));
  }
  const run = async (...args: string[]) => {
    const program = there.warm(args, { env: api.env });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { there, run, requests: () => api.requests("tool") };
}

type Sent = { body: { tools?: { name: string }[] } } | undefined;
const serverTools = (request: Sent) => (request?.body.tools ?? []).map(({ name }) => name).filter((name) => /^mcp__|^Mcp/.test(name));

const noServerLeft = (folder: string) =>
  readdirSync("/proc").every((pid) => {
    try {
      return (
        !/^\d+$/.test(pid) ||
        !readFileSync(`/proc/${pid}/environ`, "latin1").includes(`HOME=${folder}`) ||
        !readFileSync(`/proc/${pid}/environ`, "latin1").includes("/mcp-")
      );
    } catch {
      return true; // no process, or gone meanwhile
    }
  });

it("a session finds and calls the tools of a new server, and the next one has them in its first request; nothing is left running", async () => {
  const parts = [
    call("McpSearch", { query: "echo" }),
    call("McpCall", { tool: "mcp__every__echo", arguments: { message: "one" } }),
    call("McpCall", { tool: "mcp__every__get-tiny-image" }),
    text("Done."),
    call("mcp__every__echo", { message: "two" }),
    text("Done."),
  ];
  const settings = { mcpServers: { every: server("everything") }, mcp: { promptTokens: 20_000 }, permissions: { allow: ["mcp__every"] } };
  const { run, requests, there } = await place(parts, { "~/settings.json": settings });
  expect(await run("--print", "echo")).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  const first = requests();
  expect(first.map(serverTools)).toEqual(Array(4).fill(["McpSearch", "McpCall"]));
  expect(toolResults(first[1])[0]).toContain("mcp__every__echo: Echoes back the input string\ninput: ");
  expect(toolResults(first[2])).toEqual(['The server "every" answered:\nEcho: one']);
  expect(JSON.stringify(first[3]?.body.messages.at(-1))).toContain('"media_type":"image/png"');
  expect(firstThatDoesNotExtend(first)).toBeUndefined();
  await run("--print", "echo");
  const second = requests().slice(first.length);
  expect(serverTools(second[0])).toContain("mcp__every__echo");
  expect(serverTools(second[0])).not.toContain("McpCall");
  expect(toolResults(second[1])).toEqual(['The server "every" answered:\nEcho: two']);
  expect(noServerLeft(there.env["HOME"] ?? "")).toBe(true);
});

it("a call needs permission under the name that the server's tool has in rules, however it is called and whatever the server says of it", async () => {
  const parts = [
    call("McpCall", { tool: "mcp__files__list_allowed_directories" }),
    call("mcp__files__read_file", { path: "a" }),
    text("Done."),
  ];
  const settings = { mcpServers: { files: server("filesystem", ".") }, permissions: { deny: ["mcp__files__read_file"] } };
  const { run, requests } = await place(parts, { "~/settings.json": settings });
  const { code, stderr } = await run("--print", "list them");
  expect([code, stderr]).toEqual([3, expect.stringContaining("mcp__files__list_allowed_directories")]);
  expect(toolResults(requests()[1])).toEqual([
    "Permission denied: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow mcp__files__list_allowed_directories.",
  ]);
  expect(toolResults(requests()[2])).toEqual([expect.stringContaining('There is no tool "mcp__files__read_file".')]);
});

it("arguments and results lose their secrets, and a long result goes to a file", async () => {
  const token = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
  const files = {
    "a.txt": `key=${token}\n${"a line of text\n".repeat(10_000)}`,
    "~/settings.json": {
      mcpServers: { files: server("filesystem", "."), memory: server("memory") },
      permissions: { allow: ["mcp__files", "mcp__memory"] },
    },
  };
  const observation = { entityName: "key", contents: [token] };
  const parts = [
    call("McpCall", { tool: "mcp__files__read_text_file", arguments: { path: "a.txt" } }),
    call("McpCall", {
      tool: "mcp__memory__create_entities",
      arguments: { entities: [{ name: "key", entityType: "t", observations: observation.contents }] },
    }),
    call("McpCall", { tool: "mcp__memory__read_graph" }),
    text("Done."),
  ];
  const { run, requests, there } = await place(parts, files);
  const env = join(there.folder, "memory.jsonl");
  writeFileSync(
    join(there.configDir, "settings.json"),
    JSON.stringify({
      ...files["~/settings.json"],
      mcpServers: { files: server("filesystem", there.repository), memory: { ...server("memory"), env: { MEMORY_FILE_PATH: env } } },
    }),
  );
  expect((await run("--print", "read")).code).toBe(0);
  const [read] = toolResults(requests()[1]);
  expect([(read ?? "").length < 90_000, read?.includes("key=[secret:"), read?.includes("outputs")]).toEqual([true, true, true]);
  expect(readFileSync(env, "utf8")).not.toContain(token);
  expect(JSON.stringify(requests().map(({ body }) => body))).not.toContain(`"${token}`);
});

it("a person logs in at a remote server in a browser, calls its tools without a question for it, and logs out", async () => {
  const remote = await loginServer();
  const parts = [call("McpCall", { tool: "mcp__far__look" }), text("Done.")];
  const { run, there, requests } = await place(parts, {
    "~/settings.json": { mcpServers: { far: { url: remote.url } }, permissions: { allow: ["mcp__far"] } },
  });
  expect((await run("mcp", "test", "far")).stdout).toContain('The server "far" needs a login: tool mcp login far.');
  const login = there.warm(["mcp", "login", "far", "--no-browser"]);
  const address = await eventually(() => /^ {2}(http:\S+)$/m.exec(login.stdout())?.[1]);
  expect(await (await fetch(address)).text()).toBe("You are logged in. You can close this page.");
  expect([await login.ended, login.stderr()]).toEqual([{ code: 0 }, ""]);
  expect((await run("--print", "look")).stdout).toBe("Done.\n");
  expect(toolResults(requests()[1])).toEqual(['The server "far" answered:\nseen']);
  expect((await run("mcp", "logout", "far")).stdout).toBe('Logged out of "far".\n');
  expect((await run("mcp", "test", "far", "--json")).stdout).toContain('"reason":"needs a login: tool mcp login far"');
});
