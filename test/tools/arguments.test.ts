import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shell } from "../../src/edge/shell/shell.ts";
import { readArguments } from "../../src/tools/arguments.ts";
import { fileTools } from "../../src/tools/set.ts";
import { todoWriteTool } from "../../src/tools/todo-write.ts";
import { webFetchTool } from "../../src/tools/web/web-fetch.ts";
import { realDisk } from "./agent.ts";
import { type Tree, tree } from "./tree.ts";

let folder: Tree;
beforeEach(() => {
  folder = tree({ "a.ts": "one\ntwo\nthree\nfour\n" });
});
afterEach(() => folder.remove());

const tools = () => {
  const web = { addresses: async () => [], get: async () => ({ kind: "failed" as const, reason: "no network" }) };
  const fetch = webFetchTool(
    web,
    async () => ({ allowed: true }),
    () => {},
  );
  return fileTools({ disk: realDisk, shell: shell({ cwd: folder.path, env: { PATH: process.env["PATH"] ?? "" } }), fetch }).concat(
    todoWriteTool(),
  );
};
const read = (name: string, raw: unknown) => readArguments(tools().find((tool) => tool.name === name)!, raw);

describe("readArguments()", () => {
  it.each([
    ["Read", { file_path: "a.ts", offset: 2 }, { path: "a.ts", offset: 2 }],
    ["Write", { file_path: "a.ts", contents: "x" }, { path: "a.ts", content: "x" }],
    ["Edit", { file_path: "a.ts", old_str: "a", new_str: "b" }, { path: "a.ts", old_string: "a", new_string: "b" }],
    ["Edit", { file_path: "a.ts", edits: [{ old_string: "a", new_string: "b" }] }, { path: "a.ts", old_string: "a", new_string: "b" }],
    ["Glob", { pattern: "*", target_directory: "src" }, { pattern: "*", path: "src" }],
    [
      "Grep",
      { pattern: "x", output_mode: "files_with_matches", "-i": true, "-n": true, "-A": 3, multiline: false },
      { pattern: "x", output: "files", ignore_case: true, after: 3, multiline: false },
    ],
    ["Grep", { pattern: "x", output_mode: "content", "-C": 2, "-A": 5 }, { pattern: "x", output: "content", after: 5, before: 2 }],
    ["Grep", { pattern: "x", context: 1, include: "*.ts" }, { pattern: "x", before: 1, after: 1, glob: "*.ts" }],
    [
      "Bash",
      { command: "ls", timeout: 5000, description: "lists", run_in_background: false },
      { command: "ls", description: "lists", timeout_ms: 5000, background: false },
    ],
    ["WebFetch", { url: "https://example.com/", prompt: "what is it" }, { url: "https://example.com/" }],
  ])("%s accepts the names of other tools: %j", (name, raw, input) => {
    expect(read(name, raw)).toEqual({ ok: true, input });
  });

  it.each([
    ["Read", { path: "a.ts", offset: "5", limit: null }, { path: "a.ts", offset: 5 }],
    [
      "Grep",
      { pattern: "x", "-C": "2", "-i": "True", head_limit: "", output_mode: "" },
      { pattern: "x", before: 2, after: 2, ignore_case: true },
    ],
    ["Bash", { command: "ls", timeout: "5000", run_in_background: "false" }, { command: "ls", timeout_ms: 5000, background: false }],
    ["Edit", { path: "a", old_string: "5", new_string: "" }, { path: "a", old_string: "5", new_string: "" }],
    ["TodoWrite", { todos: '[{"content":"a","status":"pending","activeForm":"b"}]' }, { todos: [{ content: "a", status: "pending" }] }],
  ])("%s converts values whose meaning is clear: %j", (name, raw, input) => {
    expect(read(name, raw)).toEqual({ ok: true, input });
  });

  it.each([
    ["Read", { path: "a.ts", offset: "five" }, "offset: Invalid input: expected number, received string"],
    ["Read", { path: null }, "path: Invalid input: expected string, received null"],
    ["Edit", { path: "a", old_string: "x", new_string: null }, "new_string: Invalid input: expected string, received null"],
    ["TodoWrite", { todos: "[{" }, "todos: Invalid input: expected array, received string"],
    ["Read", "a.ts", "Invalid input: expected object, received string"],
  ])("%s guesses no further: %j", (name, raw, reason) => {
    expect(read(name, raw)).toEqual({ ok: false, reason });
  });

  it.each([
    [
      "Bash",
      { command: "npm run dev", dangerouslyDisableSandbox: true },
      '"dangerouslyDisableSandbox" is not an argument of it; it takes command, description, timeout_ms, background',
    ],
    [
      "Grep",
      { pattern: "x", "-o": true, offset: 5 },
      '"-o", "offset" are not arguments of it; it takes pattern, path, glob, type, output, ignore_case, before, after, multiline, head_limit',
    ],
    ["Read", { path: "a.ts", file_path: "b.ts" }, '"file_path" and "path" mean the same here but differ: give one of them'],
    ["Write", { path: "a.ts" }, "content: Invalid input: expected string, received undefined"],
  ])("%s refuses unknown names: %j", (name, raw, reason) => {
    expect(read(name, raw)).toEqual({ ok: false, reason });
  });

  it("refuses several changes in one Edit, and a change that is given twice and differently", () => {
    const change = { old_string: "a", new_string: "b" };
    expect(read("Edit", { path: "a.ts", edits: [change, change] })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('"edits" is not an'),
    });
    expect(read("Edit", { path: "a.ts", ...change, edits: [{ ...change, new_string: "c" }] })).toMatchObject({ ok: false });
    expect(read("Edit", { path: "a.ts", edits: [{ ...change, colour: "red" }] })).toMatchObject({ ok: false });
  });

  it("takes the same path under both names, and nothing from the prototype of an object", () => {
    expect(read("Read", { path: "a.ts", file_path: "a.ts" })).toEqual({ ok: true, input: { path: "a.ts" } });
    expect(read("Read", { path: "a.ts", constructor: 1 })).toMatchObject({ ok: false });
  });

  it("every alias of every tool leads to an argument that the tool has", () => {
    const led = tools().flatMap(({ name, input, aliases = {} }) =>
      Object.values(aliases).flatMap((alias) => {
        const to =
          typeof alias === "string"
            ? [alias]
            : "each" in alias
              ? alias.each
              : "one" in alias
                ? alias.one
                : "name" in alias
                  ? [alias.name]
                  : [];
        return to.map((argument) => ({ tool: name, argument, known: argument in (input as unknown as { shape: object }).shape }));
      }),
    );
    expect(led.length).toBeGreaterThan(15);
    expect(led.filter(({ known }) => !known)).toEqual([]);
  });
});
