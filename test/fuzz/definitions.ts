// Definitions with bytes changed, doubled and removed, by accident or with intent: reading ends, whatever the text.
import { readFrontMatter } from "../../src/edge/disk/front-matter.ts";
import { readDefinition } from "../../src/subagents/definitions/read-definition.ts";
import { type Random, random } from "./random.ts";

const samples = [
  "---\nname: reviewer\ndescription: Use it when: a change is ready\ntools: Read, Bash(git log:*)\nmodel: haiku\nmaxTurns: 12\n---\nYou review.\n",
  '---\nname: "tester"\ndescription: |\n  Runs tests.\n  Example: user: "test"\ntools:\n  - Read\n  - Bash(npm test)\ncolor: blue\n---\n# Role\n',
  "---\r\nname: a\r\ndescription: 'b'\r\nskills: [c, d]\r\nbackground: true\r\n---\r\nBody\r\n",
  "---\nx: &a [1]\ny: *a\nname: {a: b}\ndescription: >-\n  folded\n  text\n---\n",
];

const pieces = [
  "---\n",
  "\n",
  ":",
  ": ",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "&a ",
  "*a",
  "!!js ",
  "|",
  ">",
  "'",
  '"',
  "#",
  "\t",
  "\0",
  "\r\n",
  "\uFEFF",
  "é",
  "\ud800",
  "  ",
  "name: ",
  "tools: ",
  "? ",
  "<<: *a\n",
];

export type DefinitionFuzz = { files: number; crashes: string[]; slow: string[]; usable: number };

/** Reads `count` mutated files. `slow`: those that took more than 200 ms of processor time. */
export function fuzzDefinitions({ seed, count }: { seed: number; count: number }): DefinitionFuzz {
  const chance = random(seed);
  const result: DefinitionFuzz = { files: 0, crashes: [], slow: [], usable: 0 };
  for (; result.files < count; result.files++) {
    const text = mutated(chance);
    const from = process.cpuUsage();
    try {
      if (readDefinition({ text, file: "a.md", scope: "user" }, readFrontMatter).definition) result.usable++;
    } catch (error) {
      result.crashes.push(`${String(error)}: ${JSON.stringify(text.slice(0, 300))}`);
    }
    const { user, system } = process.cpuUsage(from);
    if (user + system > 200_000) result.slow.push(JSON.stringify(text.slice(0, 300)));
  }
  return result;
}

function mutated(chance: Random): string {
  let text = chance.of(samples);
  for (let left = 1 + chance.below(8); left > 0; left--) {
    const at = chance.below(text.length + 1);
    const end = Math.min(text.length, at + chance.below(30));
    const kind = chance.below(4);
    const piece =
      kind === 0
        ? ""
        : kind === 1
          ? text.slice(at, end).repeat(2)
          : kind === 2
            ? chance.of(pieces)
            : chance.of(pieces).repeat(1 + chance.below(chance.chance(0.02) ? 20_000 : 20));
    text = text.slice(0, at) + piece + text.slice(kind === 2 ? at : end);
  }
  return text;
}
