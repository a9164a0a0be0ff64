import { chmodSync, readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toolUser, type Use } from "../agent.ts";
import { type Tree, tree } from "../tree.ts";

let folder: Tree;
let use: Use;
beforeEach(async () => {
  folder = tree({ "a.js": "one\ntwo\nthree\nfour\nfive\nsix\n" });
  use = await toolUser(folder.path);
  await use("Read", { path: "a.js" });
});
afterEach(() => folder.remove());

const edit = (old_string: string, new_string: string, more = {}) => use("Edit", { path: "a.js", old_string, new_string, ...more });

it("replaces exact text and shows the place", async () => {
  expect(await edit("three\n", "3\n3.5\n")).toEqual({
    text: "Edited a.js (+2 −1)\n1\tone\n2\ttwo\n3\t3\n4\t3.5\n5\tfour\n6\tfive",
    summary: "+2 −1",
    isError: false,
    touched: ["a.js"],
    sources: [folder.source("a.js")],
    detail: "--- a.js\n+++ a.js\n@@ -1,6 +1,7 @@\n one\n two\n-three\n+3\n+3.5\n four\n five\n six\n",
  });
  expect(folder.text("a.js")).toBe("one\ntwo\n3\n3.5\nfour\nfive\nsix\n");
});

it("edits again and again without reading in between", async () => {
  await edit("one", "1");
  await edit("two", "2");
  expect(folder.text("a.js")).toBe("1\n2\nthree\nfour\nfive\nsix\n");
});

it("refuses text that is missing, occurs twice, or is the same", async () => {
  const reasons = [await edit("seven", "7"), await edit("f", "F"), await edit("one", "one"), await edit("", "x")];
  expect(reasons.map(({ text }) => text)).toEqual([
    'Cannot edit "a.js": old_string was not found in it. Read it again and copy the text exactly.',
    'Cannot edit "a.js": old_string occurs 2 times (lines 4, 5). Give more of the text around it, or set replace_all.',
    'Cannot edit "a.js": old_string and new_string are the same.',
    'Cannot edit "a.js": old_string is empty. Use Write for a whole file.',
  ]);
  expect(folder.text("a.js")).toBe("one\ntwo\nthree\nfour\nfive\nsix\n");
});

it("refuses a missing file, a folder, a file that was not read, and one that changed", async () => {
  folder.put("dir/b.js", "b");
  folder.put("a.js", "other");
  const results = await Promise.all(
    ["none.js", "dir", "dir/b.js", "a.js"].map((path) => use("Edit", { path, old_string: "b", new_string: "c" })),
  );
  expect(results.map(({ text }) => text)).toEqual([
    'Cannot edit "none.js": there is no such file. Use Write to make it.',
    'Cannot edit "dir": it is a folder.',
    'Cannot edit "dir/b.js": "dir/b.js" exists and you have not read it. Read it first, so that nothing in it is lost.',
    'Cannot edit "a.js": "a.js" has changed since you read it: another agent or a command wrote it. Read it again, then repeat your change on what is there now.',
  ]);
});

it("keeps mode, byte order mark, CRLF, a missing final newline and bytes that are not UTF-8", async () => {
  const before = Buffer.concat([Buffer.from("\uFEFFone\r\ntwo \xe4\r\n", "utf8"), Buffer.from([0xff, 0xfe]), Buffer.from("\r\nend")]);
  folder.put("a.js", before);
  chmodSync(folder.at("a.js"), 0o750);
  await use("Read", { path: "a.js" });
  expect(await edit("one\ntwo ä\n", "1\n2 ö\n3\n")).toMatchObject({ isError: false, summary: "+3 −2" });
  const after = Buffer.concat([Buffer.from("\uFEFF1\r\n2 ö\r\n3\r\n", "utf8"), Buffer.from([0xff, 0xfe]), Buffer.from("\r\nend")]);
  expect(readFileSync(folder.at("a.js"))).toEqual(after);
  expect(statSync(folder.at("a.js")).mode & 0o777).toBe(0o750);
});

it("gives new text the line ends of its place", async () => {
  folder.put("a.js", "one\r\ntwo\nthree\r\n");
  await use("Read", { path: "a.js" });
  await edit("two\n", "2\n2.5\n");
  await edit("three", "3\n4");
  expect(folder.text("a.js")).toBe("one\r\n2\n2.5\n3\r\n4\r\n");
});

it("replaces all places and counts lines, not places", async () => {
  folder.put("a.js", "x x\ny\nx\n");
  await use("Read", { path: "a.js" });
  expect(await edit("x", "z", { replace_all: true })).toMatchObject({
    text: "Edited a.js (+2 −2)\n1\tz z\n2\ty\n3\tz\n[and 2 more]",
    summary: "+2 −2",
  });
  expect(folder.text("a.js")).toBe("z z\ny\nz\n");
});

it("takes old and new text literally, dollars and all", async () => {
  await edit("two", "$& $1 $$");
  expect(folder.text("a.js")).toBe("one\n$& $1 $$\nthree\nfour\nfive\nsix\n");
});

it("says where the text is if only whitespace differs", async () => {
  folder.put("a.js", "if (x) {\n\treturn 1;\n}\n");
  await use("Read", { path: "a.js" });
  expect((await edit("if (x) {\n  return 1;\n}", "y")).text).toBe(
    'Cannot edit "a.js": old_string was not found in it, but 3 lines from line 1 on differ only in white space. Copy the text exactly.',
  );
});

it("says what cannot be found: the line numbers that Read shows, and bytes that are not UTF-8", async () => {
  expect((await edit("2\ttwo\n3\tthree", "y")).text).toBe(
    'Cannot edit "a.js": old_string was not found in it: it has the line numbers that Read shows. Give the text without them.',
  );
  expect((await edit("2\tnine", "y")).text).toBe(
    'Cannot edit "a.js": old_string was not found in it. Read it again and copy the text exactly.',
  );
  folder.put("a.js", Buffer.from("na\xefve\n", "latin1"));
  await use("Read", { path: "a.js" });
  expect((await edit("na\uFFFDve", "y")).text).toBe(
    'Cannot edit "a.js": old_string was not found in it: \uFFFD stands for bytes that are not UTF-8. Give only text around them.',
  );
});

it("loses no edit when two agents edit the same file at once: one of them is told to read again", async () => {
  const other = await toolUser(folder.path);
  for (let round = 0; round < 50; round++) {
    folder.put("a.js", "left\nright\n");
    await Promise.all([use("Read", { path: "a.js" }), other("Read", { path: "a.js" })]);
    const results = await Promise.all([edit("left", "LEFT"), other("Edit", { path: "a.js", old_string: "right", new_string: "RIGHT" })]);
    const [mine, theirs] = results.map(({ isError }) => !isError);
    expect({ round, mine, theirs, text: folder.text("a.js") }).toEqual({
      round,
      mine,
      theirs: !mine,
      text: mine ? "LEFT\nright\n" : "left\nRIGHT\n",
    });
  }
});
