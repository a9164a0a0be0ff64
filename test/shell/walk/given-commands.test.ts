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
