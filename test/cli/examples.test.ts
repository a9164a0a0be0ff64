// The workflows in docs/examples: whatever they run of this program exists.
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { programTree } from "./program-tree.ts";

/** The texts below `run` and `script`, wherever they stand. */
function scripts(value: unknown, key = ""): string[] {
  if (typeof value === "string") return ["run", "script", "before_script"].includes(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => scripts(one, key));
  return typeof value === "object" && value !== null ? Object.entries(value).flatMap(([name, one]) => scripts(one, name)) : [];
}

/** Options in texts, and the first word, of each call of `tool`. */
const calls = (script: string) =>
  [...script.matchAll(/(?:^|\|)\s*tool (.*?)(?: > .*)?$/gm)].map(([, line = ""]) =>
    line.replaceAll(/"[^"]*"|'[^']*'/g, "TEXT").split(/\s+/),
  );

it.each(["github-action.yml", "gitlab-ci.yml"])("%s is YAML, and each command and option in it exists", (file) => {
  const program = programTree();
  const found = scripts(parse(readFileSync(`docs/examples/${file}`, "utf8"))).flatMap(calls);
  expect(found.map(([first]) => first)).toEqual(["--print", "batch"]);
  for (const words of found) {
    const command: Command = program.commands.find((one) => one.name() === words[0]) ?? program;
    const known = command.options.flatMap(({ long, short }) => [long, short]);
    expect(words.filter((word) => word.startsWith("-") && !known.includes(word))).toEqual([]);
  }
});
