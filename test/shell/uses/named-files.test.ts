// The files that the words of a command name.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

/** Each use once: `r` or `w`, `*` if it includes everything below, the path, and how certain it is. */
function filesOf(text: string): string[] {
  const uses = analyseCommand(text)
    .commands.flatMap(({ files }) => files)
    .map(({ access, recursive, path, mention, pattern }) =>
      [access === "read" ? "r" : "w", recursive && "*", ` ${path ?? "?"}`, mention && ` (${mention})`, pattern && " glob"]
        .filter(Boolean)
        .join(""),
    );
  return [...new Set(uses)];
}

describe("of a program that only looks, or changes what it names", () => {
  it.each([
    ["cat a b", ["r a", "r b"]],
    ["head -n 5 a", ["r a"]],
    ["cat < a > b", ["r a", "w b"]],
    ["echo x >> log", ["w log"]],
    ["cut -d / -f 2 a", ["r a"]],
    ["tr / _", []],
    ["cp a b", ["r a", "r b", "w b", "w b/a"]],
    ["mkdir -p a/b", ["r a/b", "w a/b"]],
    ["sed -n 1p f", ["r f"]],
    ["sed -i s/a/b/ f", ["r f", "w f"]],
    ["grep -r /foo src", ["r* src"]],
    ["grep -e foo -f list a", ["r a", "r list"]],
    ["grep -r foo --include=*.ts .", ["r* ."]],
    ["rg foo", ["r* ."]],
    ["ls", ["r ."]],
    ["find src -name x", ["r src"]],
    ["find src -exec cat {} +", ["r src", "r* src"]],
    ["cat *.ts", ["r *.ts glob"]],
    ["cat .e*", ["r .e* glob"]],
    ["cat $X", ["r ?"]],
    ["git -C sub log -- ../a.ts", ["r sub (possible)", "r sub/../a.ts (named)"]],
    ["git grep -n x -- src 'lib/*.ts'", ["r* src (named)", "r* lib (named)", "r x (possible)", "r src (possible)", "r lib/*.ts (named)"]],
    ["cd src && git grep x -- '../*'", ["r src", "r* src/.. (named)", "r src/x (named)", "r src/../* (named)"]],
    ["git show HEAD:a.ts", ["r HEAD:a.ts (named)", "r a.ts (named)", "r HEAD (possible)"]],
  ])("%s: %j", (text, expected) => {
    expect(filesOf(text).filter((use) => !/ (?:log|show|(?:src\/)?grep|-C|--) /.test(use))).toEqual(expected);
  });
});

describe("of any other program: every word, and every part of one, that can be a path", () => {
  const both = (...paths: string[]) => paths.flatMap((path) => [`r ${path} (named)`, `w ${path} (named)`]);

  it.each([
    ["frob a.txt", both("a.txt")],
    ["frob --out=a/b", both("--out=a/b", "a/b").slice(2)],
    ["frob -oa/b", both("a/b")],
    ["dd if=./a of=b.txt", both("./a", "b.txt")],
    ["curl -d @a.txt localhost", both("a.txt")],
    ["frob host:/etc/x", both("/etc/x")],
    ["cd .git && frob config", both(".git/config")],
  ])("%s: %j", (text, expected) => {
    expect(filesOf(text)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ["frob word", ["r word (possible)", "w word (possible)"]],
    ["frob 5", ["r 5 (possible)"]],
    ["frob -ak", ["r k (possible)"]],
    ["python -c \"open('secrets/a')\"", ["r secrets/a (possible)", "w secrets/a (possible)"]],
  ])("%s may name a file: %j", (text, expected) => {
    expect(filesOf(text)).toEqual(expect.arrayContaining(expected));
  });

  it.each(["git commit -m 'Read a.txt'", "gh pr create --body 'See a.txt'", "rm 5", "rm -rf"])("%s names none to write", (text) => {
    expect(filesOf(text).filter((use) => !use.endsWith(" ?") && /\ba\.txt|w (?:5\b|f )/.test(use))).toEqual([]);
  });
});
