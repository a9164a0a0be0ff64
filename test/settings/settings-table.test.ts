// The table of settings: what it says of each is what the code does, and what the page says.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mergeSettings } from "../../src/settings/scopes.ts";
import { configuredServers } from "../../src/settings/server-files.ts";
import type { Setting } from "../../src/settings/setting-meaning.ts";
import { allSettings, readSettings, type Settings } from "../../src/settings/settings.ts";

/** For each setting a value that asks for more, and one that only restricts where there is one. */
const values: Record<string, { more?: unknown; less?: unknown }> = {
  model: { more: "opus" },
  effort: { more: "high" },
  fallbackModel: { more: "haiku" },
  provider: { more: "bedrock" },
  modelIds: { more: { "claude-sonnet-5-5": "local" } },
  apiBaseUrl: { more: "https://example.org" },
  apiKeyHelper: { more: "key" },
  script: { more: "s.yaml" },
  "permissions.allow": { more: ["Bash(x)"] },
  "permissions.ask": { less: ["Bash(x)"] },
  "permissions.deny": { less: ["Bash(x)"] },
  "permissions.defaultMode": { more: "acceptEdits", less: "plan" },
  "permissions.additionalDirectories": { more: ["../x"] },
  "sandbox.enabled": { less: true },
  "sandbox.network": { less: false },
  "sandbox.required": { more: true },
  "sandbox.unixSockets": { less: "none" },
  "sandbox.autoAllow": { less: false },
  secrets: { more: "off", less: "redact" },
  env: { more: { CI: "1" } },
  keepEnvironment: { more: ["NPM_TOKEN"] },
  hooks: { more: { Stop: [{ hooks: [{ type: "command", command: "x" }] }] } },
  display: { more: "tmux" },
  displays: { more: { kitty: { open: "o", state: "s", close: "c" } } },
  members: { more: { codex: { command: ["codex"], env: [] } } },
  places: { more: { gpu: { command: ["ssh", "gpu1"], folder: "/scratch/me" } } },
  outputLines: { more: 3 },
  notify: { more: "off" },
  notifyCommand: { more: ["notify-send"] },
  forges: { more: { "git.example.org": "gitlab" } },
  "pullRequests.draft": { more: true },
  "pullRequests.labels": { more: ["batch"] },
  "skills.promptBytes": { more: 900 },
  "agents.depth": { less: 1 },
  "agents.atOnce": { less: 1 },
  "agents.reportTokens": { less: 100 },
  "agents.wallClockMinutes": { less: 1 },
  "agents.noProgressMinutes": { less: 1 },
  "agents.promptBytes": { less: 200 },
  "agents.coordinatorModel": { more: "opus" },
  "agents.workerModel": { more: "opus" },
  "team.hungAfterMinutes": { more: 20 },
  "worktrees.ignoredFiles": { more: "link" },
  mcpServers: { more: { x: { command: "x" } } },
  "mcp.startSeconds": { more: 20 },
  "mcp.callSeconds": { more: 90 },
  "mcp.promptTokens": { more: 4_000 },
  theme: { more: "dark" },
  statusCommand: { more: "x" },
  statusLine: { more: ["cost"] },
};

/** Whether a project that says this is held back, and whether trust lifts that. */
function power(name: string, value: unknown): "at once" | "once trusted" | "never" {
  const settings = name.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Settings;
  expect(readSettings(settings)).toMatchObject({ ok: true });
  const files = [{ scope: "project" as const, file: "/r/.tool/settings.json", folder: "/r", settings }];
  const servers = configuredServers({ read: () => undefined, size: () => undefined }, { root: "/r", home: "/h", files, trusted: false });
  const [held] = [...mergeSettings(files, { trusted: false, home: "/h" }).held, ...servers.held];
  return held === undefined ? "at once" : held.neverGranted ? "never" : "once trusted";
}

describe("the table of settings", () => {
  it("has every setting once", () => {
    expect(allSettings().map(({ name }) => name)).toEqual(Object.keys(values));
  });

  it.each(allSettings())("says what a repository may do with $name", ({ name, repository }) => {
    const { more, less } = values[name]!;
    expect({
      more: more === undefined ? undefined : power(name, more),
      less: less === undefined ? undefined : power(name, less),
    }).toEqual({
      more: more === undefined ? undefined : repository.includes("trusted") ? "once trusted" : "never",
      less: repository.includes("restricts") ? "at once" : undefined,
    });
  });

  it("has defaults that the settings take", () => {
    const refused = allSettings().filter(({ schema, without }) => without !== undefined && !schema.safeParse(without).success);
    expect(refused).toEqual([]);
  });

  it("is what docs/settings.md says, row for row", () => {
    const page = readFileSync("docs/settings.md", "utf8");
    const rows = page.split("\n").filter((line) => /^\| `(?!~|\.|\/)/.test(line));
    const cells = (row: string) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((text) => text.trim());
    expect(rows.map(cells)).toEqual(allSettings().map(rowOf));
  });
});

function rowOf({ name, help, without, repository, variables = [] }: Setting): string[] {
  const before = variables.map((variable) => `\`${variable}\``).join(", ");
  const may =
    repository.length === 2
      ? "restrict; all, once trusted"
      : repository[0] === "restricts"
        ? "restrict"
        : repository[0]
          ? "once trusted"
          : "never";
  return [`\`${name}\``, help, without === undefined ? "" : `\`${JSON.stringify(without)}\``, may, before];
}
