// A person makes a file that would run later while a command of the session runs: it is moved away, as it may be the command's, and they are told.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");

async function whileCommandRuns() {
  const api = await provider({ tool: [call("Bash", { command: "printf 'beg%s\\n' un; sleep 1000" }), text("Done.")] });
  const there = teamPlace();
  const seat = personsTerminal(tool, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 120, rows: 30 });
  await seat.shows("ready");
  seat.type("run it\r");
  await seat.shows("begun"); // its output, as the command is watched by then
  const file = join(there.repository, ".npmrc");
  writeFileSync(file, "registry=x\n");
  await eventually(() => !existsSync(file));
  return seat;
}

it.skipIf(noSandbox)("says where such a file is while the command runs, and again when it is interrupted", async () => {
  const seat = await whileCommandRuns();
  await seat.shows("what would run later or set rights is moved away: .npmrc (now");
  seat.type("\x1b");
  await seat.shows("interrupted");
  await seat.shows("Move it back if it is yours.");
  expect(await seat.leave()).toBe(0);
});
