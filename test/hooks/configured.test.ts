import { describe, expect, it } from "vitest";
import { configuredHooks, hookWarnings, namedProgram } from "../../src/hooks/configured.ts";
import type { LoadedSettings } from "../../src/settings/files.ts";
import { parseSettings } from "../../src/settings/settings.ts";

type Loaded = Pick<LoadedSettings, "files" | "trust">;

/** Hooks as a settings file holds them, with the scope of that file. */
function file(scope: "user" | "project", hooks: object): Loaded["files"][number] {
  const read = parseSettings(JSON.stringify({ hooks }), `/${scope}.json`);
  if (!read.ok) throw new Error(read.reason);
  return { scope, settings: read.settings, file: `/${scope}.json`, folder: "/" };
}

const one = (command: string, matcher?: string) => [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", command }] }];

function loaded(hooks: { user?: object; project?: object }, state: "trusted" | "untrusted" = "trusted"): Loaded {
  const files = [file("user", hooks.user ?? {}), file("project", hooks.project ?? {})];
  return { files, trust: { state } as Loaded["trust"] };
}

describe("configuredHooks()", () => {
  it("withholds the hooks of a repository that is not trusted, and no others", () => {
    const hooks = { user: { Stop: one("mine") }, project: { Stop: one("theirs") } };
    const held = (state: "trusted" | "untrusted") =>
      configuredHooks(loaded(hooks, state)).hooks.map((hook) => `${hook.command} ${hook.held}`);
    expect(held("untrusted").toSorted()).toEqual(["mine false", "theirs true"]);
    expect(held("trusted").toSorted()).toEqual(["mine false", "theirs false"]);
  });
});

describe("hookWarnings()", () => {
  it.each([
    [{ PreToolUse: one("a", "Bahs") }, 'the tool is never "Bahs"; did you mean "Bash"'],
    [{ SessionStart: one("a", "sometimes") }, 'the source is never "sometimes"; known are startup, resume, clear'],
    [{ Stop: one("a", "Bash") }, "Stop has nothing that a matcher is compared with, so it always runs"],
  ])("of %o says what is wrong", (user, warning) => {
    expect(hookWarnings(loaded({ user }))).toEqual([expect.stringContaining(`of /user.json: ${warning}.`)]);
  });

  it("says of all that is written for an event that it is left out", () => {
    expect(hookWarnings(loaded({ user: { PostTolUse: one("a"), PreToolUse: {} } }))).toEqual([
      "The hooks for PreToolUse of /user.json are left out and block nothing: they must be a list.",
      'The hooks for PostTolUse of /user.json are left out: there is no event of that name here; did you mean "PostToolUse".',
    ]);
  });

  it.each([
    [{ PreToolUse: one("a", "Bash|Edit") }],
    [{ PreToolUse: one("a", "mcp__x") }],
    [{ SubagentStop: one("a", "anything") }],
    [{ SessionStart: one("a", "startup|compact") }],
    [{ PreToolUse: one("a", "Task|WebSearch") }],
  ])("of %o are none", (user) => {
    expect(hookWarnings(loaded({ user }))).toEqual([]);
  });
});

describe("namedProgram()", () => {
  const where = { cwd: "/repo/src", home: "/home/a", root: "/repo" };
  it.each([
    ["./check.sh --all", "/repo/src/check.sh"],
    ["~/bin/check", "/home/a/bin/check"],
    ["$TOOL_PROJECT_DIR/check.sh", "/repo/check.sh"],
    ['"$TOOL_PROJECT_DIR"/check.sh', "/repo/check.sh"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell variable
    ["${TOOL_PROJECT_DIR}/check.sh", "/repo/check.sh"],
    ["npm test", undefined],
    ["$(which x)/y", undefined],
    ["", undefined],
  ])("of %o is %o", (command, path) => {
    expect(namedProgram(command, where)).toBe(path);
  });
});
