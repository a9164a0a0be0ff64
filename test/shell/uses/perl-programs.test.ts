import { describe, expect, it } from "vitest";
import { perlEdits } from "../../../src/shell/uses/perl-programs.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

function editsOf(text: string): string[] | undefined {
  const [command] = analyseCommand(text).commands;
  return perlEdits(command!.words)?.map(({ word, access }) => `${access} ${word.text}`);
}

describe("perlEdits()", () => {
  it.each([
    ["perl -pi -e 's/a/b/' x.ts y.ts", ["write x.ts", "write y.ts"]],
    ["perl -i -pe 's|a/b|c|g' x.ts", ["write x.ts"]],
    ["perl -0777 -pi -e 's/a\\n/b/gs; s/c/d/' x.ts", ["write x.ts"]],
    ["perl -pe 's/(\\w+)$/<$1>/' src/*.ts", ["read src/*.ts"]],
    ["perl -ne 'print unless /a\\$b/i' x.ts", ["read x.ts"]],
    ["perl -pi -e 's,a,me\\@here,' x.ts", ["write x.ts"]],
  ])("%s names the files that it reads or changes", (text, uses) => {
    expect(editsOf(text)).toEqual(uses);
  });

  it.each([
    [
      "code in a replacement or a pattern",
      ["s/a/b/e", "s/a/b/ee", "s/a/@{[1]}/", "s/a/$h{x}/", "s/(?{1})/b/", "s/(*{1})/b/", "s/$x/b/", "s/a/\\N{x}/"],
    ],
    ["any other statement", ["s/a/b/; unlink 'x'", "s/a/b/ if f()", "print if /a/ or f()", "print if /a/e", "system 1", "", "s/a/b"]],
  ])("does not know %s", (_name, programs) => {
    expect(programs.filter((program) => editsOf(`perl -pi -e '${program}' x.ts`) !== undefined)).toEqual([]);
  });

  it("does not know options with values, other files and names that perl opens as commands", () => {
    const others = [
      "perl -pie 's/a/b/' x.ts",
      "perl -pi.bak -e 's/a/b/' x.ts",
      "perl -Mx -pi -e 's/a/b/' x.ts",
      "perl -e 's/a/b/' x.ts",
      "perl -pi -e 's/a/b/'",
      "perl -pi -e 's/a/b/' -e 'f()' x.ts",
      "perl -pi -e 's/a/b/' 'x |'",
      "perl -pi -e 's/a/b/' *",
      'perl -pi -e "s/a/$b/" x.ts',
      "perl x.pl x.ts",
    ];
    expect(others.filter((text) => editsOf(text) !== undefined)).toEqual([]);
  });
});
