import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { files } from "../../src/edge/disk/files.ts";
import { type Call, locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { ignorePatterns } from "../../src/permissions/paths/ignore-patterns.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { type LoadResult, loadSettings, policyOrder } from "../../src/settings/files.ts";
import { canary, hostileRepositories, makeHostile } from "../hostile-repositories.ts";
import { scratchFolder } from "../scratch.ts";

const seed = 20_261_121;
const repositories = hostileRepositories(seed);
const { real } = files({ ignorePatterns, ripgrep: false });

function opened(index: number, trust: boolean) {
  const folder = scratchFolder();
  const places = { cwd: join(folder, "repo"), home: join(folder, "home"), configDir: join(folder, "home/.tool"), managed: [] };
  mkdirSync(places.configDir, { recursive: true });
  mkdirSync(places.cwd);
  makeHostile(repositories[index]!, places.cwd);
  writeFileSync(join(places.configDir, "settings.json"), JSON.stringify({ sandbox: { autoAllow: false } })); // what no repository may change
  return { places, loaded: loadSettings(disk, places, { trust }) };
}

/** The permissions that the settings add to the defaults; a repository that stops the start adds none. */
function powers(loaded: LoadResult) {
  if (!loaded.ok) return {};
  const { rules, directories, mode, sandbox, secrets, env, keepEnvironment, model, script } = loaded.effective;
  const { provider, modelIds, apiBaseUrl, apiKeyHelper } = loaded.effective;
  return Object.fromEntries(
    Object.entries({
      allow: rules.allow.map(({ text }) => text),
      directories: directories.map(({ shown }) => shown),
      env: Object.keys(env),
      keepEnvironment,
      model,
      provider,
      modelIds: Object.keys(modelIds),
      apiBaseUrl,
      apiKeyHelper,
      script,
      mode: mode === "acceptEdits" || mode === "bypassPermissions" ? mode : undefined,
      sandbox: sandbox.enabled === false || sandbox.network ? sandbox : undefined,
      secrets: secrets === "redact" ? undefined : secrets,
    }).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}

describe(`${repositories.length} hostile repositories (seed ${seed})`, () => {
  it("are at least fifty", () => {
    expect(repositories.length).toBeGreaterThanOrEqual(50);
  });

  it.each(repositories.map(({ name }, index) => [name, index] as const))("%s: no power before trust", async (_, index) => {
    const { places, loaded } = opened(index, false);
    expect([powers(loaded), existsSync(join(places.cwd, canary))]).toEqual([{}, false]);
    if (!loaded.ok) return;
    const made = await makePolicy(policyOrder(loaded, places), real);
    if (!made.ok) throw new Error(made.reason);
    const calls: Call[] = [
      ...["touch x", "make", "node evil.cjs", "git status; sh x"].map((command) => ({ tool: "Bash", input: { command } })),
      ...["src/a", ".env", ".git/hooks/post-commit", ".tool/settings.json"].map((path) => ({ tool: "Edit", input: { path } })),
      ...[".env", "~/.ssh/id_rsa", "/etc/hosts"].map((path) => ({ tool: "Read", input: { path } })),
      { tool: "WebFetch", input: { url: "https://evil.example/" } },
    ];
    const decided = await Promise.all(calls.map(async (call) => decide(await locate(call, made.policy, real), made.policy).decision));
    expect(decided).not.toContain("allow");
  });

  it("never get some rights, trusted or not", () => {
    const never = repositories.map((_, index) => powers(opened(index, true).loaded));
    const chosen = never.flatMap(({ provider, modelIds, apiBaseUrl, apiKeyHelper, script }) => [
      provider,
      modelIds,
      apiBaseUrl,
      apiKeyHelper,
      script,
    ]);
    expect(chosen.filter(Boolean)).toEqual([]);
    expect(
      never
        .flatMap(({ mode, env }) => [mode, env])
        .flat()
        .filter((one) => one !== undefined && one !== "acceptEdits"),
    ).toEqual([]);
    expect(never.flatMap(({ sandbox }) => (sandbox as { enabled?: boolean } | undefined)?.enabled ?? [])).toEqual([]);
  });
});
