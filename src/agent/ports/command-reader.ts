// Shares the analysis of a command among the parts of a session that ask for it one after the other.
import type { Analysis } from "../../shell/words/analysis.ts";

export type ReadCommand = (command: string) => Promise<Analysis>;

/** Remembers the last command. The shell grammar is loaded for the first one. */
export function commandReader(load: () => Promise<{ analyseCommand: (text: string) => Analysis }> = grammar): ReadCommand {
  let last: { command: string; analysis: Promise<Analysis> } | undefined;
  return (command) => {
    if (last?.command !== command) last = { command, analysis: load().then(({ analyseCommand }) => analyseCommand(command)) };
    return last.analysis;
  };
}

const grammar = () => import("../../shell/walk/analyse-command.ts");
