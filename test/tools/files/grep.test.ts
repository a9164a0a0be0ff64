import { afterEach, beforeEach, expect, it } from "vitest";
import { files } from "../../../src/edge/disk/files.ts";
import { matchingLines } from "../../../src/edge/matching-lines.ts";
import { run } from "../../../src/edge/processes/run.ts";
import { secretScanner } from "../../../src/edge/secret-scanner.ts";
import { guardDisk } from "../../../src/permissions/guard.ts";
import { ignorePatterns } from "../../../src/permissions/paths/ignore-patterns.ts";
import { redactingDisk } from "../../../src/secrets/redaction/redacting-disk.ts";
import { createRedactor } from "../../../src/secrets/redaction/redactor.ts";
import { grepTool } from "../../../src/tools/files/grep.ts";
import { seeded } from "../../process/seeded.ts";
import { draw } from "../../secrets/labelled.ts";
import { policyFor, realDisk, toolUser, type Use } from "../agent.ts";
import { type Tree, tree } from "../tree.ts";

let folder: Tree;
let use: Use;
beforeEach(async () => {
  folder = tree({
    "src/a.ts": "const currency = 1;\nnothing\nCurrency()\n",
    "src/b.js": "currency\r\n",
    "docs/x.md": "no money\n",
    "image.bin": Buffer.from("currency\0"),
    "node_modules/m/a.ts": "currency",
    "out/gen.ts": "currency",
    ".gitignore": "out\n",
  });
  use = await toolUser(folder.path);
});
afterEach(() => folder.remove());

const grep = async (input: Record<string, unknown>) => (await use("Grep", input)).text.split("\n");

it("shows matching lines with file and line, in text files that are not excluded", async () => {
  expect(await use("Grep", { pattern: "currency" })).toEqual({
    text: "src/a.ts:1:const currency = 1;\nsrc/b.js:1:currency",
    summary: "2 matches",
    isError: false,
    sources: [folder.source("src/a.ts"), folder.source("src/b.js")],
  });
});

it("takes a folder, a file or a glob, and may ignore case", async () => {
  expect(await grep({ pattern: "^currency", path: "src", ignore_case: true })).toEqual(["src/a.ts:3:Currency()", "src/b.js:1:currency"]);
  expect(await grep({ pattern: "currency$", path: "src/b.js" })).toEqual(["src/b.js:1:currency"]);
  expect(await grep({ pattern: "urrency", glob: "*.ts" })).toEqual(["src/a.ts:1:const currency = 1;", "src/a.ts:3:Currency()"]);
});

it("takes a file type, by the names that other tools have for it too, and names the known ones", async () => {
  expect(await grep({ pattern: "urrency", type: "ts", output: "files" })).toEqual(["src/a.ts"]);
  expect(await grep({ pattern: "urrency", type: "javascript", output: "files" })).toEqual(["src/b.js"]);
  expect((await grep({ pattern: "x", type: "zig" }))[0]).toMatch(
    /^Cannot search for "x" in "\.": "zig" is not a type; the types are c, cpp, .*Use glob for others\.$/,
  );
});

it("respects a limit on the number of lines, and says how many there are", async () => {
  expect(await grep({ pattern: "urrency", head_limit: 1 })).toEqual([
    "src/a.ts:1:const currency = 1;",
    "[2 more; use a narrower path or pattern]",
  ]);
  expect(await grep({ pattern: "urrency", head_limit: 1, after: 1 })).toEqual([
    "src/a.ts:1:const currency = 1;",
    "src/a.ts-2-nothing",
    "[2 more matches; use a narrower path or pattern]",
  ]);
  expect(await grep({ pattern: "urrency", output: "files", head_limit: 1 })).toEqual([
    "src/a.ts",
    "[1 more; use a narrower path or pattern]",
  ]);
});

it.each([true, false])("finds matches that span lines if asked for, and shows each of them; ripgrep: %s", async (ripgrep) => {
  if (ripgrep && (await run(["rg", "--version"])).code !== 0) return console.log("skipped: there is no ripgrep");
  folder.put("src/c.ts", "start(\r\n  one,\r\n  two,\r\n);\nother();\nstart(x);\n");
  const tool = grepTool(guardDisk(files({ ignorePatterns, ripgrep }), await policyFor(folder.path)));
  const search = async (more: Record<string, unknown>) =>
    (await tool.run({ pattern: "start\\([^)]*\\)", type: "ts", ...more }, { signal: new AbortController().signal })).text.split("\n");
  expect(await search({})).toEqual(["src/c.ts:6:start(x);"]);
  expect(await search({ multiline: true })).toEqual([
    "src/c.ts:1:start(",
    "src/c.ts:2:  one,",
    "src/c.ts:3:  two,",
    "src/c.ts:4:);",
    "src/c.ts:6:start(x);",
  ]);
});

it("shows only files, or counts", async () => {
  expect(await grep({ pattern: "urrency", output: "files" })).toEqual(["src/a.ts", "src/b.js"]);
  expect(await grep({ pattern: "urrency", output: "count" })).toEqual(["src/a.ts:2", "src/b.js:1"]);
});

it("says when nothing matches, the path is missing, or the expression is wrong", async () => {
  expect(await grep({ pattern: "zzz" })).toEqual(["No line matches"]);
  expect(await grep({ pattern: "x", path: "nowhere" })).toEqual(['Cannot search for "x" in "nowhere": there is no such file or folder.']);
  expect(await grep({ pattern: "(" })).toEqual(['Cannot search for "(" in ".": Invalid regular expression: /(/: Unterminated group.']);
});

it("shows a long line around the match, and stays within a budget", async () => {
  folder.put("min.js", `${"x".repeat(100_000)}needle${"y".repeat(100_000)}`);
  folder.put("many.txt", "needle\n".repeat(1000));
  const [long] = await grep({ pattern: "needle", path: "min.js" });
  expect([long!.length < 320, long!.includes("needle")]).toEqual([true, true]);
  const many = await grep({ pattern: "needle", path: "many.txt" });
  expect([many.length, many.at(-1)]).toEqual([301, "[700 more; use a narrower path or pattern]"]);
});

it("skips a FIFO", async () => {
  await run(["mkfifo", folder.at("src/pipe")]);
  expect(await grep({ pattern: "currency", output: "files" })).toEqual(["src/a.ts", "src/b.js"]);
});

it("can be interrupted in a pattern that would take forever, while this process continues", async () => {
  folder.put("evil.txt", `${"a".repeat(100)}!\n`);
  const abort = new AbortController();
  const running = use("Grep", { pattern: "^(a+)+$" }, abort.signal);
  let beats = 0;
  const heart = setInterval(() => {
    if (++beats === 20) abort.abort();
  }, 10);
  const { text } = await running;
  clearInterval(heart);
  expect([beats, text]).toEqual([
    20,
    "No line matches\n[out of time before everything was searched: use a narrower path or a simpler pattern]",
  ]);
});

it("shows the lines around a match as grep does, each once", async () => {
  folder.put("text.txt", "a\nb\nhit 1\nc\nhit 2\nd\ne\nf\ng\nhit 3\n");
  expect(await grep({ pattern: "hit", path: "text.txt", before: 1, after: 1 })).toEqual([
    "text.txt-2-b",
    "text.txt:3:hit 1",
    "text.txt-4-c",
    "text.txt:5:hit 2",
    "text.txt-6-d",
    "--",
    "text.txt-9-g",
    "text.txt:10:hit 3",
  ]);
  expect(await grep({ pattern: "nothing|^currency", path: "src", before: 1 })).toEqual([
    "src/a.ts-1-const currency = 1;",
    "src/a.ts:2:nothing",
    "--",
    "src/b.js:1:currency",
  ]);
});

it("numbers context lines as in the file, and shows no secret there", async () => {
  const body = Array.from({ length: 12 }, () => draw("base62", 64, seeded(3))).join("\n");
  folder.put("key.txt", `one\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\ntwo\nneedle\nthree\n`);
  const redactor = createRedactor({ mode: "redact", scanner: secretScanner(), variables: [] });
  const disk = redactingDisk(guardDisk(realDisk, await policyFor(folder.path)), redactor, matchingLines);
  const wanted = { pattern: "needle", path: "key.txt", before: 4, after: 1 };
  const { text } = await grepTool(disk).run(wanted, { signal: new AbortController().signal });
  expect(text.split("\n").slice(-3)).toEqual(["key.txt-16-two", "key.txt:17:needle", "key.txt-18-three"]);
  expect(text).not.toContain(body.slice(-64));
});

it("matches only what is shown of a file with secrets, so that a pattern finds out nothing about them", async () => {
  const secret = `ghp_${draw("base62", 36, seeded(5))}`;
  folder.put("config.ini", `[forge]\ntoken = ${secret}\nuser = app\n`);
  const redactor = createRedactor({ mode: "redact", scanner: secretScanner(), variables: [] });
  const disk = redactingDisk(guardDisk(realDisk, await policyFor(folder.path)), redactor, matchingLines);
  const found = async (pattern: string, more: object = {}) =>
    (await grepTool(disk).run({ pattern, path: "config.ini", ...more }, { signal: new AbortController().signal })).text;
  expect(await found("TOKEN = ", { ignore_case: true })).toMatch(/^config\.ini:2:token = \S+$/);
  const guesses = [`token = ${secret.slice(0, 8)}`, `^token = .*${secret.slice(-4)}$`, `token = (?:${secret})`, "token = [a-z]{3}_"];
  for (const guess of guesses)
    for (const output of ["content", "files", "count"])
      for (const multiline of [false, true]) expect([guess, await found(guess, { output, multiline })]).toEqual([guess, "No line matches"]);
  expect(await found(`forge\\]\\ntoken = ${secret.slice(0, 6)}`, { multiline: true })).toBe("No line matches");
  expect(await found("user = app", { output: "count" })).toBe("config.ini:1");
});

it("treats empty arguments as missing", async () => {
  const tools = grepTool(guardDisk(realDisk, await policyFor(folder.path)));
  const search = async (more: object) => (await tools.run({ pattern: "zebra", ...more }, { signal: new AbortController().signal })).text;
  folder.put("z.txt", "zebra\n");
  expect([await search({ glob: "", type: "", path: "" }), await search({})]).toEqual(["z.txt:1:zebra", "z.txt:1:zebra"]);
});
