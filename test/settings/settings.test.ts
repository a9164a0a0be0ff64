import { describe, expect, it } from "vitest";
import { mergeSettings, type ScopedSettings } from "../../src/settings/scopes.ts";
import { parseSettings } from "../../src/settings/settings.ts";

const reason = (text: string) => {
  const read = parseSettings(text, "settings.json");
  return read.ok ? "understood" : read.reason;
};

describe("a settings file", () => {
  it("may have every known key", () => {
    const all = {
      permissions: {
        allow: ["Bash(npm test)"],
        ask: ["Edit"],
        deny: ["Read(.env)"],
        defaultMode: "plan",
        additionalDirectories: ["../lib"],
      },
      sandbox: {
        enabled: true,
        network: true,
        unixSockets: ["~/a.sock"],
      },
      secrets: "warn",
      env: { CI: "1" },
      keepEnvironment: ["NPM_TOKEN"],
      model: "m",
      apiBaseUrl: "https://x",
      apiKeyHelper: "get-key",
      script: "s.yaml",
      hooks: { Stop: [], PreToolUse: [{ matcher: "Edit|Write", hooks: [{ type: "command", command: "./check", timeout: 10 }] }] },
      mcpServers: { a: {} },
      statusCommand: "date",
      $schema: "x",
    };
    expect(parseSettings(`\uFEFF${JSON.stringify(all)}`, "settings.json")).toEqual({ ok: true, settings: all });
  });

  it.each([
    ['{\n "permisions": {}\n}', 'settings.json:2: unknown key "permisions". Did you mean "permissions"?'],
    ['{"permissions":\n {"Deny": []}}', 'settings.json:2: unknown key "Deny" in "permissions". Did you mean "deny"?'],
    [
      '{"sandbox":\n\n {"foobar": 1}}',
      'settings.json:3: unknown key "foobar" in "sandbox". Known keys: enabled, network, required, unixSockets, autoAllow',
    ],
    ['{\n"permissions": {"deny": "Read"}}', 'settings.json:2: "permissions.deny" must be a list'],
    ['{"permissions": {"deny": ["Read",\n7]}}', 'settings.json:2: "permissions.deny.1" must be a string'],
    ['{"model": null}', 'settings.json:1: "model" must be a string'],
    [
      '{"sandbox": {"network": "no"}}',
      'settings.json:1: "sandbox.network" must be true or false. Single hosts are opened by rules in "permissions.allow", such as Network(example.com)',
    ],
    ['{"secrets": "hide"}', 'settings.json:1: "secrets" must be one of "redact", "warn", "off"'],
    ["[]", "settings.json:1: the whole must be an object"],
    ['{"env": {"A": 1}}', 'settings.json:1: "env.A" must be a string'],
    ['{"model": "a",\n "model": "b"}', 'settings.json:2: "model" appears twice'],
    ['{"a\\u0062c": 1,\n "__proto__": {}}', 'settings.json:2: unknown key "__proto__"'],
    ['{"permissions": {"deny": ["Read",\n"Raed(x)"]}}', 'settings.json:2: the permission rule "Raed(x)": no tool is called "Raed"'],
    ['{\n"model": "a",\n}', 'settings.json:2: it is not JSON: it has a comma before "}", and JSON has none there. Remove it'],
    ['{\n"model": "a"', 'settings.json:2: it is not JSON: expected "," or "}" but found the end of the file'],
    ["// a comment\n{}", "settings.json:1: it is not JSON: it has a comment, and JSON has none. Remove it"],
    ['{"model": "a", /* why */\n"effort": "low"}', "settings.json:1: it is not JSON: it has a comment, and JSON has none. Remove it"],
    ['{\n// the mode\n"model": "a"}', "settings.json:2: it is not JSON: it has a comment, and JSON has none. Remove it"],
    ['{"model": "a" / 2}', 'settings.json:1: it is not JSON: expected "," or "}" but found "/"'],
    [
      '{"permissions": {"defaultMode": "acceptedits"}}',
      'settings.json:1: "permissions.defaultMode" must be one of "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions". Did you mean "acceptEdits"?',
    ],
    ['{"model": "a"} x', 'settings.json:1: it is not JSON: expected nothing more but found "x"'],
    ["", "settings.json:1: it is not JSON: expected a value but found the end of the file"],
    ['{"hooks": []}', 'settings.json:1: "hooks" must be an object'],
    [`{"hooks": {"a": ${"[".repeat(200)}`, 'settings.json:1: it is not JSON: expected brackets nested less deeply but found "["'],
  ])("%j is refused with its line and what to write", (text, expected) => {
    expect(reason(text)).toContain(`Cannot use the settings ${expected}`);
  });
});

it("names the limit of the list of skills", () => {
  expect(parseSettings('{"skills": {"promptBytes": 3000}}', "settings.json")).toMatchObject({ ok: true });
  expect(reason('{"skills": {"promptBytes": 1}}')).toContain('"skills.promptBytes" must be a whole number from 200 to 100000');
  expect(reason('{"skills": {"bytes": 1}}')).toContain('unknown key "bytes" in "skills". Known keys: promptBytes');
});

it("names the range of a setting of teams", () => {
  expect(parseSettings('{"team": {"hungAfterMinutes": 30}}', "settings.json")).toMatchObject({ ok: true });
  expect(reason('{"team": {"hungAfterMinutes": 0}}')).toContain('"team.hungAfterMinutes" must be a whole number from 1 to 10080');
  expect(parseSettings('{"worktrees": {"ignoredFiles": "link"}}', "settings.json")).toMatchObject({ ok: true });
  expect(reason('{"worktrees": {"ignoredFiles": "move"}}')).toContain('"worktrees.ignoredFiles" must be one of "copy", "link"');
  expect(reason('{"team": {"hungAfter": 1}}')).toContain('unknown key "hungAfter" in "team". Known keys: hungAfterMinutes');
});

it("names the range of a limit of agents", () => {
  expect(parseSettings('{"agents": {"depth": 2, "wallClockMinutes": 30}}', "settings.json")).toMatchObject({ ok: true });
  expect(reason('{"agents": {"depth": 0}}')).toContain('settings.json:1: "agents.depth" must be a whole number from 1 to 10');
  expect(reason('{"agents": {"atOnce": "ten"}}')).toContain('"agents.atOnce" must be a whole number from 1 to 100');
  expect(parseSettings('{"agents": {"coordinatorModel": "sonnet", "workerModel": "small"}}', "settings.json")).toMatchObject({ ok: true });
  expect(reason('{"agents": {"workerModel": 2}}')).toContain('"agents.workerModel" must be a model\'s name');
  expect(reason('{"agents": {"deep": 1}}')).toContain(
    'unknown key "deep" in "agents". Known keys: depth, atOnce, reportTokens, wallClockMinutes, noProgressMinutes, promptBytes',
  );
});

it("reports everything that is wrong in a file at once, a line for each", () => {
  const text = '{\n"modell": "a",\n"permissions": {"deny": ["Raed(x)"],\n"alow": [], "Deny": []},\n"secrets": 1}';
  const found = reason(text).split("\n").toSorted();
  expect(found).toEqual([
    'Cannot use the settings settings.json:2: unknown key "modell". Did you mean "model"?',
    'Cannot use the settings settings.json:3: the permission rule "Raed(x)": no tool is called "Raed". Did you mean Read?',
    'Cannot use the settings settings.json:4: unknown key "Deny" in "permissions". Did you mean "deny"?',
    'Cannot use the settings settings.json:4: unknown key "alow" in "permissions". Did you mean "allow"?',
    'Cannot use the settings settings.json:5: "secrets" must be one of "redact", "warn", "off"',
  ]);
});

const defaultLimits = {
  depth: 3,
  atOnce: 10,
  reportTokens: 1_500,
  wallClockMinutes: 60,
  noProgressMinutes: 15,
  promptBytes: 1_500,
};

describe("the scopes together", () => {
  const one = (scope: ScopedSettings["scope"], settings: ScopedSettings["settings"]): ScopedSettings => ({
    scope,
    file: `${scope}.json`,
    folder: `/${scope}`,
    settings,
  });
  const merged = (trusted: boolean, ...given: ScopedSettings[]) => mergeSettings(given, { trusted, home: "/home/me" });
  const everything = one("project", {
    permissions: {
      allow: ["Bash"],
      ask: ["Edit"],
      deny: ["Read(a)"],
      defaultMode: "acceptEdits",
      additionalDirectories: ["../lib"],
    },
    sandbox: {
      enabled: false,
      network: true,
      unixSockets: ["/run/docker.sock"],
      autoAllow: true,
    },
    secrets: "off",
    env: {
      CI: "1",
      NODE_OPTIONS: "-r x",
    },
    keepEnvironment: ["NPM_TOKEN", "ANTHROPIC_API_KEY"],
    model: "m",
    effort: "high",
    fallbackModel: "f",
    provider: "bedrock",
    modelIds: { m: "other" },
    apiBaseUrl: "https://x",
    apiKeyHelper: "k",
    display: "mine",
    displays: { yours: { open: "o", state: "s", close: "c" } },
    places: { gpu: { command: ["ssh", "gpu1"], folder: "/scratch/me" } },
    script: "s",
    skills: { promptBytes: 9000 },
    team: { hungAfterMinutes: 5 },
    worktrees: { ignoredFiles: "link" },
    agents: { depth: 9, atOnce: 2, workerModel: "opus" },
    hooks: { PreToolUse: [{ matcher: "Edit | Write", hooks: [{ type: "command", command: "./check", timeout: 0.5 }] }] },
    mcpServers: { a: {} },
    statusCommand: "date",
  });
  const rule = (text: string) => ({ text, scope: "project", file: "project.json", folder: "/project" });

  it("before trust take from a repository only restrictions, and list the rest", () => {
    const { held, ...effective } = merged(false, everything);
    expect(effective).toEqual({
      rules: {
        allow: [],
        ask: [rule("Edit")],
        deny: [rule("Read(a)")],
      },
      directories: [],
      sandbox: {},
      secrets: "redact",
      env: {},
      keepEnvironment: [],
      hooks: [],
      displays: {},
      members: {},
      places: {},
      forges: {},
      modelIds: {},
      pullRequests: {},
      agents: { ...defaultLimits, atOnce: 2 },
    });
    expect(held.map(({ kind, what, neverGranted }) => `${kind} ${what}${neverGranted ? " for good" : ""}`).sort()).toEqual([
      "API address https://x for good",
      "API address modelIds.m for good",
      "API address provider: bedrock for good",
      "agents and skills agents.depth: 9, above 3 for good",
      "agents and skills skills.promptBytes: 9000",
      "allow rule Bash",
      "directory ../lib",
      "display mine for good",
      "display yours for good",
      "hook PreToolUse Edit | Write: ./check",
      "kept variable ANTHROPIC_API_KEY for good",
      "kept variable NPM_TOKEN",
      "key helper k for good",
      "mode acceptEdits",
      "model agents.workerModel: opus",
      "model effort: high",
      "model fallbackModel: f",
      "model m",
      "model script s for good",
      "place gpu for good",
      "sandbox autoAllow: true for good",
      "sandbox enabled: false for good",
      "sandbox network: true for good",
      "sandbox unixSockets: /run/docker.sock for good",
      "secrets off",
      "status command date",
      "team team.hungAfterMinutes: 5",
      "variable CI",
      "variable NODE_OPTIONS for good",
      "worktrees worktrees.ignoredFiles: link",
    ]);
  });

  it("after trust give a repository what it asked for, except what no repository gets", () => {
    const { held, ...effective } = merged(true, everything);
    expect(effective).toEqual({
      rules: {
        allow: [rule("Bash")],
        ask: [rule("Edit")],
        deny: [rule("Read(a)")],
      },
      directories: [
        {
          path: "/lib",
          shown: "../lib",
          scope: "project",
          file: "project.json",
        },
      ],
      mode: "acceptEdits",
      sandbox: {},
      secrets: "off",
      env: { CI: "1" },
      keepEnvironment: ["NPM_TOKEN"],
      model: "m",
      effort: "high",
      fallbackModel: "f",
      displays: {},
      members: {},
      places: {},
      forges: {},
      modelIds: {},
      pullRequests: {},
      hooks: [
        {
          event: "PreToolUse",
          matcher: "Edit | Write",
          command: "./check",
          timeoutMs: 500,
          scope: "project",
          file: "project.json",
          folder: "/project",
        },
      ],
      skills: { promptBytes: 9000 },
      team: { hungAfterMinutes: 5 },
      statusCommand: "date",
      worktrees: { ignoredFiles: "link" },
      agents: { ...defaultLimits, atOnce: 2 },
      agentModels: { worker: "opus" },
    });
    expect(held.every(({ neverGranted }) => neverGranted)).toBe(true);
  });

  it("let the user's strongest scope limit agents, and a repository only below that", () => {
    const { agents, held } = merged(
      true,
      one("user", { agents: { depth: 5, atOnce: 4, reportTokens: 900 } }),
      one("command line", { agents: { reportTokens: 800 } }),
      one("project", { agents: { depth: 4, atOnce: 8, wallClockMinutes: 20 } }),
      one("local", { agents: { depth: 2 } }),
    );
    expect(agents).toEqual({ ...defaultLimits, depth: 2, atOnce: 4, reportTokens: 800, wallClockMinutes: 20 });
    expect(held).toEqual([{ kind: "agents and skills", what: "agents.atOnce: 8, above 4", file: "project.json", neverGranted: true }]);
  });

  it("open sockets for the user, and close them all if any scope asks for that", () => {
    const opening = one("user", { sandbox: { unixSockets: ["~/a.sock", "/b.sock"] } });
    const closing = one("project", { sandbox: { unixSockets: "none" } });
    expect([merged(false, opening), merged(false, closing, opening)].map(({ sandbox }) => sandbox)).toEqual([
      { unixSockets: ["/home/me/a.sock", "/b.sock"] },
      { unixSockets: "none" },
    ]);
  });

  it("join rules and let the strongest scope decide the rest", () => {
    const effective = merged(
      true,
      one("user", { permissions: { deny: ["Read(u)"], defaultMode: "acceptEdits" }, model: "user", env: { A: "user", B: "user" } }),
      one("local", { permissions: { deny: ["Read(l)"] }, model: "local", env: { A: "local" } }),
      one("command line", { permissions: { additionalDirectories: ["~/x", "/y"] } }),
      one("managed", { permissions: { deny: ["Read(m)"], defaultMode: "plan" } }),
    );
    expect(effective.rules.deny.map(({ text }) => text)).toEqual(["Read(m)", "Read(l)", "Read(u)"]);
    expect([effective.mode, effective.model, effective.env]).toEqual(["plan", "local", { A: "local", B: "user" }]);
    expect(effective.directories.map(({ path }) => path)).toEqual(["/home/me/x", "/y"]);
  });

  it.each([
    ["plan", undefined, "plan"],
    ["default", "acceptEdits", "default"],
    ["acceptEdits", undefined, undefined],
    ["bypassPermissions", "plan", "plan"],
    ["dontAsk", "plan", "plan"],
    ["plan", "dontAsk", "plan"],
  ] as const)("before trust a repository's mode %s beside the person's %s makes %s", (asked, own, expected) => {
    const project = one("project", { permissions: { defaultMode: asked } });
    expect(merged(false, project, ...(own ? [one("user", { permissions: { defaultMode: own } })] : [])).mode).toBe(expected);
  });
});

it.each([
  [
    { sandbox: { network: "all" } },
    '"sandbox.network" must be true or false. Single hosts are opened by rules in "permissions.allow", such as Network(example.com)',
  ],
  [{ sandbox: { enabled: "yes" } }, '"sandbox.enabled" must be true or false'],
  [{ sandbox: { unixSockets: 3 } }, '"sandbox.unixSockets" must be "none" or a list of paths'],
  [{ sandbox: { unixSockets: [3] } }, '"sandbox.unixSockets" must be "none" or a list of paths'],
  [{ skills: { promptBytes: 10 } }, '"skills.promptBytes" must be a whole number from 200 to 100000'],
  [{ team: { hungAfterMinutes: "soon" } }, '"team.hungAfterMinutes" must be a whole number from 1 to 10080'],
  [{ agents: { workerModel: "" } }, '"agents.workerModel" must be a model\'s name'],
  [{ agents: { workerModel: 3 } }, '"agents.workerModel" must be a model\'s name'],
  [{ team: { hungAfterMinuts: 3 } }, 'unknown key "hungAfterMinuts" in "team". Did you mean "hungAfterMinutes"?'],
  [{ worktrees: { x: 1 } }, 'unknown key "x" in "worktrees". Known keys: ignoredFiles'],
  [{ displays: { Kitty: { open: "a", state: "b", close: "c" } } }, '"displays.Kitty" must be a name of a-z, 0-9 and -'],
  [{ displays: { tmux: { open: "a", state: "b", close: "c" } } }, '"displays.tmux" must be another name: this one is built in'],
  [{ places: { home: { command: ["ssh"], folder: "/s" } } }, '"places.home" must be another name: this one is the person\'s own machine'],
  [{ places: { gpu: { command: [], folder: "/s" } } }, '"places.gpu.command" must be a command as a list of words; it is empty'],
  [
    { places: { gpu: { command: ["ssh"], folder: "s" } } },
    '"places.gpu.folder" must be an absolute path there, or one that begins with ~/',
  ],
  [
    { places: { gpu: { command: ["ssh"], folder: "/s", env: { ANTHROPIC_API_KEY: "k" } } } },
    '"places.gpu.env.ANTHROPIC_API_KEY" must be another name: keys and settings of this program stay at home',
  ],
  [{ members: { codex: { command: [] } } }, '"members.codex.command" must be a program and its arguments; the list is empty'],
  [{ members: { codex: { command: ["c"], env: ["a b"] } } }, '"members.codex.env.0" must be the name of a variable, or NAME=value'],
  [{ members: { codex: { command: ["c"], wake: {} } } }, '"members.codex.wake" must be either "input" or "command"'],
  [{ displays: { kitty: { open: " ", state: "b", close: "c" } } }, '"displays.kitty.open" must be a command; it is empty'],
])("%j is answered with what it must be", (settings, expected) => {
  expect(reason(JSON.stringify(settings))).toMatch(/^Cannot use the settings settings.json:1: /);
  expect(reason(JSON.stringify(settings))).toContain(expected);
});
