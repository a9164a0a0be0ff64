// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of entries
// `tool mcp` changes one entry, shows where each server comes from, and starts one to look at it.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { loginServer } from "../edge/mcp/authorization-server.ts";
import { commandLine } from "./command-line.ts";

const memoryServer = resolve("node_modules/@modelcontextprotocol/server-memory/dist/index.js");
const json = ({ out }: { out: string }) => JSON.parse(out) as Record<string, unknown>;

describe("tool mcp", () => {
  it("shows in JSON what a server is, where its entry stands, and what it offered when it was last started", async () => {
    const { tool, home } = commandLine();
    const file = join(home, ".tool/settings.json");
    const command = [process.execPath, memoryServer];
    const checked = await tool("mcp", "add", "memory", "--json", "--", ...command);
    expect(json(checked)).toEqual({ ok: true, server: "memory", file, checked: { tools: 9 } });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await tool("mcp", "add", "far", "--no-check", "--url", "http://127.0.0.1:9/mcp", "--header", "X-Team: ${TEAM}")).toMatchObject({
      code: 0,
      out: `Added the server "far" to ${file}.\n`,
    });
    const memory = { name: "memory", state: "ready", kind: "stdio", command, scope: "user", file, line: 2, hides: [], tools: 9 };
    const far = { name: "far", state: "ready", kind: "http", url: "http://127.0.0.1:9/mcp", scope: "user", file, hides: [], tools: null };
    expect(json(await tool("mcp", "list", "--json"))).toEqual({
      ok: true,
      servers: [memory, { ...far, line: expect.any(Number) }],
      problems: [],
      warnings: [],
    });
    expect(json(await tool("mcp", "get", "memory", "--json"))).toEqual({
      ok: true,
      server: {
        ...memory,
        entry: { kind: "stdio", command: command[0], args: [memoryServer], env: {} },
        catalog: expect.objectContaining({ prompts: [], leftOut: [] }),
      },
    });
    const tested = json(await tool("mcp", "test", "memory", "--json"));
    expect([tested["ok"], (tested["tools"] as string[]).includes("mcp__memory__read_graph")]).toEqual([true, true]);
    expect(await tool("mcp", "test", "far", "--json")).toMatchObject({ code: 1, out: expect.stringContaining("TEAM is not set") });
    expect(json(await tool("mcp", "remove", "far", "--json"))).toEqual({ ok: true, server: "far", files: [file] });
    expect(await tool("mcp", "remove", "far", "--json")).toMatchObject({ code: 2, out: '{"ok":false,"server":"far","files":[]}\n' });
    expect(Object.keys((JSON.parse(readFileSync(file, "utf8")) as { mcpServers: object }).mcpServers)).toEqual(["memory"]);
  });

  it("takes the command lines of other programs, and keeps each entry in the file of its scope", async () => {
    const { tool, home, cwd } = commandLine();
    const add = async (command: string, ...words: string[]) => (await tool("mcp", command, "--no-check", ...words)).code;
    const codes = [
      await add("add", "-s", "user", "-e", "A=1", "-e", "B=2", "one", "--", "npx", "-y", "x"),
      await add("add", "-t", "http", "two", "http://127.0.0.1:9/mcp", "-H", "X-Team: ${TEAM}"),
      await add("add", "three", "http://127.0.0.1:9/mcp", "--scope", "project"),
      await add("add-json", "four", '{ "type": "stdio", "command": "npx", "args": ["-y", "x"] }', "-s", "local"),
      await add("add", "--transport", "stdio", "-e", "A=1", "five", "npx", "http://127.0.0.1:9"),
    ];
    expect(codes).toEqual([0, 0, 0, 0, 0]);
    const servers = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as { mcpServers: object }).mcpServers;
    const url = "http://127.0.0.1:9/mcp";
    expect([join(home, ".tool/settings.json"), join(cwd, ".mcp.json"), join(cwd, ".tool/settings.local.json")].map(servers)).toEqual([
      {
        one: { command: "npx", args: ["-y", "x"], env: { A: "1", B: "2" } },
        two: { type: "http", url, headers: { "X-Team": "${TEAM}" } },
        five: { command: "npx", args: ["http://127.0.0.1:9"], env: { A: "1" } },
      },
      { three: { type: "http", url } },
      { four: { type: "stdio", command: "npx", args: ["-y", "x"] } },
    ]);
    expect((await tool("mcp", "remove", "-s", "local", "four")).code).toBe(0);
    expect(existsSync(join(cwd, ".tool/settings.local.json"))).toBe(false);
  });

  it("adds a server that does not start, and says so with exit code 1", async () => {
    const { tool, home } = commandLine();
    const file = join(home, ".tool/settings.json");
    const { code, out, err } = await tool("mcp", "add", "gone", "--", "/nowhere/server");
    expect([code, out, err]).toEqual([
      1,
      expect.stringMatching(/^Added the server "gone" to .*\n.*The server "gone" .*\/nowhere\/server/),
      'tool: The server "gone" is added, but it could not be started. To try again: tool mcp test gone; to remove it: tool mcp remove gone\n',
    ]);
    expect(readFileSync(file, "utf8")).toContain("/nowhere/server");
    const again = await tool("mcp", "add", "gone", "--json", "--", "/nowhere/server");
    const checked = { reason: expect.stringContaining("/nowhere/server"), needs_login: false };
    expect([again.code, json(again)]).toEqual([1, { ok: false, server: "gone", file, checked }]);
    expect((await tool("mcp", "add", "gone", "--no-check", "--", "/nowhere/server")).code).toBe(0);
  });

  it("counts a server as added that only needs a login", async () => {
    const { url } = await loginServer();
    const { tool, home } = commandLine();
    const { code, out, err } = await tool("mcp", "add", "far", "--url", url);
    expect([code, out, err]).toEqual([0, expect.stringContaining('The server "far" needs a login: tool mcp login far.'), ""]);
    const again = await tool("mcp", "add", "far", "--json", "--url", url);
    expect([again.code, json(again)]).toEqual([
      0,
      {
        ok: true,
        server: "far",
        file: join(home, ".tool/settings.json"),
        checked: { reason: "needs a login: tool mcp login far", needs_login: true },
      },
    ]);
  });

  it("says what may help against a first start that takes too long", async () => {
    const { tool } = commandLine({
      "~/.tool/settings.json": JSON.stringify({ mcpServers: { slow: { command: "sleep", args: ["60"] } }, mcp: { startSeconds: 1 } }),
    });
    expect((await tool("mcp", "test", "slow")).out).toContain(
      'The server "slow" did not start within 1 s. If it is fetched at its first start, try again: tool mcp test slow. The limit is mcp.startSeconds',
    );
  });

  it("shows nothing in its list that may be a secret", async () => {
    const args = ["-y", "x", "--api-key", "abcdefgh12", "https://a.example/?token=abcdefgh12", "--port=1"];
    const { tool } = commandLine({
      "~/.tool/settings.json": JSON.stringify({
        mcpServers: {
          program: { command: "npx", args },
          address: { url: "https://ann:secret12@a.example/mcp?key=abcdefgh12&team=a", headers: { "X-Key": "abcdefgh12" } },
        },
      }),
    });
    const { out } = await tool("mcp", "list");
    expect(out).toContain("npx -y x --api-key … … --port=1");
    expect(out).toContain("https://a.example/mcp?key=…&team=…  headers X-Key");
    expect(out).not.toMatch(/^(?!.*secret in clear).*(?:abcdefgh12|secret12)/m);
  });

  it("starts no server of a repository that is not trusted, and names its file and line", async () => {
    const { tool, cwd } = commandLine({ ".mcp.json": JSON.stringify({ mcpServers: { own: { command: "touch", args: ["made"] } } }) });
    const { code, err } = await tool("mcp", "test", "own");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`cannot start the server "own" of ${cwd}/.mcp.json:1: it waits until you trust`),
    ]);
    expect(existsSync(join(cwd, "made"))).toBe(false);
    expect((await tool("mcp", "list")).out).toContain("waits for trust");
  });

  it.each([
    [["add", "a__b", "--", "x"], 'a server\'s name has letters, digits, "-" and single "_"'],
    [["add", "a"], "a server is either a program, after --, or an address, with --url."],
    [["add", "a", "--url", "http://x", "--env", "A=b"], "--env is for a program"],
    [["add", "a", "--header", "A: b", "--", "x"], "--header is for a remote server"],
    [["add", "a", "--transport", "sse", "http://x"], '"sse" is a transport that servers no longer use'],
    [["add", "a", "-t", "http", "x", "y"], "a server is either a program"],
    [["add", "a", "-t", "stdio", "--url", "http://x"], "a server is either a program"],
    [["add", "a", "-t", "pipe", "x"], 'and not "pipe"'],
    [["add", "a", "--url", "localhost/mcp"], 'cannot add the server "a": "url" is no address for http or https: "localhost/mcp".'],
    [["add-json", "a", '{"url":"ftp://x"}'], '"url" is no address for http or https: "ftp://x"'],
    [["add-json", "a", "{"], "the entry is not JSON: line 1"],
    [["add-json", "a", "[]"], 'cannot add the server "a": it must be an object'],
    [["add", "a", "--env", "A", "--", "x"], '"A" does not have the form NAME=value.'],
    [["get", "a"], 'there is no server "a". There are none here.'],
    [["login", "a"], 'there is no server "a".'],
  ])("refuses %j and changes nothing", async (words, reason) => {
    const { tool, home } = commandLine();
    const { code, err } = await tool("mcp", ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
    expect(existsSync(join(home, ".tool/settings.json"))).toBe(false);
  });
});
