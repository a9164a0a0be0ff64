// The first lines on a team's screen: where it is, how to watch and to stop it, and its budget.

import { focusKey } from "../../screen/terminal/focus.ts";
import { demo } from "../../team/demo.ts";
import type { Outlook } from "../../team/display/display.ts";
import type { Launch, Opening } from "../../team/launch.ts";
import { sizeAdvice } from "../../team/lead/advice.ts";

/** `outlook`: where the first teammate will be shown, if that depends on the terminal's size. */
export function openingLines({ team, options, resumed }: Launch, opening: Opening, outlook: Outlook | undefined): string[] {
  const { where, why, before, command } = opening;
  const seen = where === "detached" ? `See it: ${command} team attach --team ${team}  ` : "";
  const look = lookWords[where] && options.attended ? `${focusKey.name} ${lookWords[where]}. ` : seen;
  const stop = options.attended ? "Stop: Ctrl-C twice." : `Stop: ${command} team stop --team ${team}`;
  const place = outlook ? `tmux, ${outlookWords(outlook, options.teammates)}` : placeWords[where];
  return [
    `Team ${team}: ${place} (${why}). ${look}${stop}`,
    `Watch: ${command} team status --team ${team} --watch`,
    ...(resumed || before ? [] : sizeAdvice(options.teammates)),
    ...(before ? [`The tests of the copy before the team starts: ${before}`, demo.notice] : []),
  ];
}

/** What the key does there. */
const lookWords: Partial<Record<Opening["where"], string>> = {
  lead: "shows a teammate",
  beside: "goes to the next pane",
  private: "goes to the next pane",
};

function outlookWords(outlook: Outlook, teammates = 1): string {
  if (outlook.where === "window") {
    const keys = outlook.prefix ? `: ${outlook.prefix} and its number` : "";
    return `a window for each teammate${keys}; a terminal of 161 columns shows them beside the lead`;
  }
  const { where, room } = outlook;
  const wider = where === "below" ? "a terminal of 161 columns" : "a higher terminal";
  return room >= teammates ? `${where} this pane` : `${room} ${where} this pane, the others in windows; ${wider} shows more`;
}

const placeWords: Record<Opening["where"], string> = {
  beside: "tmux",
  private: "tmux, on a server of its own",
  detached: "detached tmux",
  tabs: "iTerm2 tabs",
  lead: "in this terminal",
  driver: "in a display of yours",
  logs: "in log files",
};
