// The real terminal, in a pseudo-terminal: what was typed before the program listened.
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { personsTerminal } from "../../persons-terminal.ts";
import { scratchFolder } from "../../scratch.ts";

it("a line that was typed before the raw mode ends with Enter, not with Ctrl-J", async () => {
  const program = [process.execPath, resolve("dist/test/typed-ahead.js")];
  const seat = personsTerminal(program, { env: {}, cwd: scratchFolder(), columns: 80, rows: 24 });
  await seat.shows("not yet raw");
  seat.type("hi there\r");
  await seat.shows("hi there"); // the terminal itself shows it, so it has it
  process.kill(seat.pid, "SIGUSR1");
  await seat.shows(String.raw`keys: "hi there\r"`);
  expect(await seat.ended).toBe(0);
});
