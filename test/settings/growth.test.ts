import { rmSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { loadSettings } from "../../src/settings/files.ts";
import { growthBy, growthOf } from "../../src/settings/growth.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { tree } from "../tools/tree.ts";

type Project = { own?: Partial<Settings>; repository?: Partial<Settings>; ignore?: string };

/** What changes between the two, with the repository trusted or not. */
function change(before: Project, after: Project, { trust = false, by }: { trust?: boolean; by?: Parameters<typeof growthBy>[0] } = {}) {
  const folder = tree({ "repo/.git/HEAD": "" });
  onTestFinished(() => rmSync(folder.path, { recursive: true }));
  const places = { cwd: folder.at("repo"), home: folder.at("home"), configDir: folder.at("home/.tool"), managed: [] };
  const load = ({ own, repository, ignore }: Project) => {
    folder.put("home/.tool/settings.json", JSON.stringify(own ?? {}));
    folder.put("repo/.tool/settings.json", JSON.stringify(repository ?? {}));
    folder.put("repo/.toolignore", ignore ?? "");
    const loaded = loadSettings(disk, places, { trust });
    if (!loaded.ok) throw new Error(loaded.reason);
    return loaded;
  };
  const first = load(before);
  const own = by ? growthBy(by, first) : [];
  const { grown, later, narrowed, accepted } = growthOf(first, load(after), (line) => own.includes(line));
  const { rules, sandbox, directories, hooks } = narrowed.effective;
  const texts = (kind: "allow" | "ask" | "deny") => rules[kind].map(({ text }) => text);
  return {
    grown,
    later,
    accepted,
    narrowed: {
      allow: texts("allow"),
      ask: texts("ask"),
      deny: texts("deny"),
      sandbox,
      directories,
      ignore: narrowed.toolignore?.text,
      hooks: hooks.map(({ command }) => command),
    },
  };
}

const unchanged = { allow: [], ask: [], deny: [], sandbox: {}, directories: [], ignore: "", hooks: [] };
const permissions = (rules: Settings["permissions"]) => ({ own: { permissions: rules } });

describe("growthOf()", () => {
  it("names what grows, and applies what narrows with it", () => {
    expect(
      change(
        {
          own: { permissions: { allow: ["Edit"], ask: ["Bash(a:*)"], deny: ["Bash(b:*)"] }, sandbox: { autoAllow: false } },
          ignore: "secret\n",
        },
        {
          own: { permissions: { allow: ["Edit", "Bash(*)"], deny: ["Read(c)"] }, sandbox: { autoAllow: true } },
          ignore: "!secret\nmore\n",
        },
      ),
    ).toEqual({
      grown: [
        "allow Bash(*)",
        "no longer ask for Bash(a:*)",
        "no longer deny Bash(b:*)",
        "no longer hide secret (.toolignore)",
        "no longer hide !secret (.toolignore)",
        "allow everything that stays in the sandbox (sandbox.autoAllow)",
      ],
      later: [],
      accepted: [],
      narrowed: {
        allow: ["Edit"],
        ask: ["Bash(a:*)"],
        deny: ["Read(c)", "Bash(b:*)"],
        sandbox: { autoAllow: false },
        directories: [],
        ignore: "secret\nmore\n",
        hooks: [],
      },
    });
  });

  it("finds nothing if rights are only removed", () => {
    const found = change(permissions({ allow: ["Edit"], ask: ["Bash(a:*)"] }), { ...permissions({ deny: ["Bash(a:*)"] }), ignore: "x\n" });
    expect(found).toEqual({ grown: [], later: [], accepted: [], narrowed: { ...unchanged, deny: ["Bash(a:*)"], ignore: "x\n" } });
  });

  it("keeps the sandbox and folders that the session began with, and tells what a new one would have", () => {
    const wide: Partial<Settings> = {
      sandbox: { enabled: false, network: true, unixSockets: ["/run/x"] },
      permissions: { defaultMode: "bypassPermissions", additionalDirectories: ["/srv"] },
      secrets: "off",
    };
    expect(change({}, { own: wide })).toEqual({
      grown: [],
      later: [
        "the directory /srv",
        "the mode bypassPermissions",
        "no sandbox",
        "the network in the sandbox",
        "sockets outside of the sandbox",
        "secrets are not redacted",
      ],
      accepted: [],
      narrowed: unchanged,
    });
  });

  it("names hooks that begin or end, which may allow or refuse calls, and keeps those that ran", () => {
    const hooks = (...commands: string[]): Project => ({
      own: { hooks: { PreToolUse: [{ matcher: "Bash", hooks: commands.map((command) => ({ type: "command", command })) }] } },
    });
    const found = change(hooks("./guard", "./log"), hooks("./log", "./allow"));
    expect(found.grown).toEqual(["run the hook PreToolUse Bash: ./allow", "no longer run the hook PreToolUse Bash: ./guard"]);
    expect(found.narrowed.hooks).toEqual(["./log", "./guard"]);
  });

  it("treats a trusted repository's rules like the user's, and ignores those of an untrusted one", () => {
    const after = { repository: { permissions: { allow: ["Bash(x)"] } } };
    expect(change({}, after, { trust: true }).grown).toEqual(["allow Bash(x)"]);
    expect(change({}, after).grown).toEqual([]);
  });

  it("does not ask about what the user does in the session", () => {
    const added = change({}, permissions({ allow: ["Bash(x)", "Bash(y)"] }), { by: { verb: "add", rule: "Bash(x)" } });
    expect(added).toMatchObject({ grown: ["allow Bash(y)"], accepted: ["allow Bash(x)"], narrowed: { allow: ["Bash(x)"] } });
    const gone = change(permissions({ deny: ["Bash(x)"] }), {}, { by: { verb: "remove", rule: "Bash(x)" } });
    expect(gone).toMatchObject({ grown: [], narrowed: { deny: [] } });
  });
});
