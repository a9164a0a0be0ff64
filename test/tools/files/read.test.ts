import { symlinkSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { run } from "../../../src/edge/processes/run.ts";
import { toolUser, type Use } from "../agent.ts";
import { type Tree, tree } from "../tree.ts";

let folder: Tree;
let use: Use;
beforeEach(async () => {
  folder = tree({ "src/parse.js": "one\ntwo\nthree\n" });
  use = await toolUser(folder.path);
});
afterEach(() => folder.remove());

const read = (path: string, more = {}) => use("Read", { path, ...more });

it("shows lines with their numbers", async () => {
  expect(await read("src/parse.js")).toEqual({
    text: "1\tone\n2\ttwo\n3\tthree",
    summary: "3 lines",
    isError: false,
    sources: [folder.source("src/parse.js")],
  });
});

it("shows a portion and says how to continue", async () => {
  expect(await read("src/parse.js", { offset: 2, limit: 1 })).toEqual({
    text: "2\ttwo\n[lines 2-2 of 3; go on with offset 3]",
    summary: "1 line",
    isError: false,
    sources: [folder.source("src/parse.js")],
  });
  expect((await read("src/parse.js", { offset: 9 })).text).toBe('Cannot read "src/parse.js" from line 9: it has 3 lines.');
  expect((await read("src/parse.js", { offset: -3, limit: 0 })).text).toBe("1\tone\n[lines 1-1 of 3; go on with offset 2]");
});

it("stays within a budget of lines and bytes, and the portions add up to the file", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `${index} ${"ä".repeat(50)}`);
  folder.put("long.txt", lines.join("\n"));
  const seen: string[] = [];
  for (let offset = 1; offset <= 5000; ) {
    const { text } = await read("long.txt", { offset });
    expect(Buffer.byteLength(text)).toBeLessThan(61 * 1024);
    const shown = text.split("\n").filter((line) => !line.startsWith("["));
    seen.push(...shown.map((line) => line.split("\t")[1]!));
    offset += shown.length;
  }
  expect(seen).toEqual(lines);
});

it("cuts long lines, leaves out a byte order mark and CR, and takes a path from home or root", async () => {
  folder.put("a.txt", `\uFEFFfirst\r\n${"x".repeat(5000)}\r\n`);
  const note = "[long lines are cut; Grep shows the part around a match]";
  expect((await read(folder.at("a.txt"))).text).toBe(`1\tfirst\n2\t${"x".repeat(2000)}… (+3000 characters)\n${note}`);
});

it("says that a file is empty, a folder, missing, binary or too large", async () => {
  folder.put("empty", "");
  folder.put("image.dat", Buffer.from([0x89, 0x50, 0, 1]));
  folder.put("huge.log", "");
  truncateSync(folder.at("huge.log"), 40 * 1024 * 1024);
  const texts = await Promise.all(
    ["empty", "src", "src/Parse.ts", "nowhere/at/all", "image.dat", "huge.log"].map(async (path) => (await read(path)).text),
  );
  expect(texts).toEqual([
    "(the file is empty)",
    'Cannot read "src": it is a folder. Use Glob with this path to see its files.',
    'Cannot read "src/Parse.ts": there is no such file. Did you mean src/parse.js?',
    'Cannot read "nowhere/at/all": there is no such file. Use Glob to find it.',
    'Cannot read "image.dat": it is a binary file of 4 bytes. Use a command that understands it.',
    'Cannot read "huge.log": it is larger than 32 MB. Use Grep, or a command that shows a part of it.',
  ]);
});

it("never waits for a FIFO, a device or a socket, also behind a link", async () => {
  await run(["mkfifo", folder.at("pipe")]);
  symlinkSync("pipe", folder.at("link"));
  const server = createServer().listen(folder.at("sock"));
  await new Promise((resolve) => server.once("listening", resolve));
  const results = await Promise.all(["pipe", "link", "sock"].map((path) => read(path)));
  server.close();
  expect(results.map(({ text, isError }) => ({ text, isError }))).toEqual([
    { text: 'Cannot read "pipe": it is a FIFO, not a file, and reading or writing it could wait for ever.', isError: true },
    { text: 'Cannot read "link": it is a FIFO, not a file, and reading or writing it could wait for ever.', isError: true },
    { text: 'Cannot read "sock": it is a socket, not a file, and reading or writing it could wait for ever.', isError: true },
  ]);
});

it("shows bytes that are not UTF-8 as replacement characters", async () => {
  folder.put("latin1.txt", Buffer.from("na\xefve\n", "latin1"));
  expect((await read("latin1.txt")).text).toBe("1\tna\uFFFDve");
});

it("answers for impossible names", async () => {
  const texts = await Promise.all(["a\0b", "", "x".repeat(5000)].map(async (path) => (await read(path)).isError));
  expect(texts).toEqual([true, true, true]);
});

it("says that a link is dangling, and does not suggest its own name", async () => {
  symlinkSync("nowhere.txt", folder.at("broken.txt"));
  expect((await read("broken.txt")).text).toBe('Cannot read "broken.txt": it is a link to a file that is not there.');
});
