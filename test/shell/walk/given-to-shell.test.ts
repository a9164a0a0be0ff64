// Commands that a shell runs: its text, its script, or its standard input.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const run = (text: string) =>
  analyseCommand(text).commands.flatMap(({ parent, words }) => (parent ? [words.map((word) => word.value ?? "?").join(" ")] : []));

describe("shell()", () => {
  it.each<[string, string[]]>([
    ["sh -c 'rm a; ls'", ["rm a", "ls"]],
    ["bash -euxo pipefail -c 'rm a'", ["rm a"]],
    ["bash +x -c 'rm a'", ["rm a"]],
    ["sh -c 'sh -c \"rm a\"'", ["sh -c rm a", "rm a"]],
    ["sh <<< 'rm a'", ["rm a"]],
    ["bash -s <<'E'\nrm a\nE", ["rm a"]],
    ["sh script.sh", []],
    ["sh --version", []],
  ])("%j runs %j", (text, commands) => {
    expect(run(text)).toEqual(commands);
  });

  it.each(["sh", "sh -c $X", "sh $X", "bash -i", "bash --rcfile a -c ls", "sh --frob -c ls", "fish -c 'a (b)'", "sh -c 'a <(b)'"])(
    "%s is unclear",
    (text) => {
      expect(analyseCommand(text).commands[0]!.unclear).toBeDefined();
    },
  );
});
