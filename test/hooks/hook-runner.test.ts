// Which hooks of an event run and with what, with programs in memory.
import { describe, expect, it } from "vitest";
import type { HookEnd, HookProcess } from "../../src/hooks/hook-process.ts";
import { hookRunner } from "../../src/hooks/hook-runner.ts";
import type { SettingsHook } from "../../src/settings/scopes.ts";
import { hook } from "./hook-kit.ts";

const ended = (code: number, stderr = ""): HookEnd => ({ kind: "exited", code, stdout: "", stderr, isCut: false });
const about = { session_id: "s", transcript_path: "/t.jsonl", cwd: "/repo", agent: "tool", team: null, permission_mode: "default" };
const { signal } = new AbortController();

/** `ends`: how each command ends; a command that is not there never does. */
function runnerOf(hooks: readonly SettingsHook[], ends: Record<string, HookEnd> = {}) {
  const runs: HookProcess[] = [];
  const notices: string[] = [];
  let current = hooks;
  const runner = hookRunner({
    hooks: () => current,
    run(asked) {
      runs.push(asked);
      const end = ends[asked.command];
      return end ? Promise.resolve(end) : new Promise(() => {});
    },
    about: () => about,
    env: () => ({ PATH: "/bin" }),
    places: () => ({ cwd: "/repo", home: "/home/me", folder: "/repo" }),
    onNotice: (text) => notices.push(text),
  });
  const commands = () => runs.map(({ command }) => command);
  return { runner, runs, commands, notices, replace: (next: readonly SettingsHook[]) => (current = next) };
}

describe("hookRunner()", () => {
  it("gives a hook the event, the session and the input as JSON, in the working directory", async () => {
    const { runner, runs } = runnerOf([hook("PreCompact", "check")], { check: ended(0) });
    const input = { trigger: "manual", focus: null } as const;
    expect(await runner.fire({ event: "PreCompact", matched: "manual", input, signal })).toMatchObject([{ notices: [] }]);
    expect(runs).toEqual([{ command: "check", cwd: "/repo", env: { PATH: "/bin" }, input: expect.any(String), timeoutMs: 60_000, signal }]);
    expect(JSON.parse(runs[0]!.input)).toEqual({ hook_event_name: "PreCompact", ...about, ...input, custom_instructions: null });
  });

  it("runs the hooks whose matcher names the occasion, and never the one that is left out", async () => {
    const all = [
      hook("PreToolUse", "all"),
      hook("PreToolUse", "bash", { matcher: "Bash|Edit" }),
      hook("PreToolUse", "read", { matcher: "Read" }),
    ];
    const { runner, commands } = runnerOf(all, { all: ended(0), bash: ended(0), read: ended(0) });
    const input = { tool_name: "Bash", tool_input: {}, tool_use_id: null };
    await runner.fire({ event: "PreToolUse", matched: "Bash", input, signal });
    expect(commands()).toEqual(["all", "bash"]);
    await runner.fire({ event: "PreToolUse", matched: "Bash", input, signal, without: all[0]! });
    expect(commands()).toEqual(["all", "bash", "bash"]);
  });

  it("gives the end of a session less time, and every hook the time that its settings say", async () => {
    const { runner, runs } = runnerOf([hook("SessionEnd", "a"), hook("SessionEnd", "b", { timeoutMs: 9 })], { a: ended(0), b: ended(0) });
    await runner.fire({ event: "SessionEnd", matched: "exit", input: { reason: "exit" }, signal });
    expect(runs.map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 9]);
  });

  it("does not wait for the others once a hook blocks", async () => {
    const { runner } = runnerOf([hook("Stop", "never ends"), hook("Stop", "no")], { no: ended(2, "not yet\n") });
    const verdicts = await runner.fire({ event: "Stop", input: { stop_hook_active: false, last_message: "" }, signal });
    expect(verdicts.map(({ blocks }) => blocks)).toEqual(["not yet"]);
  });

  it("reports the same failure once", async () => {
    const { runner, notices } = runnerOf([hook("TeammateIdle", "bad")], { bad: ended(1, "oops") });
    for (let time = 0; time < 2; time++) await runner.fire({ event: "TeammateIdle", input: {}, signal });
    expect(notices).toEqual([
      'TeammateIdle: the hook "bad" of /s.json failed with exit code 1: oops. It blocks nothing: exit code 2 does.',
    ]);
  });

  it("follows a change of the settings", async () => {
    const { runner, replace } = runnerOf([hook("Stop", "no")]);
    expect([runner.has("Stop"), runner.has("TeammateIdle")]).toEqual([true, false]);
    replace([hook("TeammateIdle", "no")]);
    expect([runner.has("Stop"), runner.has("TeammateIdle")]).toEqual([false, true]);
  });
});
