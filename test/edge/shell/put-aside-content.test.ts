import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { putAsideContent } from "../../../src/edge/shell/put-aside-content.ts";
import { scratchFolder } from "../../scratch.ts";

it("shows the lines of a file, at most 400, and counts the rest", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, ".npmrc"), "registry=x\n\nscripts=y\n");
  writeFileSync(join(folder, "long"), "line\n".repeat(500));
  writeFileSync(join(folder, "large"), `${"x".repeat(300_000)}\n`);
  expect(putAsideContent(join(folder, ".npmrc"))).toEqual({ lines: ["+ registry=x", "+ ", "+ scripts=y"], more: 0 });
  const { lines, more } = putAsideContent(join(folder, "long"));
  expect([lines.length, lines[399], more]).toEqual([400, "+ line", 100]);
  expect(putAsideContent(join(folder, "large")).lines[1]).toBe("(37857 more bytes)");
});

it("shows a folder file by file, with the first lines of each", () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "a/b"), { recursive: true });
  writeFileSync(join(folder, "a/b/tasks.json"), "{\n}\n");
  writeFileSync(join(folder, "a/run.sh"), "x\n".repeat(21));
  symlinkSync("/etc/passwd", join(folder, "a/z"));
  mkdirSync(join(folder, "empty"));
  expect(putAsideContent(join(folder, "a"))).toEqual({
    lines: ["b/tasks.json:", "+ {", "+ }", "run.sh:", ...Array(20).fill("+ x"), "  1 more line", "z:", "(a link to /etc/passwd)"],
    more: 0,
  });
  expect(putAsideContent(join(folder, "empty")).lines).toEqual(["(an empty folder)"]);
  for (let index = 0; index < 201; index++) writeFileSync(join(folder, "empty", String(index)), "");
  const { lines, more } = putAsideContent(join(folder, "empty"));
  expect([lines.length, more]).toEqual([400, 1]);
});

it("follows no link, waits for no pipe, and reports what is not text or cannot be read", () => {
  const folder = scratchFolder();
  symlinkSync("../outside", join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  writeFileSync(join(folder, "binary"), Buffer.from([1, 0, 2]));
  writeFileSync(join(folder, "empty"), "");
  const closed = join(folder, "closed");
  mkdirSync(closed);
  chmodSync(closed, 0);
  const shown = ["link", "pipe", "binary", "empty", "missing"].map((name) => putAsideContent(join(folder, name)).lines);
  chmodSync(closed, 0o700);
  expect(shown).toEqual([
    ["(a link to ../outside)"],
    ["(not a regular file: a pipe, a socket or a device)"],
    ["(3 bytes that are not text)"],
    ["(an empty file)"],
    ["(it cannot be read)"],
  ]);
});
