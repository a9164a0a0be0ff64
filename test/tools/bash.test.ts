import { afterEach, beforeEach, expect, it } from "vitest";
import { toolUser, type Use } from "./agent.ts";
import { type Tree, tree } from "./tree.ts";

let folder: Tree;
let use: Use;
beforeEach(async () => {
  folder = tree({ "sum.test.js": 'import t from "node:test"; t("a", () => {}); t("b", () => { if (process.env.FAIL) throw 1; });' });
  use = await toolUser(folder.path);
});
afterEach(() => folder.remove());

const bash = (command: string, more = {}) => use("Bash", { command, ...more });

it("gives output and exit code, in the working directory on each call", async () => {
  expect(await bash("pwd; cd /")).toEqual({ text: folder.path, summary: "exit 0", isError: false });
  expect(await bash("pwd; exit 3")).toEqual({ text: `${folder.path}\n[exit 3]`, summary: "exit 3", isError: true });
  expect(await bash("true")).toEqual({ text: "(no output)", summary: "exit 0", isError: false });
});

it("keeps standard output and standard error in their order", async () => {
  expect((await bash("for n in 1 2 3; do echo out $n; echo err $n >&2; done")).text).toBe("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3");
});

it("stops a command that runs too long, with what it printed", async () => {
  expect(await bash("echo before; sleep 600", { timeout_ms: 300 })).toEqual({
    text: "before\n[stopped with everything it started: it ran longer than 300 ms]",
    summary: "timed out",
    isError: true,
  });
});

it("shows the beginning and the end of a long output and says how much is missing", async () => {
  const { text } = await bash("echo first; head -c 10000000 /dev/zero | tr '\\0' x; echo; echo last");
  const [head, note, tail] = [text.slice(0, 7), /\[… (\d+) bytes cut/.exec(text)?.[1], text.slice(-6)];
  expect({ head, cut: Number(note), tail, size: text.length < 31 * 1024 }).toEqual({
    head: "first\nx",
    cut: 10_000_012 - 30 * 1024,
    tail: "x\nlast",
    size: true,
  });
});

it("cuts no character in two, and shows invalid UTF-8 as replacement characters", async () => {
  const { text } = await bash("printf '€%.0s' $(seq 30000)");
  expect([text.includes("\uFFFD"), text.startsWith("€"), text.endsWith("€")]).toEqual([false, true, true]);
  expect((await bash("printf 'a\\377b'")).text).toBe("a\uFFFDb");
});

it("leaves out colours", async () => {
  expect((await bash("printf '\\033[31mred\\033[0m\\r\\n'")).text).toBe("red");
});

it("treats a time limit of zero as absent", async () => {
  const limits = await Promise.all([0, -1].map(async (limit) => (await use("Bash", { command: "echo here", timeout_ms: limit })).text));
  expect(limits).toEqual(["here", "here"]);
});

it("summarizes test runs", async () => {
  expect(await bash("node --test")).toMatchObject({ summary: "✓ 2 passed", isError: false });
  expect(await bash("FAIL=1 node --test")).toMatchObject({ summary: "✗ 1 of 2 failed: b", isError: true });
});

it("ends with a sentence if the shell cannot start", async () => {
  expect((await bash("echo 'a\0b'")).text).toBe(
    "Cannot run the command: it has a null byte. Use printf '\\0' where a program is to get one.",
  );
  expect((await bash(`: ${"x".repeat(3_000_000)}`)).text).toBe("Cannot run the command: it is too long. Write it to a file and run that.");
});
