// What a process says that ends by a fault which nobody caught.
import { expect, it } from "vitest";
import { uncaughtText } from "../../src/cli/program.ts";

const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", path: "/home/me/.tool/state" });
const at = (isTTY: boolean, argv: string[] = []) => {
  const stream = { isTTY } as never;
  return uncaughtText(full, { argv, env: {}, command: "tool", configDir: "/home/me/.tool", stdin: stream, stdout: stream });
};
const why =
  "tool: this process has failed and ends: Cannot use /home/me/.tool/state: the disk is full. Sessions and teams are kept in /home/me/.tool: make room there, or set TOOL_CONFIG_DIR to another folder.";

it("says why in one sentence, and on a terminal how to go on", () => {
  expect(at(true)).toBe(`${why} To continue the session that ran here: tool --continue\n`);
});

it("names no session to a script or to a member of a team", () => {
  expect([at(false), at(true, ["teammate", "--launch", "x"])]).toEqual([`${why}\n`, `${why}\n`]);
});
