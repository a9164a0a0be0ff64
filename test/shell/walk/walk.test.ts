// Where commands run, and what certainly ran before them.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

/** The paths that the last command names; an unknown one is "?". */
function lastPlaces(text: string): string[] {
  const { files } = analyseCommand(text).commands.findLast(({ where }) => where === "")!;
  return files.map(({ path }) => path ?? "?");
}

describe("walkScript() follows the folder", () => {
  it.each<[string, string[]]>([
    ["cd a && cat x", ["a/x"]],
    ["cd a; cat x", ["x", "a/x"]],
    ["(cd a && ls); cat x", ["x"]],
    ["cd a & cat x", ["x"]],
    ["cd a | cat x", ["x"]],
    ["{ cd a && ls; } && cat x", ["x", "a/x"]],
    ["if b; then cd a; fi; cat x", ["x", "a/x"]],
    ["case b in c) cd a;; esac; cat x", ["x", "a/x"]],
    // Where the path without `..` is missing, `cd` takes it as written, through links.
    ["cd a && cd ../b && cat x", ["b/x", "a/../b/x"]],
    ["cd a/l/../b && cat x", ["a/b/x", "a/l/../b/x"]],
    ["cd a/l/../b && cd .. && cat x", ["a/x", "a/l/../b/../x"]],
    ["cd a/b && cd .. && cat x", ["a/x"]],
    ["cd ../b && cat x", ["../b/x"]],
    ["! cd a && cat x", ["x", "a/x"]],
    ["time ! cd a && cat x", ["x", "a/x"]],
    ["! b && cat x", ["x"]],
    ["b || cd a && cat x", ["x", "a/x"]],
    ["cd a || b && cat x", ["x", "a/x"]],
    ["cd a && b || cat x", ["x", "a/x"]],
    ["cd a && cd b; cat x", ["x", "a/x", "a/b/x"]],
    ["cd a && b && cat x", ["a/x"]],
    ["pushd a && pushd -0 && cat x", ["?"]],
    ["pushd a && pushd +1 && cat x", ["?"]],
    ["pushd -n a && cat x", ["?"]],
    ["for n in -0; do pushd $n && cat x; done", ["?"]],
    ["cd $X && cat x", ["?"]],
    ["cd ~ && cd .. && cat x", ["?"]],
    ["{ cd a && b && cd ..; c; } && cat x", ["x", "a/x"]],
    ["cd a; cd ..; cat x", ["x", "a/x", "../x"]],
    ["cd a && cd - && cat x", ["?"]],
    ["pushd a && popd && cat x", ["?"]],
    ["for d in a b; do cd $d; cat x; done; cat x", ["?"]],
    ["f() { cd a; }; f; cat x", ["?"]],
  ])("in %s", (text, places) => {
    const own = lastPlaces(text);
    if (places[0] === "?") expect(own).toContain("?");
    else expect(own).toEqual(places);
  });
});

describe("walkScript() knows a variable", () => {
  it.each([
    ["x=a && cat $x", ["a"]],
    ["x=a; y=$x; cat $y", ["a"]],
    ["b && { x=a; }; cat $x", ["?"]],
    ["b || x=a && cat $x", ["?"]],
    ["b && x=a || cat $x", ["?"]],
    ["x=a || b && cat $x", ["a"]],
    ["{ x=a; } < b; cat $x", ["?"]],
    ["x=a < b; cat $x", ["?"]],
    ["declare -Z x=a; cat $x", ["?"]],
    ["declare x=a; cat $x", ["?"]],
    ["x=a; cat $x; x=b", ["?"]],
    ["x=a; read -r x; cat $x", ["?"]],
    ["{ x=a; }; cat $x", ["?"]],
    ["{ x=a; cat $x; }", ["a"]],
    ["if x=a; then cat $x; fi", ["?"]],
    ["x=a & cat $x", ["?"]],
    ["b && x=a && cat $x", ["?"]],
    ["x=a:~/b; cat $x", ["?"]],
    ["x={a,b}; cat $x", ["{a,b}"]],
    ["for x in a; do :; done; cat $x", ["?"]],
    ["for x in a; do :; done; for x in b; do cat $x; done", ["?"]],
    ["for x in a; do for x in b; do :; done; cat $x; done", ["?"]],
    ["for x in a; do f() { cat $x; }; done; f", ["?"]],
    ["x=a; f() { cat $x; }; f", ["?"]],
    ["x=8; ((x<=2)); cat $x", ["8"]],
    ['x=8; (("x"=2)); cat $x', ["?"]],
    ["for x in a b; do cat $x; done", ["a", "b"]],
    ["while b; do x=a; done; cat $x", ["?"]],
    ["(x=a); cat $x", ["?"]],
    ["x=a | cat $x", ["?"]],
    ["while read -r f; do cat $f; done < names", ["?"]],
    ["while read -r f g; do cat $g; done < <(find src)", ["?"]],
  ])("in %s", (text, places) => {
    const command = analyseCommand(text).commands.findLast(({ words }) => words[0]?.value === "cat")!;
    expect(command.files.map(({ path }) => path ?? "?")).toEqual(places);
  });
});

it("walkScript() makes the redirections of a group a part of their own, with the whole text", () => {
  const { commands } = analyseCommand("{ a; b; } > out");
  const parts = commands.map(({ text, files }) => [text, files.map(({ access, path }) => `${access} ${path}`)]);
  expect(parts).toEqual([
    ["a", []],
    ["b", []],
    ["{ a; b; } > out", ["write out"]],
  ]);
  expect(analyseCommand("> out").commands.map(({ files }) => files.map(({ path }) => path))).toEqual([["out"]]);
});

it.each(["[[ x=7 -eq 7 ]]", "[[ x+=6 -eq 7 ]]", "((a[x=7]))", "((x--2))", "y=([x=7]=3)", "[[ x<<=1 -eq 2 ]]"])(
  "walkScript() does not rely on a text with arithmetic that assigns: %s",
  (text) => expect(analyseCommand(`x=1; ${text}; cat l$x`).unclear).toBeDefined(),
);

it("walkScript() relies on a text with arithmetic that compares", () => {
  expect(analyseCommand("x=1; ((x == 1)); : $((x <= 2)); cat l$x").unclear).toBeUndefined();
});
