import { describe, expect, it } from "vitest";
import { inlineReads } from "../../../src/shell/uses/inline-reads.ts";
import { literal } from "../../../src/shell/words/literal.ts";

const readsOf = (...words: string[]) => inlineReads(words.map(literal));

describe("inlineReads()", () => {
  it.each<[string[], string[]]>([
    [["node", "-p", "require('./package.json').version"], ["./package.json"]],
    [["node", "-e", 'const a = require("./a.json"); console.log(a.b["c"][0], Object.keys(a).length)'], ["./a.json"]],
    [["node", "-p", "process.versions"], []],
    [["python3", "-c", "import tomllib; print(tomllib.load(open('a.toml', 'rb'))['a'])"], ["a.toml"]],
    [["python3", "-c", "import sys\nprint(sys.version_info)"], []],
    [["python", "-c", "import json; print(sorted(json.load(open('a.json'))['b'].keys()))"], ["a.json"]],
  ])("of %j are %j", (words, files) => {
    expect(readsOf(...words)).toEqual(files);
  });

  it.each([
    [
      "node",
      ["process.env", "a.b", "require('./a')", "require('fs')", "require('./a.json').b()", "const a = process; a.env", "eval('1')", ""],
    ],
    ["node", ["console.log(require('./a.json')) || f()", "require('./a.json')[f()]", "import('./a.json')", "JSON.stringify(process)"]],
    ["python", ["1", "import os; os.remove('a')", "import os; print(os.environ)", "import a; a.b()"]],
    [
      "python",
      [
        "import json; print(json.load(open('a', 'w')))",
        "import json; json.load(open('a'))",
        "import a as json; print(json.load(open('x')))",
      ],
    ],
  ])("in %s are unknown for code that may do more", (program, codes) => {
    const option = program === "node" ? "-p" : "-c";
    expect(codes.filter((code) => readsOf(program, option, code) !== undefined)).toEqual([]);
    expect(readsOf(program, "-x", codes[0]!)).toBeUndefined();
    expect(readsOf(program, option, "require('./a.json').b", "further")).toBeUndefined();
  });
});
