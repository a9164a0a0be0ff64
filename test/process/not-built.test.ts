// A checkout that nobody has built.
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../scratch.ts";
import { program } from "./tool.ts";

it("says how to build it", () => {
  const folder = scratchFolder();
  cpSync(program, join(folder, "bin/tool.js"));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "bin/tool.js"), "--version"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, "tool is not built yet. To build it: npm ci && npm run build\n"]);
});
