// Commands that a search runs for each file it finds.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const run = (text: string) =>
  analyseCommand(text).commands.flatMap(({ parent, words, files }) =>
    parent ? [`${words.map((word) => word.value ?? word.text).join(" ")}: ${files.map(({ path }) => path ?? "?").join(" ")}`] : [],
  );

describe("find() and fd", () => {
  it.each<[string, string[]]>([
    ["find src -name '*.ts' -exec cat {} +", ["cat {}: src"]],
    ["find a b -exec head -1 {} ';' -exec wc {} ';'", ["head -1 {}: a b", "wc {}: a b"]],
    ["find src -execdir cat {} ';'", ["cat {}: src"]],
    ["find src -exec sh -c 'cat a' ';'", ["sh -c cat a: cat a cat a", "cat a: a"]],
    ["fd x src -x cat {}", ["cat … …: ? ?"]],
    ["find src -name x", []],
  ])("%s runs %j", (text, commands) => {
    expect(run(text)).toEqual(commands);
  });

  it("is unclear without a command", () => {
    expect(analyseCommand("find src -exec").commands[0]!.unclear).toBeDefined();
  });
});

it.each([
  ["unshare -r bash -c 'rm a'", ["bash -c rm a", "rm a"]],
  ["ltrace /usr/bin/env rm a", ["/usr/bin/env rm a", "rm a"]],
  ["pytest tests/ssh", []],
  ["curl http://127.0.0.1:1/ssh", []],
  ["ltrace ./bin/sh", []],
])("a program that is not known may run one that is, but none of the tree or of an address: %s runs %j", (text, commands) => {
  const inside = analyseCommand(text).commands.filter(({ parent }) => parent);
  expect(inside.map(({ words }) => words.map(({ value }) => value).join(" "))).toEqual(commands);
});
