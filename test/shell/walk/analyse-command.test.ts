import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

/** Each simple command as `where: words`, with unknown words as they are written. */
function commandsOf(text: string): string[] {
  return analyseCommand(text).commands.map(({ where, words }) =>
    [where && `${where}:`, ...words.map((word) => word.value ?? `<${word.text}>`)].filter(Boolean).join(" "),
  );
}

describe("analyseCommand() finds every simple command", () => {
  it.each([
    ["ls", ["ls"]],
    ["ls -l; pwd", ["ls -l", "pwd"]],
    ["a && b || c & d", ["a", "b", "c", "d"]],
    ["a | b |& c", ["a", "b", "c"]],
    ["(a; { b; })", ["a", "b"]],
    ["! a", ["a"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done", ["a", "b"]],
    ["for f in $(a); do b; done", ["inside $( … ): a", "b"]],
    ["case $(a) in x) b;; *) c;; esac", ["inside $( … ): a", "b", "c"]],
    ["f() { a; }; f", ["in the function f: a", "f"]],
    ["a $(b `c`)", ["a <$(b `c`)>", "inside $( … ): b <`c`>", "inside $( … ): c"]],
    ["a <(b) > >(c)", ["a <<(b)>", "inside <( … ): b", "inside >( … ): c"]],
    ["a <<X\n$(b)\nX", ["a", "inside $( … ): b"]],
    ["a <<'X'\n$(b)\nX", ["a"]],
    ["sh <<X\na\nX\nsh <<X\nb\nX", ["sh", "read by sh: a", "sh", "read by sh: b"]],
    ["a $(b); a $(b)", ["a <$(b)>", "inside $( … ): b", "a <$(b)>", "inside $( … ): b"]],
    ["ls $x; x=a; ls $x", ["ls <$x>", "", "ls a"]],
    ["f; f() { a; }; f", ["f", "in the function f: a", "f"]],
    ["sh -c 'a; b'", ["sh -c a; b", "given to sh -c: a", "given to sh -c: b"]],
    ["eval a b", ["eval a b", "given to eval: a b"]],
    ["timeout 5 nice -n 2 a b", ["timeout 5 nice -n 2 a b", "run by timeout: nice -n 2 a b", "run by nice: a b"]],
    ["find . -exec a {} \\;", ["find . -exec a {} ;", "run by find: a <{}>"]],
    ["ls | xargs a", ["ls", "xargs a", "run by xargs: a <…>"]],
    ["x=$(a) b", ["b", "inside $( … ): a"]],
    ["[[ $(a) == b ]]", ["inside $( … ): a"]],
    ["echo $((1 + $(a)))", ["echo <$((1 + $(a)))>", "inside $( … ): a"]],
  ])("%j", (text, expected) => {
    expect(commandsOf(text)).toEqual(expected);
  });
});

describe("analyseCommand() makes words as the shell does", () => {
  it.each([
    ["r'm' \"a b\" c\\ d", ["rm", "a b", "c d"]],
    ["$'\\x72m' x", ["rm", "x"]],
    ["ls {a,b}c", ["ls", "ac", "bc"]],
    ["x=a; ls $x", ["ls", "a"]],
    ["ls $x", ["ls", "<$x>"]],
    ["ls ~/a", ["ls", "~/a"]],
    ["ls ~me/a", ["ls", "<~me/a>"]],
    ["ls *.ts", ["ls", "<*.ts>"]],
  ])("%j", (text, expected) => {
    expect(
      analyseCommand(text)
        .commands.at(-1)
        ?.words.map(({ value, text: written }) => value ?? `<${written}>`),
    ).toEqual(expected);
  });
});

describe("analyseCommand() says why a text cannot be relied on", () => {
  it.each([
    ["ls; (", /^it does not parse/],
    ["l\u200bs", /^it contains invisible or misleading/],
    [`ls ${"x".repeat(70_000)}`, /^it is longer than 64 KB$/],
    [`mv ${"a ".repeat(1200)}b`, /^it has more words or deeper nesting/],
    ["env ".repeat(20), /^it has more words or deeper nesting/],
    ["PATH=/tmp; ls", /^it changes PATH|^it sets PATH/],
    ["echo $(($x))", /^a number is computed from a value that is not known/],
    [`echo \${!x}`, /^an expansion refers to a variable whose name is not known$/],
    [`echo \${x@P}`, /^an expansion is not understood$/],
    [`echo \${x/$(a b/c)/d}`, /^an expansion is not understood$/],
    ["echo > >(cat)b", /^a word continues next to a process substitution$/],
    ["echo a<(ls)", /^a word continues next to a process substitution$/],
    ["x=(a b)* ls", /^an array is not understood$/],
    ["echo $\\\nb", /^a line continues after a dollar sign$/],
    ["cat <<X\nabc", /^a here-document has no end$|^it does not parse/],
    ["$x y", /^its program is not known before it runs$/],
    [". ./x", /^it runs a file in this shell$/],
    ["alias ls=rm", /^alias changes what later words mean$/],
    ["LD_PRELOAD=x ls", /^it sets LD_PRELOAD, which decides which programs run$/],
  ])("%j", (text, reason) => {
    const { unclear, commands } = analyseCommand(text);
    expect([unclear, ...commands.map((command) => command.unclear)].find((each) => each !== undefined)).toMatch(reason);
  });

  it("and never throws, for any text", () => {
    const texts = ["", "\0", "\ud800", "((((", "$(".repeat(3000), "'", "<<", "}", "a".repeat(100_000), "if ".repeat(500)];
    expect(texts.map((text) => analyseCommand(text).text === text)).toEqual(texts.map(() => true));
  });
});

describe("analyseCommand() names the files of a command", () => {
  const filesOf = (text: string) =>
    analyseCommand(text).commands.flatMap(({ files }) =>
      files.flatMap(({ access, path, mention }) => (mention === "possible" ? [] : [`${access} ${path ?? "?"}`])),
    );

  it.each([
    ["cat a b", ["read a", "read b"]],
    ["cat < a > b", ["read a", "write b"]],
    ["cd src && cat a", ["read src", "read src/a"]],
    ["cp a b", ["read a", "read b", "write b", "write b/a"]],
    ["mv a b", ["read a", "write a", "read b", "write b", "write b/a"]],
    ["sed -i s/a/b/ c", ["read c", "write c"]],
    ["frob ./a", ["read ./a", "write ./a"]],
    ["tar czf a.tgz src", ["read a.tgz", "write a.tgz"]],
    ["cat $y", ["read ?"]],
    ["git show HEAD:a/b.ts", ["read HEAD:a/b.ts", "read a/b.ts"]],
    ["echo a > /dev/null", []],
    ["echo a>b 2>&1", ["write b"]],
    ["echo a > >(cat)", []],
    ["cat $PWD/a", ["read ./a"]],
    ['cat "$PWD/a"', ["read ./a"]],
    ["git checkout -- a.txt", ["read a.txt", "write a.txt"]],
  ])("%j", (text, expected) => {
    expect(filesOf(text)).toEqual(expected);
  });
});

it.each([
  ["wrappers in wrappers", `${"timeout 5 ".repeat(400)}ls`],
  ["hosts behind hosts", `${"ssh h ".repeat(490)}ls`],
  ["deeper and deeper folders", Array.from({ length: 400 }, (_, at) => `cd d${at}`).join(" && ")],
  ["a long script of sed", `sed -n '${"rw\n".repeat(7000)}' a`],
])("of %s no more is looked through than can be decided at once", (_, text) => {
  const { commands } = analyseCommand(text);
  const words = commands.flatMap((command) => [command.words, ...command.possibleCommands]);
  const paths = commands.flatMap(({ files }) => files.map(({ path = "" }) => path));
  expect(words.flat().length).toBeLessThan(600_000);
  expect(paths.join("\0").length).toBeLessThan(20_000);
});
