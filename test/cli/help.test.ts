import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { programTree } from "./program-tree.ts";

type Found = { path: string; help: string };

/** Every command that a person can see, as its --help shows it. */
function visible(command: Command, path: string[] = []): Found[] {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  const children = command.createHelp().visibleCommands(command);
  return [
    { path: [...path, command.name()].join(" "), help },
    ...children.filter((child) => command.commands.includes(child)).flatMap((child) => visible(child, [...path, command.name()])),
  ];
}

describe("--help", () => {
  const all = visible(programTree());

  it("does not show an empty list as a default", () => {
    expect(all.filter(({ help }) => help.includes("default: []")).map(({ path }) => path)).toEqual([]);
  });

  it("exists for every command, with a valid example", () => {
    const examples = all.map(({ path, help }) => ({ path, example: /Examples?:\n((?: {2}.+\n?)+)/.exec(help)?.[1] ?? "" }));
    expect(all.length).toBeGreaterThan(15);
    expect(examples.filter(({ path, example }) => !example.includes(path))).toEqual([]);
  });

  it("describes every option and argument", () => {
    const bare = all.flatMap(({ path, help }) =>
      help
        .split("\n")
        .filter((line) => /^ {2}(-\S+(, --\S+)?( <\S+>)?|[a-z]+)$/.test(line))
        .map((line) => `${path}: ${line}`),
    );
    expect(bare).toEqual([]);
  });
});
