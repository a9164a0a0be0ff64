import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { openPane } from "../../../src/screen/terminal/pane.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";
import { said } from "../session-kit.ts";

it("a pane has a clock while its agent works, and none while it rests", () => {
  const { terminal, tick } = emulatedTerminal(60, 16);
  let clocks = 0;
  const every: typeof terminal.every = (ms, listener) => {
    const stop = terminal.every(ms, listener);
    let running = 1;
    clocks++;
    return () => {
      clocks -= running;
      running = 0;
      stop();
    };
  };
  const listeners: ((event: AgentEvent) => void)[] = [];
  const pane = openPane({
    terminal: { ...terminal, columns: 60, rows: 16, every },
    write: () => {},
    style: createStyle({ NO_COLOR: "1" }),
    name: "tool",
    now: () => 0,
  });
  const listen = (listener: (event: AgentEvent) => void) => {
    listeners.push(listener);
    return () => {};
  };
  pane.attach({
    session: { say: () => {}, takeBack: () => false, listen },
    statusLine: () => "status",
    wake: () => {},
    onInterrupt: () => {},
  });
  const happens = (event: AgentEvent) => {
    for (const listen of listeners) listen(event);
  };
  tick();
  expect(clocks).toBe(0);
  happens(said.request);
  for (let second = 0; second < 3; second++) tick();
  expect(clocks).toBe(2);
  happens(said.reply("Done."));
  for (let second = 0; second < 3; second++) tick();
  expect(clocks).toBe(0);
  pane.close();
});
