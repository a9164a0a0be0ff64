// The shell of an agent, whose commands find kept what git does not have.
import type { Shell } from "../../tools/shell.ts";
import type { WorkspaceParts } from "../workspace/workspace-parts.ts";

type KeepingParts = Pick<WorkspaceParts, "read" | "kept" | "permits" | "request">;

/** An agent apart from its parent's tree works in the same repository. */
export const workOf = ({ kept, request: { child } }: Pick<KeepingParts, "kept" | "request">) => kept?.unsaved ?? child?.parent.unsaved;

export function keepingShell(shell: Shell, { read, kept, permits, request }: KeepingParts): Shell {
  const unsaved = workOf({ kept, request });
  const { child } = request;
  if (!unsaved) return shell;
  return {
    async run(request) {
      const analysis = await read(request.command);
      if (unsaved.looks(analysis)) return shell.run(request);
      const isGitAlone = unsaved.isGitAlone(analysis);
      const { signal, aside, timeoutMs, untimed } = request;
      const isBackground = () => timeoutMs === undefined || untimed?.aborted === true;
      const running = kept
        ? await unsaved.before({ signal, isBackground, isGitAlone, progress: (text) => aside?.progress(text) })
        : await unsaved.beside({ signal, isGitAlone });
      if (!running) return { end: { kind: "aborted" }, ms: 0 };
      try {
        return await shell.run(request);
      } finally {
        for (const text of await running.ended()) {
          if (unsaved.inTeam || !kept) request.onOutput(Buffer.from(`\n[${text}]\n`)); // a person may see no pane of the member, and hears it from its report
          // the results of a sub-agent's calls are not on the person's screen
          if (child || !aside?.notice(text)) permits.say(text);
        }
      }
    },
  };
}
