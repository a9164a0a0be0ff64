// A session's screen on the real terminal, in a program that crashes after the first key: at work that nobody waits for, as a fault at a key is said.
import { openTerminal } from "../../src/edge/display/terminal.ts";
import { createStyle } from "../../src/screen/style.ts";
import { createSessionScreen } from "../../src/screen/terminal/session-screen.ts";

const terminal = openTerminal();
if (!terminal) throw new Error("This is no terminal");
const screen = createSessionScreen({
  terminal,
  style: createStyle(process.env),
  statusLine: () => "press a key",
  onLine: () => true,
  onEscape: () => {},
  onInterrupt: () => {},
  onKey: () => {
    setImmediate(() => {
      throw new Error("a fault that nobody caught");
    });
    return true;
  },
  now: () => performance.now(),
});
screen.refresh();
