// A pane's screen where there is no terminal: events and texts as plain lines, and nobody who could answer.
import type { AgentEvent } from "../../agent/events.ts";
import { agentLines } from "../events/agent-lines.ts";
import type { Style } from "../style.ts";
import type { PaneScreen } from "./session-screen.ts";

export function plainScreen(write: (text: string) => void, style: Style): PaneScreen {
  const print = (text: string) => write(`${text}\n`);
  const show = (event: AgentEvent) => {
    const lines = agentLines(event, style);
    if (lines !== undefined) print(lines);
  };
  return {
    show,
    replay: (events) => events.forEach(show),
    print,
    refresh() {},
    showRunning: () => ({ write() {}, end() {} }),
    hold: () => () => {},
    lend: (work) => work(),
    pick: async () => undefined,
    fill: async () => undefined,
    typeIn() {},
    title() {},
    limitText() {},
    bell() {},
    notify() {},
    leaving() {},
    close() {},
  };
}
