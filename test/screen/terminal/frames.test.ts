import { expect, it } from "vitest";
import { said, sessionScreen } from "../session-kit.ts";

const rule = "─".repeat(60);
const screenWith = (line: string, ...above: string[]) => [...above, rule, `>${line}`, rule, "status"];

it("echoes a key at once while a reply streams, in one drawing for a burst of keys", async () => {
  const { screen, clock, type, tick, shown, rest } = sessionScreen({ rows: 8 });
  screen.show(said.request);
  rest();
  screen.show(said.text("One"));
  const atOnce = await shown();
  clock.now = 20;
  type("k");
  const echoed = await shown();
  clock.now = 22;
  type("e");
  const burst = await shown();
  tick();
  const writing = ["", "One", "  · writing  ~1 tokens"];
  expect([atOnce, echoed, burst, await shown()]).toEqual([
    screenWith(""),
    screenWith(" k", ...writing),
    screenWith(" k", ...writing),
    screenWith(" ke", ...writing),
  ]);
});

it("draws nothing while a call's end goes on to the next request, then once what is finished and what goes on", async () => {
  const { screen, shown, terminal } = sessionScreen({ rows: 8 });
  let writes = 0;
  const { write } = terminal;
  terminal.write = (bytes) => {
    writes++;
    write(bytes);
  };
  screen.show(said.started("1", "Bash", "npm test"));
  screen.show(said.ended("1", {}));
  screen.show(said.request);
  const meanwhile = writes;
  const lines = await shown();
  const call = `  Bash   npm test${" ".repeat(27)}✓ exit 0`;
  expect([meanwhile, writes, lines]).toEqual([0, 1, screenWith("", call, "  · thinking")]);
});
