import { expect, it } from "vitest";
import { readYamlFrontMatter } from "../../../src/edge/disk/front-matter.ts";
import { readPlainFrontMatter } from "../../../src/edge/disk/plain-front-matter.ts";
import { random } from "../../fuzz/random.ts";

const file = (...lines: string[]) => `---\n${lines.join("\n")}\n---\nDo it.\n`;

it("reads plain front matter, with the line of each key", () => {
  expect(
    readPlainFrontMatter(
      file("name: ada", "tools: Read, Bash(npm:*)", "maxTurns: 20", 'skills: [a, "b"]', 'description: "Looks: it — all"'),
    ),
  ).toEqual({
    ok: true,
    entries: [
      { key: "name", value: "ada", line: 2 },
      { key: "tools", value: "Read, Bash(npm:*)", line: 3 },
      { key: "maxTurns", value: 20, line: 4 },
      { key: "skills", value: ["a", "b"], line: 5 },
      { key: "description", value: "Looks: it — all", line: 6 },
    ],
    faults: [],
    body: "Do it.\n",
  });
});

it.each([
  "name:",
  "name:  ada",
  "name: ada ",
  "name: a: b",
  "name: a #b",
  "name: 'a''b'",
  'name: "a\\nb"',
  'name: "a" b',
  "name: a\u2028b",
  "name: [a: b]",
  "name: [a, null]",
  "name: [a,]",
  "name: true",
  "name: No",
  "name: 1.5",
  "name: 007",
  "name: 0x1f",
  "name: a\tb",
  "name: ada\nname: bo",
  "name: ada\n  goes on",
  "name: ada\n# comment",
  "__proto__: a",
])("leaves %j to the parser", (text) => {
  expect(readPlainFrontMatter(file(text))).toBeUndefined();
});

it("gives the parser's result for a plain file", () => {
  const chance = random(7);
  const signs = [
    ..."abcYN tT019 ,.()/*+=<>;!?'-:#&|%@`\"[]{}~\\_".split(""),
    "true",
    "null",
    "ä",
    "—",
    "\u00a0",
    "\u0085",
    "\u2028",
    "\ufeff",
    "🚀",
    ": ",
    " #",
    "0x",
    "1e3",
    "---",
    ".inf",
  ];
  const keys = ["name", "tools", "a-b", "y", "null", "x1"];
  const pick = <One>(list: readonly One[]) => list[chance.below(list.length)] as One;
  const items = ["Read", "Bash(a)", '"b"', "true", "a.b", "x y", "c:d"];
  const list = () => `[${Array.from({ length: 1 + chance.below(3) }, () => pick(items)).join(pick([", ", ",", " , "]))}]`;
  const words = () => Array.from({ length: 1 + chance.below(6) }, () => pick(signs)).join("");
  const value = () => (chance.below(6) === 0 ? list() : words());
  let plain = 0;
  let windows = 0;
  for (let run = 0; run < 60_000; run++) {
    const written = file(...Array.from({ length: 1 + chance.below(3) }, () => `${pick(keys)}: ${value()}`));
    const text = chance.below(4) === 0 ? written.replaceAll("\n", "\r\n") : written;
    const read = readPlainFrontMatter(text);
    if (read === undefined) continue;
    plain++;
    if (text !== written) windows++;
    expect(read, text).toEqual(readYamlFrontMatter(text, ["name"]));
  }
  expect(Math.min(plain, windows)).toBeGreaterThan(200);
});
