import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

/** What is known of the last word of the last command that is not inside another. */
function lastWord(text: string) {
  const word = analyseCommand(text)
    .commands.findLast(({ where }) => where === "")!
    .words.at(-1)!;
  const { value, choices, pattern, start, many } = word;
  if (value !== undefined) return value;
  if (choices) return pattern ? { patterns: choices } : choices;
  return { start: start === "\uFFFF" ? "no dash" : start, many };
}

/** Variables of which each holds the one before it twice. */
const doubled = (count: number) =>
  `v0=a; ${Array.from({ length: count }, (_, at) => `v${at + 1}=$v${at}$v${at}`).join("; ")}; echo $v${count}`;

describe("expand()", () => {
  it.each<[string, unknown]>([
    ["echo a'b'\"c\"$'d'", "abcd"],
    ["x=a; echo $x/b", "a/b"],
    [doubled(5), "a".repeat(32)],
    ["for x in a b; do echo $x.ts; done", ["a.ts", "b.ts"]],
    ["if a; then x=1; else x=2; fi; echo $x", ["1", "2"]],
    ["echo src/*.ts", { patterns: ["src/*.ts"] }],
    ["x='*.ts'; echo \"$x\"", "*.ts"],
    ["for f in src/*.ts; do echo $f.bak; done", { patterns: ["src/*.ts.bak"] }],
    ["for d in a b; do echo $d/*; done", { patterns: ["a/*", "b/*"] }],
    ["echo $PWD/a", "./a"],
    ["d=$(mktemp -d); echo $d/a", "~TMPDIR/new/a"],
    ["echo ~/a", "~/a"],
    ['echo "$HOME/a"', "~/a"],
  ])("knows the last word of %s", (text, expected) => {
    expect(lastWord(text)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["echo $X", { start: "", many: true }],
    ['echo "$X"', { start: "", many: undefined }],
    ["echo a$X", { start: "a", many: true }],
    ["x=a; eval b; echo $x", { start: "", many: true }],
    ["a && x=1; echo $x", { start: "", many: true }],
    ["x='a b'; echo $x", { start: "", many: true }],
    ["x=$x; echo $x", { start: "", many: true }],
    ["echo \x24{X:-a}", { start: "", many: true }],
    ["echo $(a)", { start: "", many: true }],
    ["cd a; echo $PWD/b", { start: "", many: true }],
    ["echo $#", { start: "no dash", many: undefined }],
    ["echo ~me/a", { start: "", many: true }],
    ["set -f; echo *", { start: "", many: true }],
    [doubled(60), { start: "", many: true }],
    ['cat [$x"]"]', { start: "", many: true }],
  ])("does not know the last word of %s", (text, expected) => {
    expect(lastWord(text)).toEqual(expected);
  });

  it("makes several words of braces, and none of an empty one", () => {
    const words = (text: string) => analyseCommand(text).commands[0]!.words.map(({ value }) => value);
    expect(words("cp a.{js,ts} {,b}c")).toEqual(["cp", "a.js", "a.ts", "c", "bc"]);
    expect(words("echo {1..3}")).toEqual(["echo", "1", "2", "3"]);
  });
});
