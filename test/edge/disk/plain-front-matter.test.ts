import { expect, it } from "vitest";
import { readYamlFrontMatter } from "../../../src/edge/disk/front-matter.ts";
import { readPlainFrontMatter } from "../../../src/edge/disk/plain-front-matter.ts";
import { random } from "../../fuzz/random.ts";

const file = (...lines: string[]) => `---\n${lines.join("\n")}\n---\nDo it.\n`;

it("reads what is plain, with the line of each key", () => {
  expect(readPlainFrontMatter(file("name: ada", "tools: Read, Bash(npm test)", "maxTurns: 20"))).toEqual({
    ok: true,
    entries: [
      { key: "name", value: "ada", line: 2 },
      { key: "tools", value: "Read, Bash(npm test)", line: 3 },
      { key: "maxTurns", value: 20, line: 4 },
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
  "name: 'a'",
  "name: [a]",
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

it("says of a plain file what the parser says", () => {
  const chance = random(7);
  const signs = [..."abcYN tT019 ,.()/*+=<>;!?'-:#&|%@`\"[]{}~\\_".split(""), "true", "null", "ä", ": ", " #", "0x", "1e3", "---", ".inf"];
  const keys = ["name", "tools", "a-b", "y", "null", "x1"];
  const pick = <One>(list: readonly One[]) => list[chance.below(list.length)] as One;
  const value = () => Array.from({ length: 1 + chance.below(6) }, () => pick(signs)).join("");
  let plain = 0;
  for (let run = 0; run < 20_000; run++) {
    const text = file(...Array.from({ length: 1 + chance.below(3) }, () => `${pick(keys)}: ${value()}`));
    const read = readPlainFrontMatter(text);
    if (read === undefined) continue;
    plain++;
    expect(read, text).toEqual(readYamlFrontMatter(text, ["name"]));
  }
  expect(plain).toBeGreaterThan(200);
});
