// The shell of an agent, whose commands find kept what git does not have.
import type { Shell } from "../../tools/shell.ts";
import type { ReadCommand } from "../ports/command-reader.ts";
import type { SessionsWork } from "./open-unsaved-work.ts";

export type KeepingSetup = {
  unsaved: Pick<SessionsWork, "before" | "looks">;
  read: ReadCommand;
  /** Results of a sub-agent's calls are not shown to the person. */
  isChild: boolean;
  /** Tells the person what no result of a call brings. */
  say(text: string): void;
};

export function keepingShell(shell: Shell, { unsaved, read, isChild, say }: KeepingSetup): Shell {
  return {
    async run(request) {
      if (unsaved.looks(await read(request.command))) return shell.run(request);
      const { signal, aside, timeoutMs, untimed } = request;
      const isBackground = () => timeoutMs === undefined || untimed?.aborted === true;
      const running = await unsaved.before({ signal, isBackground, progress: (text) => aside?.progress(text) });
      if (!running) return { end: { kind: "aborted" }, ms: 0 };
      try {
        return await shell.run(request);
      } finally {
        for (const text of await running.ended()) if (isChild || !aside?.notice(text)) say(text);
      }
    },
  };
}
