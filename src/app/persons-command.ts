// `!command` in a session: the person runs it with their own rights, sees what it prints, and the agent is shown the same with its next request.
import { personsCommand } from "../agent/persons-command.ts";
import type { Session } from "../agent/session.ts";
import type { Work } from "../agent/work.ts";
import type { Style } from "../screen/style.ts";
import type { Pane } from "../screen/terminal/pane.ts";
import { visibleLine, visibleText } from "../screen/visible-text.ts";

export type PersonsSeat = { pane: Pane; style: Style; session: Pick<Session, "note">; work: Pick<Work, "personsShell"> };

/** True when the line was one. It runs beside whatever the agent does; Esc interrupts it when nothing else is at work. */
export function runPersonsCommand(line: string, { pane, style, session, work }: PersonsSeat, signal: AbortSignal): boolean {
  const command = /^!\s*(\S.*)$/s.exec(line)?.[1]?.trim();
  if (command === undefined) return false;
  pane.print(`\n${style.bold(`> !${visibleLine(command)}`)}`);
  personsCommand(work.personsShell, command, signal)
    .then(({ output, ending, note }) => {
      const lines = [visibleText(output), ending && style.dim(`  ${ending}`)].filter(Boolean);
      pane.print(lines.join("\n") || style.dim("  (no output)"));
      session.note(note);
    })
    .catch((error: unknown) => pane.warn(error instanceof Error ? error.message : String(error)));
  return true;
}
