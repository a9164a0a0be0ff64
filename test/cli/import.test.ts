// `tool import`: what other agents keep, shown and taken over.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

const claude = {
  permissions: {
    allow: ["Bash(npm test)", "Frobnicate(x)", 7],
    deny: ["Read(.env)"],
    defaultMode: "bypassPermissions",
    additionalDirectories: ["/data"],
  },
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./check.sh" }] }],
    Elsewhere: [{ hooks: [] }],
  },
  env: { LEVEL: "info", ANTHROPIC_API_KEY: "k" },
  outputStyle: "x",
  model: "opus",
};

const variable = (name: string) => `$\{${name}}`;
const json = (value: unknown) => JSON.stringify(value);

it("shows what would be written, what means something else and what is left out; with --yes it writes that, once", async () => {
  const { tool, cwd, home } = commandLine({
    "~/.claude/settings.json": json(claude),
    "~/.cursor/mcp.json": json({
      mcpServers: { files: { command: "npx", args: ["files", variable("env:HOME")] }, "bad name": { command: "x" } },
    }),
    "~/.gemini/settings.json": json({ theme: "dark", mcpServers: { far: { httpUrl: "https://mcp.example.com/mcp", trust: true } } }),
    "~/.config/opencode/opencode.json": json({
      mcp: { db: { type: "local", command: ["db", "serve"], environment: { A: "b" }, enabled: false } },
    }),
    "~/.tool/settings.json": json({ env: { LEVEL: "debug" }, permissions: { allow: ["Read"] } }),
    "~/.codex/config.toml": "x = 1\n",
    ".vscode/mcp.json": json({ servers: { here: { command: "here" }, asks: { command: variable("input:key") } } }),
    ".cursorrules": "Be brief.\n",
  });
  const file = join(home, ".tool/settings.json");
  const before = readFileSync(file, "utf8");
  const shown = await tool("import");
  expect([shown.code, shown.err, readFileSync(file, "utf8")]).toEqual([0, "", before]);
  for (const part of [
    `To be written to ${file}:`,
    "+ permissions.allow  Bash(npm test)  (",
    "+ hooks.PreToolUse  ./check.sh  (",
    `+ mcpServers.files  npx files ${variable("HOME")}  (`,
    "+ mcpServers.far  https://mcp.example.com/mcp",
    "trust has no meaning here",
    'no tool is called "Frobnicate"',
    "7 is not a text",
    'defaultMode "bypassPermissions". A session without rules',
    "hook Elsewhere: all its entries. there is no event of that name here",
    "env ANTHROPIC_API_KEY. It is for that program alone",
    `env.LEVEL. ${file} has another value, which stays.`,
    'call it "bad_name"',
    "outputStyle. There is no setting for it",
    "theme. There is no setting for it",
    "server asks. It has a variable of an editor",
    "config.toml: all of it. It is no JSON.",
    ".cursorrules: all of it. Only AGENTS.md",
    "Nothing was written. To write it: tool import --yes",
  ])
    expect(shown.out).toContain(part);
  expect(JSON.parse((await tool("import", "--json")).out)).toMatchObject({
    written: false,
    files: [{ file }, { file: join(cwd, ".tool/settings.json") }],
  });

  expect((await tool("import", "--yes")).out).toContain(`Written to ${file}:`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    env: { LEVEL: "debug" },
    model: "opus",
    permissions: { allow: ["Read", "Bash(npm test)"], deny: ["Read(.env)"], additionalDirectories: ["/data"] },
    hooks: { PreToolUse: claude.hooks.PreToolUse },
    mcpServers: {
      files: { command: "npx", args: ["files", variable("HOME")] },
      far: { trust: true, type: "http", url: "https://mcp.example.com/mcp" },
      db: { command: "db", args: ["serve"], env: { A: "b" }, disabled: true },
    },
  });
  expect(JSON.parse(readFileSync(join(cwd, ".tool/settings.json"), "utf8"))).toEqual({ mcpServers: { here: { command: "here" } } });
  const again = JSON.parse((await tool("import", "--yes", "--json")).out) as { written: boolean; files: unknown[] };
  expect([again.written, again.files]).toEqual([false, []]);
});

it("says where there is nothing, and writes nothing into or from a file that is no JSON", async () => {
  const none = commandLine();
  expect((await none.tool("import", "--yes")).out).toBe(
    "Nothing of other agents is there to be taken over, or all of it is here already.\n",
  );
  expect(existsSync(join(none.home, ".tool"))).toBe(false);
  const broken = commandLine({ "~/.claude/settings.json": "{\n  // a comment\n}" });
  expect((await broken.tool("import", "--yes")).out).toContain("settings.json: the file. It is not JSON: line 2: ");
  const target = commandLine({
    "~/.claude/settings.json": json({ permissions: { allow: ["Read"] }, model: "opusplan" }),
    "~/.tool/settings.json": "[]",
  });
  const refused = await target.tool("import", "--yes");
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("it is not an object. Nothing was written.")]);
});
