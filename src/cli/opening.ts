// What a team's screen says before anything else: where it is, how to look and to stop, what it may cost.
import { sizeAdvice } from "../team/advice.ts";
import { demo } from "../team/demo.ts";
import type { Choice, Run } from "./run-team.ts";

export function openingLines({ flags, choice, attended }: Run, { team, before }: { team: string; before: string | undefined }): string[] {
  const look = choice.where === "detached" ? `Look: tool team attach --team ${team}  ` : "";
  const stop = attended ? "Stop: Ctrl-C twice." : `Stop: tool team stop --team ${team}`;
  return [
    `Team ${team}: ${placeWords[choice.where]} (${choice.why}). ${look}${stop}`,
    `Watch: tool team status --team ${team} --watch`,
    ...sizeAdvice(flags.teammates),
    ...(before ? [`The tests of the copy before the team starts: ${before}`, demo.notice] : []),
  ];
}

const placeWords: Record<Choice["where"], string> = {
  beside: "tmux, beside this pane",
  private: "tmux, on a server of its own",
  detached: "detached tmux",
  tabs: "iTerm2 tabs",
  lead: "in this terminal",
  logs: "in log files",
};
