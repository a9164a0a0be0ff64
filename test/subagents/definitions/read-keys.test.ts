// The table of keys over front matter in memory.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Entry, FrontMatter } from "../../../src/subagents/definitions/front-matter.ts";
import { key, readKeys, shown, toolNote } from "../../../src/subagents/definitions/read-keys.ts";

const keys = {
  name: key(z.string(), "error", "a text"),
  color: { ...key(z.literal("red"), "error", "red"), elsewhere: ["blue"] },
};

function read(entries: Entry[], front: Partial<Extract<FrontMatter, { ok: true }>> = {}) {
  const found: FrontMatter = { ok: true, entries, body: "Do it.", faults: [], ...front };
  const result = readKeys({ text: "", file: "a.md" }, () => found, { keys, textKeys: [], known: ["license"], notes: () => [] });
  if (!result.ok) throw new Error("not read");
  return {
    values: result.values,
    given: [...result.given],
    mistakes: result.mistakes.map((one) => `${one.line} ${one.level}: ${one.found} ${one.action}`),
  };
}

describe("readKeys()", () => {
  it("uses the first of equal keys and ignores known ones of other products", () => {
    const entries = [
      { key: "name", value: "ada", line: 2 },
      { key: "name", value: "bo", line: 3 },
      { key: "license", value: "MIT", line: 4 },
    ];
    expect(read(entries)).toEqual({ values: { name: "ada" }, given: ["name", "license"], mistakes: [] });
  });

  it.each<[Entry, string]>([
    [{ key: "name", value: 5, line: 2 }, '2 error: "name" must be a text, and is 5. Correct it, or leave the line out.'],
    [{ key: "name", value: null, line: 3 }, '3 warning: "name" must be a text, and is empty. It is left out.'],
    [{ key: "color", value: "blue", line: 2 }, '2 warning: "color" must be red, and is "blue". It is left out.'],
    [{ key: "nmae", value: "ada", line: 2 }, '2 error: Unknown key "nmae". Did you mean "name"?'],
    [{ key: "zzzzzz", value: 1, line: 2 }, '2 warning: Unknown key "zzzzzz". It has no effect. Known keys: name, color.'],
  ])("says of %o what is wrong", (entry, mistake) => {
    expect(read([entry])).toEqual({ values: {}, given: [entry.key], mistakes: [mistake] });
  });

  it("uses a repaired text, and says how to write it", () => {
    const { values, mistakes } = read([{ key: "name", value: "a: b", line: 2, repaired: true }]);
    expect([values, mistakes]).toEqual([{ name: "a: b" }, [expect.stringMatching(/^2 warning: The text of "name" is not valid YAML/)]]);
  });

  it("reports a fault of the front matter, or fails with it if nothing can be read", () => {
    const fault = { line: 4, found: "It is odd.", action: "Mend it." };
    expect(read([], { faults: [fault] }).mistakes).toEqual(["4 error: It is odd. Mend it."]);
    const reading = { keys, textKeys: [], notes: () => [] };
    const failed = readKeys({ text: "", file: "a.md" }, () => ({ ok: false, fault }), reading);
    expect(failed).toEqual({ ok: false, mistakes: [{ level: "error", file: "a.md", ...fault }] });
  });
});

describe("toolNote()", () => {
  it.each([
    ["Read", undefined],
    ["Bash(git *)", undefined],
    ["MultiEdit", "Edit is taken instead."],
    ["Raed", "Did you mean Read?"],
    ["Teleport", "It has no effect; remove it."],
  ])("of %o is %o", (tool, action) => {
    expect(toolNote(tool)[0]?.action).toBe(action);
  });
});

describe("shown()", () => {
  it("cuts long values", () => {
    expect([shown("a"), shown(undefined), shown("x".repeat(80))]).toEqual(['"a"', "nothing", `"${"x".repeat(59)}…`]);
  });
});
