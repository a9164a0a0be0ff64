// Opens the hooks of one agent. The agent's current settings say which hooks there are.
import type { Clock } from "../../agent/ports/clock.ts";
import type { Workspace } from "../../agent/workspace.ts";
import { hookInSandbox } from "../../hooks/hook-in-sandbox.ts";
import { hookRunner } from "../../hooks/hook-runner.ts";
import { type SessionHooks, sessionHooks } from "../../hooks/session-hooks.ts";
import type { World } from "../world.ts";
import { personAlert } from "./person-alert.ts";

export type HooksOrder = {
  work: Pick<Workspace, "settings" | "mode" | "environment" | "sandbox" | "harnessShell">;
  session: string;
  /** Its file. */
  transcript: string;
  agent: string;
  team?: string;
  cwd: string;
  clock: Clock;
  /** Where to report problems of a hook to the user. */
  onNotice: (text: string) => void;
};

export function openHooks(world: World, { work, session, transcript, agent, team, cwd, clock, onNotice }: HooksOrder): SessionHooks {
  const { edges, home } = world;
  const tell = personAlert(world, { settings: work.settings, about: { session, agent, team, folder: cwd }, onNotice });
  return sessionHooks(
    hookRunner({
      hooks: () => work.settings().effective.hooks,
      run: async (hook) => (hook.sandboxed ? hookInSandbox(work, hook) : (await edges.runHook())(hook)),
      about: () => ({
        session_id: session,
        transcript_path: transcript,
        cwd,
        agent,
        team: team ?? null,
        permission_mode: work.mode(),
      }),
      env: () => {
        const { root } = work.settings();
        return { ...work.environment(), TOOL_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root };
      },
      places: () => ({ cwd, home, folder: work.settings().root }),
      onNotice,
    }),
    { clock, agent, tell },
  );
}
