import type { Command, CommanderError } from "commander";
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

  it("lists the commands of the program in groups of at most five", () => {
    const sections = (all[0]?.help ?? "").split(/\n(?=\S.*:\n)/).slice(1);
    const counts = sections.map((text) => [text.split("\n", 1)[0], text.match(/^ {2}[a-z]+(?= )/gm)?.length ?? 0] as const);
    const groups = counts.filter(([heading]) => !/^(?:Arguments|Options|Examples):/.test(heading ?? ""));
    expect(groups.filter(([, count]) => count < 2 || count > 5)).toEqual([]);
    expect(groups.reduce((sum, [, count]) => sum + count, 0)).toBe(24);
  });

  it("has no sentence of the library that parses the command line", () => {
    const theirs = /display help for command|output the version number/;
    expect(all.filter(({ help }) => theirs.test(help)).map(({ path }) => path)).toEqual([]);
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

describe("help", () => {
  /** The printed text, or the message of the error. */
  async function said(...words: string[]): Promise<string> {
    let printed = "";
    const program = programTree();
    const writeOut = (text: string) => {
      printed += text;
    };
    for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
      command.configureOutput({ writeOut, writeErr: writeOut });
    const end = await program.parseAsync(words, { from: "user" }).catch((error: CommanderError) => error);
    return printed || (end instanceof Error ? end.message : "");
  }

  it("after a command is the same as --help", async () => {
    const names = ["team", "batch", "demo", "tasks", "agents", "hooks", "skills", "permissions", "display", "doctor"];
    for (const name of names) expect(await said(name, "help")).toMatch(new RegExp(`^Usage: tool ${name} `));
    expect(await said("team", "help", "status")).toMatch(/^Usage: tool team status /);
  });

  it("suggests the command that a misspelled word means, or lists the commands", async () => {
    expect(await said("help", "temm")).toBe('tool has no command "temm". Did you mean tool help team?');
    expect(await said("help", "team", "statsu")).toBe('tool team has no command "statsu". Did you mean tool help team status?');
    expect(await said("help", "nothing")).toMatch(/^tool has no command "nothing"\. Its commands: team, batch, .*\.$/);
    expect(await said("help", "doctor", "nothing")).toBe('tool doctor has no command "nothing". It has none.');
  });
});
