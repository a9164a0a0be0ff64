import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { reducerFlag } from "../../src/edge/code-cache.ts";

it("reducerFlag() is a flag that V8 knows, of the versions that have it", () => {
  expect(["11.3.244.8-node.38", "12.4.254.21-node.33", "13.6.233.17-node.28"].map(reducerFlag)).toEqual([
    "memory-reducer-single-gc",
    undefined,
    undefined,
  ]);
  const flag = reducerFlag(process.versions.v8);
  const script = `if (${flag !== undefined}) require("node:v8").setFlagsFromString("--${flag}")`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});
