// `!command` in a session: runs with the person's own rights. The person sees the output, and the agent gets it with its next request.

import { personsCommand } from "../../agent/persons-command.ts";
import type { Session } from "../../agent/session/session.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { Style } from "../../screen/style.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import { errorText } from "../../wording/error-text.ts";

export type PersonsCommandsSetup = { pane: Pane; style: Style; session: Pick<Session, "note">; work: Pick<Workspace, "personsShell"> };

export type PersonsCommands = {
  /** True if the line was such a command. It runs in parallel with the agent. */
  run(line: string): boolean;
  /** The newest command that is still running. */
  newest(): string | undefined;
  /** False if none is running. */
  interrupt(): boolean;
  /** If one is running, prints that it cannot be sent to the background. */
  staysHere(): boolean;
};

/** `leaving` ends the commands and hides further output, because another conversation may be on the screen by then. */
export function personsCommands({ pane, style, session, work }: PersonsCommandsSetup, leaving: AbortSignal): PersonsCommands {
  const running = new Map<AbortController, string>();
  const runOne = async (command: string) => {
    const stop = new AbortController();
    running.set(stop, command);
    const shown = pane.showRunning(command);
    try {
      const signal = AbortSignal.any([leaving, stop.signal]);
      const { output, ending, note } = await personsCommand(work.personsShell, command, { signal, onOutput: shown.write });
      shown.end();
      if (leaving.aborted) return;
      const lines = [visibleText(output), ending && style.dim(`  ${ending}`)].filter(Boolean);
      pane.print(lines.join("\n") || style.dim("  (no output)"));
      session.note(note);
    } finally {
      running.delete(stop);
      shown.end();
      if (!leaving.aborted) pane.refresh();
    }
  };
  return {
    run(line) {
      if (!line.startsWith("!")) return false;
      const command = line.slice(1).trim();
      pane.print(`\n${style.bold(`> !${visibleLine(command)}`)}`);
      const problem = whyNotRun(command);
      if (problem !== undefined) pane.warn(problem);
      else runOne(command).catch((error: unknown) => pane.warn(errorText(error)));
      return true;
    },
    newest: () => [...running.values()].at(-1),
    interrupt() {
      for (const stop of running.keys()) stop.abort();
      return running.size > 0;
    },
    staysHere() {
      if (running.size > 0) pane.print(style.dim("  Your own commands cannot run in the background: Esc interrupts this one."));
      return running.size > 0;
    },
  };
}

/** Editors that do not end without a terminal; the other programs that need one say so themselves. */
const editors = /^(?:\S*\/)?(?:n?vim?|view|vimdiff)(?:\s+[^-\s]\S*)*$/;

/** Why the command is not run, if it cannot be. */
export function whyNotRun(command: string): string | undefined {
  if (command === "") return "Type a command after the !, such as !git status.";
  if (editors.test(command))
    return "A command here has no terminal, which this editor needs. Ctrl-Z suspends the session, and fg resumes it.";
  return undefined;
}
