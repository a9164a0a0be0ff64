import { expect, it } from "vitest";
import { said, sessionScreen } from "../session-kit.ts";

const rule = "─".repeat(60);
const screenWith = (line: string, ...above: string[]) => [...above, rule, `>${line}`, rule, "status"];

it("echoes a key at once while a reply streams, in one drawing for a burst of keys", async () => {
  const { screen, clock, type, tick, shown } = sessionScreen({ rows: 8 });
  screen.show(said.request);
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
