import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandOutput, mostFileBytes } from "../../src/background/command-output.ts";
import { outputStore } from "../../src/edge/disk/output-store.ts";
import { scratchFolder } from "../scratch.ts";

it("keeps at most ten megabytes in the file and some kilobytes in memory", () => {
  const folder = scratchFolder();
  const output = commandOutput(outputStore(folder), () => 0);
  const piece = Buffer.from(`${"x".repeat(99)}\n`.repeat(655));
  output.add(Buffer.from("first\n"));
  for (let n = 0; n < 200; n++) output.add(piece);
  output.add(Buffer.from("last\n"));
  output.end();
  const path = join(folder, "1.txt");
  const text = readFileSync(path, "utf8");
  const unread = output.unread(false);
  expect({
    size: statSync(path).size - mostFileBytes < 100,
    ends: text.endsWith("[nothing more is kept here: the output is longer than 10 MB]\n"),
    unread: [unread.slice(0, 6), unread.length < 32 * 1024, unread.includes(`the whole is in ${path}`), unread.slice(-5)],
    last: output.lastLine(),
  }).toEqual({ size: true, ends: true, unread: ["first\n", true, true, "last\n"], last: "last" });
});

it("does not return a last line whose beginning was dropped", () => {
  const output = commandOutput(undefined, () => 0);
  output.add(Buffer.from("secret".repeat(2_000)));
  expect(output.lastLine()).toBe("");
  output.add(Buffer.from("\nshort"));
  expect(output.lastLine()).toBe("short");
});
