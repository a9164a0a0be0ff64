// A terminal that closes while the program in it works or ends.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { spawn } from "@lydell/node-pty";
import { expect, it } from "vitest";
import { provider } from "../cast.ts";
import { streamed, text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually, scratchFolder } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

it("a session ends at once when a terminal that sends it no SIGHUP is lost during a reply", async () => {
  const there = teamPlace();
  const endless = streamed([text("Half of a reply. ".repeat(40))], { wire: { silentAfter: 600 } });
  const api = await provider({ tool: [endless] });
  const code = join(there.folder, "code");
  const apart = [process.execPath, resolve("dist/test/apart.js"), code, ...tool];
  const seat = personsTerminal(apart, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 80, rows: 24 });
  await seat.shows("ready");
  seat.type("hello\r");
  await seat.shows("Half of a");
  seat.hangUp();
  expect(await eventually(() => existsSync(code) && readFileSync(code, "utf8"))).toBe("0");
});

it("a program whose terminal is lost in its last moment ends with its own code", async () => {
  const sign = join(scratchFolder(), "ending");
  const pty = spawn(process.execPath, [resolve("dist/test/losing-terminal.js"), sign], {});
  const ended = new Promise((resolved) => pty.onExit(resolved));
  await eventually(() => existsSync(sign));
  (pty as typeof pty & { destroy(): void }).destroy();
  expect(await ended).toEqual({ exitCode: 0, signal: 0 });
});
