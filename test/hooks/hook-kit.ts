// Hooks for tests: real programs, as settings would name them.

import { runHook } from "../../src/edge/processes/run-hook.ts";
import { type HookRunner, hookRunner } from "../../src/hooks/hook-runner.ts";
import type { HookEvent } from "../../src/settings/hook-settings.ts";
import type { SettingsHook } from "../../src/settings/scopes.ts";

type Written = Partial<Omit<SettingsHook, "event" | "command">>;

export const hook = (event: HookEvent, command: string, more: Written = {}): SettingsHook => ({
  event,
  command,
  scope: "user",
  file: "/s.json",
  ...more,
});

/** A hook that prints this and exits with 0. */
export const says = (event: HookEvent, json: unknown, more: Written = {}): SettingsHook =>
  hook(event, `printf %s '${JSON.stringify(json)}'`, more);

export function runnerOf(hooks: SettingsHook[], cwd = "/"): HookRunner & { notices: string[] } {
  const notices: string[] = [];
  const about = { session_id: "s", transcript_path: "/t.jsonl", cwd, agent: "tool", team: null, permission_mode: "default" };
  const env = { PATH: process.env["PATH"] ?? "" };
  const runner = hookRunner({
    hooks: () => hooks,
    run: runHook,
    about: () => about,
    env: () => env,
    places: () => ({ cwd, home: "/home/me", folder: "/repo" }),
    onNotice: (text) => notices.push(text),
  });
  return { ...runner, notices };
}
