// What several parts of one session ask about the same command, one after the other: it is taken apart once for all of them.
import type { Analysis } from "../words/analysis.ts";

export type ReadCommand = (command: string) => Promise<Analysis>;

/** Remembers the last command. The grammar of the shell is loaded for the first one. */
export function commandReader(load: () => Promise<{ analyseCommand: (text: string) => Analysis }> = grammar): ReadCommand {
  let last: { command: string; analysis: Promise<Analysis> } | undefined;
  return (command) => {
    if (last?.command !== command) last = { command, analysis: load().then(({ analyseCommand }) => analyseCommand(command)) };
    return last.analysis;
  };
}

const grammar = () => import("./analyse-command.ts");
