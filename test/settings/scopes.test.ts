import { describe, expect, it } from "vitest";
import type { Scope } from "../../src/permissions/policy.ts";
import { type Effective, mergeSettings, type ScopedSettings } from "../../src/settings/scopes.ts";
import type { Settings } from "../../src/settings/settings.ts";

const folders: Record<Scope, string> = {
  managed: "/etc/tool",
  "command line": "/repo",
  local: "/repo",
  project: "/repo",
  user: "/home/me/.tool",
};

const from = (scope: Scope, settings: Settings): ScopedSettings => ({ scope, folder: folders[scope], file: `${scope}.json`, settings });

function merged(given: ScopedSettings[], trusted = true): Effective {
  return mergeSettings(given, { trusted, home: "/home/me" });
}

const heldOf = ({ held }: Effective) => held.map(({ kind, what, neverGranted }) => `${neverGranted ? "never " : ""}${kind}: ${what}`);

describe("mergeSettings() joins", () => {
  it("rules of every scope, the strongest scope's first, each with where it is written", () => {
    const { rules } = merged([
      from("user", { permissions: { allow: ["Bash(ls)"], deny: ["Read(a)"] } }),
      from("project", { permissions: { allow: ["Bash(pwd)"], ask: ["WebFetch"] } }),
    ]);
    expect(rules.allow).toEqual([
      { text: "Bash(pwd)", scope: "project", folder: "/repo", file: "project.json" },
      { text: "Bash(ls)", scope: "user", folder: "/home/me/.tool", file: "user.json" },
    ]);
    expect([rules.ask, rules.deny].map((kind) => kind.map(({ text }) => text))).toEqual([["WebFetch"], ["Read(a)"]]);
  });

  it("directories, each from the folder of its file or the home", () => {
    const { directories } = merged([
      from("user", { permissions: { additionalDirectories: ["~/notes", "more"] } }),
      from("local", { permissions: { additionalDirectories: ["../other", "/abs", "~"] } }),
    ]);
    expect(directories.map(({ path, shown }) => `${shown} → ${path}`)).toEqual([
      "../other → /other",
      "/abs → /abs",
      "~ → /home/me",
      "~/notes → /home/me/notes",
      "more → /home/me/.tool/more",
    ]);
  });

  it("variables by name, the strongest scope's value each", () => {
    const { env, keepEnvironment } = merged([
      from("user", { env: { A: "user", B: "user" }, keepEnvironment: ["K", "L"] }),
      from("managed", { env: { A: "managed" }, keepEnvironment: ["K"] }),
    ]);
    expect(env).toEqual({ A: "managed", B: "user" });
    expect(keepEnvironment).toEqual(["K", "L"]);
  });

  it("opened sockets of all scopes, unless one closes them all", () => {
    const opened = [from("user", { sandbox: { unixSockets: ["run/a.sock"] } }), from("managed", { sandbox: { unixSockets: ["/b.sock"] } })];
    expect(merged(opened).sandbox.unixSockets).toEqual(["/b.sock", "/home/me/.tool/run/a.sock"]);
    expect(merged([...opened, from("project", { sandbox: { unixSockets: "none" } })]).sandbox.unixSockets).toBe("none");
  });
});

describe("mergeSettings() takes the strongest scope's", () => {
  it("model, effort, secrets and script", () => {
    const found = merged([
      from("user", { model: "slow", effort: "high", secrets: "warn", script: "play.yaml" }),
      from("managed", { model: "fast" }),
    ]);
    expect(found).toMatchObject({ model: "fast", effort: "high", secrets: "warn", script: "/home/me/.tool/play.yaml" });
  });

  it("nothing where nobody says anything: secrets are redacted, and no key is there", () => {
    const found = merged([]);
    expect(found).toMatchObject({ secrets: "redact", sandbox: {}, env: {}, held: [] });
    expect(Object.keys(found)).not.toContain("model");
    expect(Object.keys(found)).not.toContain("mode");
  });

  it("address of the API with its scope", () => {
    const { apiBaseUrl } = merged([
      from("user", { apiBaseUrl: "https://a.example" }),
      from("managed", { apiBaseUrl: "https://m.example" }),
    ]);
    expect(apiBaseUrl).toEqual({ value: "https://m.example", scope: "managed" });
  });

  it("sandbox, which is on where it is required", () => {
    expect(merged([from("managed", { sandbox: { required: true } }), from("user", { sandbox: { enabled: false } })]).sandbox).toEqual({
      enabled: true,
      required: true,
    });
  });
});

describe("mergeSettings() and a repository that nobody trusts", () => {
  const risky: Settings = {
    permissions: {
      allow: ["Bash(x)"],
      deny: ["Read(secret)"],
      ask: ["WebFetch"],
      additionalDirectories: ["../up"],
      defaultMode: "acceptEdits",
    },
    env: { PORT: "3000", NODE_OPTIONS: "--require x" },
    model: "dear",
    secrets: "off",
    sandbox: { network: true, enabled: false, autoAllow: true },
    apiKeyHelper: "print-key",
  };

  it("takes its restrictions and holds the rest", () => {
    const found = merged([from("project", risky)], false);
    expect(found.rules.deny.map(({ text }) => text)).toEqual(["Read(secret)"]);
    expect(found.rules.ask.map(({ text }) => text)).toEqual(["WebFetch"]);
    expect(found).toMatchObject({ directories: [], env: {}, secrets: "redact", sandbox: {} });
    expect([found.rules.allow, found.model, found.mode, found.apiKeyHelper]).toEqual([[], undefined, undefined, undefined]);
    expect(heldOf(found)).toEqual(
      expect.arrayContaining([
        "allow rule: Bash(x)",
        "directory: ../up",
        "mode: acceptEdits",
        "variable: PORT",
        "never variable: NODE_OPTIONS",
        "model: dear",
        "secrets: off",
        "never sandbox: network: true",
        "never sandbox: enabled: false",
        "never sandbox: autoAllow: true",
        "never key helper: print-key",
      ]),
    );
  });

  it("gives it all but what no repository gets once it is trusted, and says what is left out", () => {
    const found = merged([from("project", risky)], true);
    expect(found).toMatchObject({ env: { PORT: "3000" }, model: "dear", secrets: "off", mode: "acceptEdits", sandbox: {} });
    expect(heldOf(found).every((held) => held.startsWith("never "))).toBe(true);
    expect(found.held.find(({ kind }) => kind === "variable")).toMatchObject({
      what: "NODE_OPTIONS",
      value: "--require x",
      file: "project.json",
    });
  });

  it("never takes bypassPermissions, and a stricter mode always", () => {
    const bypass = from("local", { permissions: { defaultMode: "bypassPermissions" } });
    expect([merged([bypass], true).mode, heldOf(merged([bypass], true))]).toEqual([undefined, ["never mode: bypassPermissions"]]);
    expect(merged([from("project", { permissions: { defaultMode: "plan" } })], false).mode).toBe("plan");
  });

  it("lets a mode that it may not choose make a person's own no laxer", () => {
    const own = from("user", { permissions: { defaultMode: "acceptEdits" } });
    expect(merged([own, from("project", { permissions: { defaultMode: "plan" } })], false).mode).toBe("plan");
    expect(merged([own, from("project", { permissions: { defaultMode: "default" } })], false).mode).toBe("default");
    expect(merged([own], false).mode).toBe("acceptEdits");
  });

  it("counts the managed mode apart, so that nobody makes it laxer", () => {
    const found = merged([
      from("managed", { permissions: { defaultMode: "default" } }),
      from("user", { permissions: { defaultMode: "plan" } }),
    ]);
    expect([found.mode, found.managedMode]).toEqual(["default", "default"]);
  });
});
