// `tool import`: what other agents keep, shown and taken over.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
  env: { LEVEL: "info", ANTHROPIC_API_KEY: "k", CLAUDE_CODE_USE_BEDROCK: "1" },
  outputStyle: "x",
  model: "opus",
};

const codex = `
model = "gpt-5"
model_reasoning_effort = "high"
approval_policy = "never"
sandbox_mode = "workspace-write"

[sandbox_workspace_write]
network_access = true
writable_roots = ["/shared"]

[mcp_servers.docs]
command = "docs"
args = ["serve"]
env_vars = ["TOKEN"]
env = { LEVEL = "1" }
startup_timeout_sec = 20

[mcp_servers.remote]
url = "https://mcp.example.com/x"
bearer_token_env_var = "PAT"
http_headers = { "X-Team" = "a" }
env_http_headers = { "X-Key" = "KEY" }
`;

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
    "~/.codex/config.toml": codex,
    ".vscode/mcp.json": json({ servers: { here: { command: "here" }, asks: { command: variable("input:key") } } }),
    "~/.claude/skills/a/SKILL.md": "Do it.\n",
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
    "tool config set provider bedrock",
    ".claude/skills: all of it. To use them: cp -R",
    `+ mcpServers.docs  docs serve  env TOKEN=${variable("TOKEN")} LEVEL=1  (`,
    "server docs. startup_timeout_sec has no meaning here",
    `+ mcpServers.remote  https://mcp.example.com/x  headers X-Team=a X-Key=${variable("KEY")} Authorization=Bearer ${variable("PAT")}  (`,
    'sandbox_mode "workspace-write". In the mode acceptEdits files',
    "+ permissions.additionalDirectories  /shared  (",
    "sandbox_workspace_write.network_access. The network is asked for",
    'approval_policy "never". What no rule allows is asked for',
    "model. There is no setting for it",
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
    permissions: {
      allow: ["Read", "Bash(npm test)"],
      deny: ["Read(.env)"],
      additionalDirectories: ["/data", "/shared"],
      defaultMode: "acceptEdits",
    },
    effort: "high",
    hooks: { PreToolUse: claude.hooks.PreToolUse },
    mcpServers: {
      files: { command: "npx", args: ["files", variable("HOME")] },
      far: { trust: true, type: "http", url: "https://mcp.example.com/mcp" },
      db: { command: "db", args: ["serve"], env: { A: "b" }, disabled: true },
      docs: { command: "docs", args: ["serve"], startup_timeout_sec: 20, env: { TOKEN: variable("TOKEN"), LEVEL: "1" } },
      remote: {
        url: "https://mcp.example.com/x",
        headers: { "X-Team": "a", "X-Key": variable("KEY"), Authorization: `Bearer ${variable("PAT")}` },
      },
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
  const broken = commandLine({ "~/.claude/settings.json": '{\n  "model" "opus"\n}', "~/.codex/config.toml": "a = \n" });
  const { out } = await broken.tool("import", "--yes");
  expect(out).toContain("settings.json: the file. It is not JSON: line 2: colon expected.");
  expect(out).toContain("config.toml: the file. It is not TOML: ");
  const target = commandLine({
    "~/.claude/settings.json": json({ permissions: { allow: ["Read"] }, model: "opusplan" }),
    "~/.tool/settings.json": "[]",
  });
  const refused = await target.tool("import", "--yes");
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("it is not an object. Nothing was written.")]);
});

it("reads settings with comments and a comma at the end, as the other programs do", async () => {
  const { tool, cwd } = commandLine({
    ".vscode/mcp.json": '{\n  // ours\n  "servers": { "a": { "command": "https://x//y", }, },\n}',
    "opencode.jsonc": '{ /* and */ "mcp": { "b": { "type": "remote", "url": "https://b.example" } } }',
  });
  await tool("import", "--yes");
  expect(JSON.parse(readFileSync(join(cwd, ".tool/settings.json"), "utf8"))).toEqual({
    mcpServers: { a: { command: "https://x//y" }, b: { type: "http", url: "https://b.example" } },
  });
});

describe("texts of other agents", () => {
  const files = {
    "~/.claude/CLAUDE.md": "Be brief.\n@extra.md\n",
    "~/.codex/AGENTS.md": "Be brief.\r\n@extra.md\r\n",
    "~/.gemini/GEMINI.md": "Write tests.\n",
    "~/.claude/commands/git/ship.md": "Ship $ARGUMENTS.\n",
    "~/.claude/agents/tester.md": "---\nname: tester\ndescription: Tests.\n---\nTest.\n",
    "~/.codex/prompts/ship.md": "Ship $1 to $PLACE.\n",
    "~/.gemini/commands/plan.toml": 'description = "Plan: it"\nprompt = """\nPlan {{args}} for $1.\n!{git log -1}\n@{a.md}"""\n',
    "~/.gemini/commands/bad.toml": "prompt = \n",
    "CLAUDE.md": "Ours.\n",
    "GEMINI.md": "Ours.\n",
    ".cursorrules": "Use tabs.\n",
    ".cursor/rules/all.mdc": "---\ndescription: Style\nglobs:\nalwaysApply: true\n---\nNo semicolons.\n",
    ".cursor/rules/sub/api.mdc": "---\nglobs: src/**/*.ts,lib/**\nalwaysApply: false\n---\nReturn results.\n",
    ".github/instructions/docs.instructions.md": '---\napplyTo: "docs/**"\n---\nPlain English.\n',
    ".github/copilot-instructions.md": "Use tabs.\n",
  };

  it("become parts of the instructions that are read here, and commands and agents of their own; what is there stays", async () => {
    const { tool, cwd, home } = commandLine({ ...files, "~/.tool/commands/plan.md": "My plan.\n" });
    const shown = await tool("import");
    for (const part of [
      `To be written to ${home}/.tool/AGENTS.md:\n  + text  2 lines  (${home}/.claude/CLAUDE.md)\n  + text  1 line  (${home}/.gemini/GEMINI.md)`,
      ".claude/CLAUDE.md: its text. @extra.md is a line like any other",
      `To be written to ${cwd}/CLAUDE.md:`,
      ".codex/prompts/ship.md: its text. $PLACE is not filled in",
      `plan.toml: all of it. ${home}/.tool/commands/plan.md has another text, which stays.`,
      "bad.toml: all of it. It is not TOML",
      'api.mdc: its text. It is read in every session, and begins with "For files that match src/**/*.ts,lib/**:".',
    ])
      expect(shown.out).toContain(part);
    expect(existsSync(join(home, ".tool/AGENTS.md"))).toBe(false);
    await tool("import", "--yes");
    const written = (path: string) => readFileSync(path, "utf8");
    expect(written(join(home, ".tool/AGENTS.md"))).toBe("Be brief.\n@extra.md\n\nWrite tests.\n");
    expect(written(join(home, ".tool/commands/git/ship.md"))).toBe("Ship $ARGUMENTS.\n");
    expect(written(join(home, ".tool/commands/ship.md"))).toBe("Ship $1 to $PLACE.\n");
    expect(written(join(home, ".tool/commands/plan.md"))).toBe("My plan.\n");
    expect(written(join(home, ".tool/agents/tester.md"))).toBe(files["~/.claude/agents/tester.md"]);
    expect(written(join(cwd, "CLAUDE.md"))).toBe(
      "Ours.\n\nUse tabs.\n\nFor files that match docs/**:\n\nPlain English.\n\nNo semicolons.\n\nFor files that match src/**/*.ts,lib/**:\n\nReturn results.\n",
    );
    expect(existsSync(join(cwd, "AGENTS.md"))).toBe(false);
    expect(JSON.parse((await tool("import", "--yes", "--json")).out)).toMatchObject({ written: false, files: [] });
  });

  it("of a command in TOML keep what is filled in, and a dollar sign is none", async () => {
    const { tool, home } = commandLine(files);
    await tool("import", "--yes");
    expect(readFileSync(join(home, ".tool/commands/plan.md"), "utf8")).toBe(
      '---\ndescription: "Plan: it"\n---\nPlan $ARGUMENTS for \\$1.\n!`git log -1`\n@{a.md}\n',
    );
    expect((await tool("skills", "list")).out).toContain("plan");
  });
});
