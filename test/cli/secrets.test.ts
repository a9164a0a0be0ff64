import { expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

it("tool secrets scan names a path that does not exist in plain words, and reads everything else", async () => {
  const { tool, cwd } = commandLine({ "a.txt": "nothing", empty: "", "photo.bin": Buffer.from([0, 1, 2]) });
  expect(await tool("secrets", "scan", "nofile")).toEqual({
    code: 2,
    out: "",
    err: `tool: Cannot look for secrets in ${cwd}/nofile: there is no such file or folder.\n`,
  });
  expect(await tool("secrets", "scan", "a.txt/b")).toEqual({
    code: 2,
    out: "",
    err: `tool: Cannot look for secrets in ${cwd}/a.txt/b: a part of the path is a file.\n`,
  });
  expect(await tool("secrets", "scan", "a.txt", "empty", "photo.bin")).toEqual({
    code: 0,
    out: "No secrets in 3 files (1 binary not scanned)\n",
    err: "",
  });
});
