// A terminal that is closed while the program in it ends.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { spawn } from "@lydell/node-pty";
import { expect, it } from "vitest";
import { eventually, scratchFolder } from "../scratch.ts";

it("a program whose terminal is lost in its last moment ends with its own code", async () => {
  const sign = join(scratchFolder(), "ending");
  const pty = spawn(process.execPath, [resolve("dist/test/losing-terminal.js"), sign], {});
  const ended = new Promise((resolved) => pty.onExit(resolved));
  await eventually(() => existsSync(sign));
  (pty as typeof pty & { destroy(): void }).destroy();
  expect(await ended).toEqual({ exitCode: 0, signal: 0 });
});
