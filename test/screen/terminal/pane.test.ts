import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { choiceStep } from "../../../src/screen/questions/choice-step.ts";
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

it("a question of the program itself counts as waiting for the person until it is answered", async () => {
  const { terminal, type, tick, shown } = emulatedTerminal(60, 16);
  const style = createStyle({ NO_COLOR: "1" });
  const pane = openPane({ terminal, write: () => {}, style, name: "tool", now: () => 0 });
  pane.attach({
    session: { say: () => {}, takeBack: () => false, listen: () => () => {} },
    statusLine: () => (pane.isAsking() ? "needs you" : "ready"),
    wake: () => {},
    onInterrupt: () => {},
  });
  const last = async () => {
    tick();
    return (await shown()).filter(Boolean).at(-1);
  };
  expect(await last()).toBe("ready");
  const choices = [{ words: ["y"], label: "go back", value: true }];
  const step = choiceStep({ title: "Go back?", choices, atEscape: false, escapeHint: "Esc stays", style });
  const given = pane.question(step, new AbortController().signal);
  expect(await last()).toBe("needs you");
  type("\x1b");
  tick();
  expect(await given).toBe(false);
  expect(await last()).toBe("ready");
  pane.close();
});

it("a pane is left when its terminal is lost", () => {
  const { terminal, lose } = emulatedTerminal(60, 16);
  const left: string[] = [];
  const pane = openPane({
    terminal,
    write: () => {},
    style: createStyle({ NO_COLOR: "1" }),
    name: "tool",
    now: () => 0,
    onLeave: () => left.push("left"),
  });
  lose();
  expect(left).toEqual(["left"]);
  pane.close();
});
