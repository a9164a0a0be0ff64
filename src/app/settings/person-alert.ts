// Tells the person that they are needed while they look elsewhere: by a program of theirs. The terminal's bell rings in the panes.

import type { Tell } from "../../hooks/session-hooks.ts";
import { personsEnvironment } from "../../secrets/environment.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { quotedWord } from "../../wording/shell-word.ts";
import type { World } from "../world.ts";
import { endedWhy } from "./hook-ends.ts";

export type AlertAbout = { session: string; agent: string; team?: string | undefined; folder: string };

type Setup = { settings: () => LoadedSettings; about: AlertAbout; onNotice: (text: string) => void };

const timeoutMs = 5_000;

/** Never rejects, and says only the first of several failures in a row. docs/settings.md explains what the program gets. */
export function personAlert(world: World, { settings, about, onNotice }: Setup): Tell {
  let failing = false;
  return async (need, signal) => {
    const { notify, notifyCommand } = settings().effective;
    if (notify !== "command") return;
    const why = notifyCommand ? await failureOf(notifyCommand, need) : "notifyCommand names no program";
    if (why !== undefined && !failing && !signal.aborted) onNotice(`You could not be notified: ${why}.`);
    failing = why !== undefined;

    async function failureOf(argv: string[], { kind, text }: typeof need): Promise<string | undefined> {
      const { session, agent, team = null, folder } = about;
      const input = JSON.stringify({ version: 1, kind, text, session, agent, team, folder });
      const command = `exec ${[...argv, text].map(quotedWord).join(" ")}`;
      const run = await world.edges.runHook();
      const ended = await run({ command, cwd: world.cwd, env: personsEnvironment(world.env), input, timeoutMs, signal });
      return ended.kind === "exited" && ended.code === 0 ? undefined : endedWhy(ended, timeoutMs);
    }
  };
}
