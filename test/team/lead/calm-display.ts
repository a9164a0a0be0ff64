// A display on which nothing happens; each test replaces the methods that it is about.
import type { Display, DisplayHandle } from "../../../src/team/display/display.ts";

export const handle: DisplayHandle = { kind: "tmux", socket: "/s", serverPid: 1, serverStart: "1", pane: "%1", panePid: 1, owner: "o" };

export const calmDisplay: Display = {
  kind: "tmux",
  open: async () => handle,
  state: async () => "open",
  lastWords: async () => "",
  label: async () => {},
  close: async () => {},
  dispose: async () => {},
};
