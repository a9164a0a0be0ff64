import { describe, expect, it } from "vitest";
import { underAllNames, underOurNames } from "../../src/tools/argument-names.ts";
import type { Aliases } from "../../src/tools/arguments.ts";

const aliases: Aliases = {
  file_path: { name: "path", absolute: true },
  contents: "content",
  mode: { name: "output", words: { files_with_matches: "files" } },
  "-C": { each: ["before", "after"] },
  prompt: { ignored: true },
  edits: { one: ["old", "new"] },
};

describe("underAllNames()", () => {
  it.each([
    [{ path: "a.ts" }, { file_path: "/repo/a.ts" }],
    [{ path: "../x" }, { file_path: "/x" }],
    [{ path: "/etc/x" }, { file_path: "/etc/x" }],
    [{ content: "x" }, { contents: "x" }],
    [{ output: "files" }, { mode: "files_with_matches" }],
    [{ output: "count" }, { mode: "count" }],
    [{ before: 1, after: 1 }, { "-C": 1 }],
    [{ before: 1, after: 2 }, {}],
    [{ other: 1 }, {}],
    [{ old: "a", new: "b" }, { edits: [{ old: "a", new: "b" }] }],
  ])("of %j adds %j", (input, added) => {
    expect(underAllNames(input, aliases, "/repo")).toEqual({ ...input, ...added });
  });
});

describe("underOurNames() of a list with one change", () => {
  const input = { path: "a.ts", old: "a", new: "b" };
  const shown = underAllNames(input, aliases, "/repo");
  const meant = (answer: Record<string, unknown>) => underOurNames(answer, { input, shown, aliases });

  it("counts what is changed in it, and refuses what is changed differently beside it", () => {
    expect(meant(shown)).toEqual({ ok: true, input });
    expect(meant({ ...shown, edits: [{ old: "a", new: "c" }] })).toEqual({ ok: true, input: { ...input, new: "c" } });
    expect(meant({ ...shown, old: "x", edits: [{ old: "a", new: "c" }] })).toEqual({ ok: true, input: { ...input, old: "x", new: "c" } });
    expect(meant({ path: "a.ts", edits: [{ old: "a", new: "c" }] })).toEqual({ ok: true, input: { ...input, new: "c" } });
    expect(meant({ ...shown, new: "d", edits: [{ old: "a", new: "c" }] })).toMatchObject({ ok: false });
    const two = [{ old: "a", new: "c" }, { old: "b" }];
    expect(meant({ path: "a.ts", edits: two })).toEqual({ ok: true, input: { path: "a.ts", edits: two } });
  });
});

describe("underOurNames()", () => {
  const input = { path: "a.ts", content: "x" };
  const shown = underAllNames(input, aliases, "/repo");
  const meant = (answer: Record<string, unknown>) => underOurNames(answer, { input, shown, aliases });

  it.each([
    ["what it was given", shown, input],
    ["our name alone, changed", { path: "b.ts", content: "x" }, { path: "b.ts", content: "x" }],
    ["the other name alone, changed", { file_path: "/repo/b.ts", contents: "y" }, { path: "/repo/b.ts", content: "y" }],
    ["the other name alone, as it was", { file_path: "/repo/a.ts", content: "x" }, input],
    ["both, with ours changed", { ...shown, path: "b.ts" }, { path: "b.ts", content: "x" }],
    ["both, with the other changed", { ...shown, file_path: "/repo/b.ts" }, { path: "/repo/b.ts", content: "x" }],
    ["both, changed alike", { ...shown, content: "y", contents: "y" }, { path: "a.ts", content: "y" }],
    ["less than it was given", { path: "a.ts" }, { path: "a.ts" }],
    ["an argument that nobody has", { ...shown, colour: "red" }, { ...input, colour: "red" }],
  ])("%s", (_title, answer, expected) => {
    expect(meant(answer)).toEqual({ ok: true, input: expected });
  });

  it("refuses two names of one argument that were changed differently", () => {
    expect(meant({ ...shown, path: "b.ts", file_path: "/repo/c.ts" })).toEqual({
      ok: false,
      reason: '"path" and "file_path" mean the same here, and were changed differently',
    });
  });
});
