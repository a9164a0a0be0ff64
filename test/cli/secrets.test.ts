import { expect, it } from "vitest";
import { failing } from "../failing-calls.ts";
import { commandLine } from "./command-line.ts";

it("tool secrets scan names a path that does not exist in plain words, and reads everything else", async () => {
  const { tool, cwd } = commandLine({ "a.txt": "nothing", empty: "", "photo.bin": Buffer.from([0, 1, 2]) });
  expect(await tool("secrets", "scan", "nofile")).toEqual({
    code: 2,
    out: "",
    err: `tool: cannot look for secrets in ${cwd}/nofile: there is no such file or folder.\n`,
  });
  expect(await tool("secrets", "scan", "a.txt/b")).toEqual({
    code: 2,
    out: "",
    err: `tool: cannot look for secrets in ${cwd}/a.txt/b: a part of the path is a file.\n`,
  });
  expect(await tool("secrets", "scan", "a.txt", "empty", "photo.bin")).toEqual({
    code: 0,
    out: "No secrets in 3 files (1 binary not scanned)\n",
    err: "",
  });
});

it("tool secrets scan names the files and folders that it may not read, and does not call the rest all", async () => {
  const { tool, cwd } = commandLine({ "a.txt": "nothing", "closed.txt": "nothing", "closed/b.txt": "nothing" });
  failing("readFileSync", { code: "EACCES", when: (path) => path === `${cwd}/closed.txt` });
  failing("readdirSync", { code: "EACCES", when: (path) => path === `${cwd}/closed` });
  expect(await tool("secrets", "scan")).toEqual({
    code: 1,
    out: [
      "closed.txt was not scanned: permission denied",
      "closed was not scanned: permission denied",
      "No secrets in 1 file (2 could not be read)",
      "",
    ].join("\n"),
    err: "",
  });
  expect(JSON.parse((await tool("secrets", "scan", "--json")).out)).toMatchObject({ ok: false, files: 1, unread: [{}, {}] });
});
