// The commands that wrappers run, and the files that xargs gives them.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const run = (text: string) =>
  analyseCommand(text).commands.flatMap(({ parent, words }) => (parent ? [words.map((word) => word.value ?? "?").join(" ")] : []));

describe("wrapped()", () => {
  it.each([
    ["timeout -k 1 5 rm a", ["rm a"]],
    ["env -u X A=1 rm a", ["rm a"]],
    ["nice -n 5 nohup rm a", ["nohup rm a", "rm a"]],
    ["sudo -u me rm a", ["rm a"]],
    ["xargs -n1 rm -f", ["rm -f ?"]],
    ["npx tsc --noEmit", ["tsc --noEmit"]],
    ["su me -c 'rm a'", ["rm a"]],
    ["flock a -c 'rm b'", ["rm b"]],
    ["watch rm a", ["rm a"]],
    ["tmux neww 'rm a'", ["rm a"]],
  ])("%s runs %j", (text, commands) => {
    expect(run(text)).toEqual(commands);
  });

  it.each(["env A_B=$X PATH=a ls", "nohup --frob ls", "env -C a ls", "xargs -I{} sh -c 'rm {}'", "npm exe -c ls", "tmux run-she ls"])(
    "%s is unclear",
    (text) => {
      expect(analyseCommand(text).commands.some(({ unclear }) => unclear !== undefined)).toBe(true);
    },
  );
});

it.each(["find src | xargs cat", "ls src | xargs -I{} cat build/{}/a", "cat names | xargs cat"])(
  "%s reads files that are not known",
  (text) => {
    const command = analyseCommand(text).commands.findLast(({ parent }) => parent)!;
    expect(command.files.some(({ path }) => path === undefined)).toBe(true);
  },
);
