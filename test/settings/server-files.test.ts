// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of entries
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { loadSettings } from "../../src/settings/files.ts";
import { scratchFolder } from "../scratch.ts";

function place(files: Record<string, unknown>, flags = {}) {
  const folder = scratchFolder();
  mkdirSync(join(folder, "repo/.git"), { recursive: true });
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), typeof value === "string" ? value : JSON.stringify(value, null, 2).replaceAll("FOLDER", folder));
  }
  const places = {
    cwd: join(folder, "repo"),
    home: join(folder, "home"),
    configDir: join(folder, "home/.tool"),
    managed: [join(folder, "managed.json")],
  };
  const loaded = loadSettings(disk, places, flags);
  if (!loaded.ok) throw new Error(loaded.reason);
  const { servers, waiting, problems, warnings } = loaded.servers;
  const shown = (text: string) => text.replaceAll(folder, "");
  const named = (list: typeof servers) =>
    list.map(({ name, file, line, hides }) => [name, `${shown(file)}:${line}`, ...hides.map((one) => `${shown(one.file)}:${one.line}`)]);
  const held = loaded.effective.held.map(({ kind, what, file = "" }) => `${kind}: ${shown(what)} ${shown(file)}`.trim());
  return { servers: named(servers), waiting: named(waiting), problems: problems.map(shown), warnings: warnings.map(shown), held, loaded };
}

const server = (command: string) => ({ mcpServers: { same: { command } } });

describe("servers of a folder", () => {
  it("with one name: the managed one counts, then the person's, and a repository's never takes their place", () => {
    const files = {
      "managed.json": server("managed"),
      "home/.tool/settings.json": server("user"),
      "home/.claude.json": { ...server("claude"), projects: { "FOLDER/repo": server("claude here") } },
      "repo/.tool/settings.local.json": server("local"),
      "repo/.tool/settings.json": server("project"),
      "repo/.mcp.json": server("shared"),
    };
    const all = [
      "/managed.json:3",
      "/home/.tool/settings.json:3",
      "/home/.claude.json:10",
      "/home/.claude.json:3",
      "/repo/.tool/settings.local.json:3",
      "/repo/.tool/settings.json:3",
      "/repo/.mcp.json:3",
    ];
    expect(place(files, { trust: true }).servers).toEqual([["same", ...all]]);
    const { "managed.json": _one, "home/.tool/settings.json": _two, "home/.claude.json": _three, ...repositorys } = files;
    expect(place(repositorys).waiting).toEqual([["same", ...all.slice(4)]]);
  });

  it("of a repository wait for trust, which shows all that they run and call", () => {
    const mcpServers = {
      run: { command: "sh", args: ["-c", "touch /tmp/owned; true"], env: { KEY: "${KEY}" } },
      call: { url: "https://a.example.com/mcp?x=1", headers: { "X-Key": "${KEY:-none}" } },
    };
    const { servers, waiting, held } = place({ "repo/.mcp.json": { mcpServers } });
    expect([servers, waiting.map(([name]) => name)]).toEqual([[], ["run", "call"]]);
    expect(held).toEqual([
      "server: run: sh -c 'touch /tmp/owned; true'  env KEY=${KEY} /repo/.mcp.json",
      "server: call: https://a.example.com/mcp?x=1  headers X-Key=${KEY:-none} /repo/.mcp.json",
    ]);
    expect(place({ "repo/.mcp.json": { mcpServers } }, { trust: true }).servers.map(([name]) => name)).toEqual(["run", "call"]);
  });

  it("with mistakes are named with file and line, and the others are used", () => {
    const text = `{
  "mcpServers": {
    "a__b": { "command": "x" },
    "old": {
      "type": "sse",
      "url": "https://a"
    },
    "both": { "command": "x", "url": "y" },
    "args": {
      "command": "x",
      "args": "-y"
    },
    "good": { "command": "x", "autoApprove": ["*"] }
  }
}`;
    const { servers, problems, warnings } = place({ "repo/.mcp.json": text }, { trust: true });
    expect(servers.map(([name]) => name)).toEqual(["good"]);
    expect(problems).toEqual([
      'Cannot use the server "a__b" of /repo/.mcp.json:3: a server\'s name has letters, digits, "-" and single "_", at most 32: call it "a_b".',
      'Cannot use the server "old" of /repo/.mcp.json:5: "sse" is a transport that servers no longer use: write "type": "http" with the address for streamable HTTP.',
      'Cannot use the server "both" of /repo/.mcp.json:8: it has both "command" and "url": a server is one of them.',
      'Cannot use the server "args" of /repo/.mcp.json:11: "args" must be a list.',
    ]);
    expect(warnings).toEqual(['/repo/.mcp.json:13: "autoApprove" of the server "good" has no effect here.']);
  });

  it.each([
    ["[", "Cannot use the servers of /repo/.mcp.json:1: it is not JSON: expected a value but found the end of the file."],
    ["[]", 'Cannot use the servers of /repo/.mcp.json:1: "the whole" must be an object.'],
    [
      '{ "mcpServers": {\n  "a": { "command": "x" },\n} }',
      'Cannot use the servers of /repo/.mcp.json:2: it is not JSON: it has a comma before "}", and JSON has none there. Remove it.',
    ],
    [
      '{\n  "servers": { "a": { "command": "x" } }\n}',
      'Cannot use the servers of /repo/.mcp.json:2: they stand in "mcpServers", and it has "servers" instead.',
    ],
    [
      '{ "mcpServers": {\n  "a": { "command": "x" },\n  "a": { "command": "y" }\n} }',
      '/repo/.mcp.json:3: "mcpServers.a" stands there twice, and the last one counts.',
    ],
    ['{\n  "mcpServers": []\n}', 'Cannot use the servers of /repo/.mcp.json:2: "mcpServers" must be an object.'],
  ])("in a file that is %s are not used, and the session begins", (text, problem) => {
    expect(place({ "repo/.mcp.json": text }).problems).toEqual([problem]);
  });

  it("with secrets in clear are warned of, where they stand", () => {
    const mcpServers = {
      a: {
        command: "x",
        args: ["--token=abcdefgh12", "--port=8080"],
        env: { API_KEY: "abcdefgh12", LEVEL: "debugging", REF: "${API_KEY}" },
      },
      b: { url: "https://a", headers: { Authorization: "Bearer abcdefgh", Accept: "text/event-stream" } },
      c: { command: "npx", args: ["--api-key", "abcdefgh12", "--header", "Authorization: Bearer abcdefgh", "--api-key", "--verbose"] },
      d: { url: "https://a/mcp?api_key=abcdefgh12&from=somewhere" },
      e: { url: "https://ann:abcdefgh12@a/mcp" },
      f: { command: "npx", args: ["--token", "${TOKEN}", "https://a/mcp?team=someteam", "Note: something"] },
    };
    const said = (name: string, line: number, where: string) =>
      `/home/.tool/settings.json:${line}: the server "${name}" has what looks like a secret in clear, in ${where}. Write \${NAME} there, and set that variable.`;
    const { warnings } = place({ "home/.tool/settings.json": { mcpServers } });
    expect(warnings).toEqual([
      said("a", 10, "env.API_KEY"),
      said("a", 6, "args.0"),
      said("b", 18, "headers.Authorization"),
      said("c", 26, "args.1"),
      said("c", 28, "args.3"),
      said("d", 34, "url"),
      said("e", 37, "url"),
    ]);
  });
});
