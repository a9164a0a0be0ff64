import { execFileSync } from "node:child_process";
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
  failing("openSync", { code: "EACCES", when: (path) => path === `${cwd}/closed.txt` });
  failing("readdirSync", { code: "EACCES", when: (path) => path === `${cwd}/closed` });
  expect(await tool("secrets", "scan")).toEqual({
    code: 1,
    out: [
      "closed.txt was not scanned: permission denied",
      "closed was not scanned: permission denied",
      "No secrets in 1 file (2 not scanned)",
      "",
    ].join("\n"),
    err: "",
  });
  expect(JSON.parse((await tool("secrets", "scan", "--json")).out)).toMatchObject({ ok: false, files: 1, unread: [{}, {}] });
});

it("tool secrets scan names the texts that are too large for it, staged ones too, and passes over large binary files as over others", async () => {
  const large = 20 * 1024 * 1024 + 1;
  const { tool, cwd } = commandLine({ "all.log": Buffer.alloc(large, "a line\n"), "photo.raw": Buffer.alloc(large) });
  const scanned = {
    code: 1,
    out:
      "all.log was not scanned: it is larger than 20 MB; to scan it, pass it on standard input: tool secrets scan -\n" +
      "No secrets in 1 file (1 not scanned; 1 binary not scanned)\n",
    err: "",
  };
  expect(await tool("secrets", "scan", "all.log", "photo.raw")).toEqual(scanned);
  execFileSync("git", ["init", "--quiet"], { cwd });
  execFileSync("git", ["-c", "core.compression=0", "add", "."], { cwd });
  expect(await tool("secrets", "scan", "--staged")).toEqual({ ...scanned, out: scanned.out.replace("1 file (", "1 staged file (") });
});

it("tool secrets scan names what it left out because git ignores it, and how to scan that", async () => {
  const { tool, cwd } = commandLine({ "a.txt": "nothing", ".env": "A=1", "dist/b.txt": "b", ".gitignore": ".env\ndist/\n" });
  execFileSync("git", ["init", "--quiet"], { cwd });
  expect(await tool("secrets", "scan")).toEqual({
    code: 0,
    out: "No secrets in 2 files\nLeft out because git ignores them: .env, dist/. To scan one, name it: tool secrets scan .env\n",
    err: "",
  });
  expect(JSON.parse((await tool("secrets", "scan", "--json")).out)).toMatchObject({ ok: true, files: 2, ignored: [".env", "dist/"] });
  expect((await tool("secrets", "scan", ".env", "dist")).out).toBe("No secrets in 2 files\n");
});
