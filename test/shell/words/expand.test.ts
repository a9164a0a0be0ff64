import { execFileSync, spawnSync } from "node:child_process";
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
    ["echo src/*.ts", { patterns: ["src/*.ts"] }],
    ["x='*.ts'; echo \"$x\"", "*.ts"],
    ['for f in src/*.ts; do echo "$f".bak; done', { patterns: ["src/*.ts.bak"] }],
    ["for d in a b; do echo $d/*; done", { patterns: ["a/*", "b/*"] }],
    ["echo $PWD/a", "./a"],
    ['d=$(mktemp -d); echo "$d"', "~TMPDIR/made"],
    ["echo ~/a", "~/a"],
    ['echo "$HOME/a"', "~/a"],
  ])("knows the last word of %s", (text, expected) => {
    expect(lastWord(text)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["echo $X", { start: "", many: true }],
    ['echo "$X"', { start: "", many: undefined }],
    ["echo a$X", { start: "a", many: true }],
    // mktemp may have failed: then the variable is empty.
    ['d=$(mktemp -d -q); echo "$d/etc/passwd"', { start: "/", many: undefined }],
    ["d=$(mktemp -d); echo $d", { start: "", many: true }],
    ["echo $(mktemp -d)", { start: "", many: true }],
    ["x=a; eval b; echo $x", { start: "", many: true }],
    // A name that a pattern matches may have spaces and stars in it.
    ["for f in src/*.ts; do echo $f.bak; done", { start: "", many: true }],
    ["for f in src/*; do x=$f; echo ./$x; done", { start: "./", many: true }],
    ["a && x=1; echo $x", { start: "", many: true }],
    ["if a; then x=1; else x=2; fi; echo $x", { start: "", many: true }],
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

  it("makes of each escape in $'…' what bash makes of it, or leaves it unknown", () => {
    const codes = Array.from({ length: 256 }, (_, code) => [code.toString(16), code.toString(8)] as const);
    const escapes = [
      ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter((one) => !"'cuUx".includes(one)),
      ...codes.flatMap(([hex, octal]) => [`x${hex}`, `x${hex.padStart(2, "0")}`, `x{${hex}}`, octal, octal.padStart(3, "0")]),
      ...codes.flatMap(([hex]) => [`u${hex}`, `u${hex.padStart(4, "0")}`, `U${hex.padStart(8, "0")}`]),
      ..."ud800 u200b UFFFFFFFF U00110000 \n c c? ca c\\\\ x u U x{ x{} '".split(" "),
    ];
    const words = escapes.flatMap((one) => [`$'a\\${one}'`, `$'\\${one}b1}'`, `c$'\\${one}'"d"`]);
    const printed = execFileSync("bash", ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "buffer" })
      .toString("latin1")
      .split("\0");
    const known = words.map((word) => analyseCommand(`echo ${word}`).commands[0]!.words[1]!.value);
    expect(words.filter((_, at) => known[at] !== undefined && known[at] !== printed[at])).toEqual([]);
    expect(known.filter((value) => value !== undefined).length).toBeGreaterThan(1000);
  });

  it.each(["cat $'secret\\x{73}/key'", "cat $'.\\UFFFFFFFFenv'", "cat $'\\x{2f}etc/hostname'", "$'\\x72\\u6d' a"])(
    "does not know what is read by %s",
    (text) => {
      const { words } = analyseCommand(text).commands[0]!;
      expect(words.some(({ value }) => value === undefined)).toBe(true);
    },
  );

  it("knows no variable that bash sets by itself", () => {
    const others = "BASH_REMATCH COPROC COMP_LINE COMP_WORDS FUNCNAME GROUPS LINES COLUMNS MAPFILE OPTARG PIPESTATUS READLINE_LINE REPLY";
    const names = [
      ...others.split(" "),
      ...execFileSync("bash", ["--norc", "-c", "compgen -v"], { encoding: "utf8", env: {} }).trim().split("\n"),
    ];
    const disturb =
      ": other; [[ b =~ b ]]; read <<< other; mapfile < /dev/null; getopts a: o -a other; (exit 3) | :; coproc :; cd /; g() { :; }; g";
    const script = (name: string) => `${name}=known; ${disturb}; printf '%s' "$${name}"`;
    const outputOf = (name: string) => spawnSync("bash", ["--norc", "-c", script(name)], { encoding: "utf8" }).stdout;
    const changed = names.filter((name) => outputOf(name) !== "known");
    const trusted = changed.filter((name) => {
      const { unclear, commands } = analyseCommand(`${name}=known; : other; cat $${name}`);
      return unclear === undefined && commands.every((one) => one.unclear === undefined) && commands.at(-1)!.words[1]!.value !== undefined;
    });
    expect(trusted).toEqual([]);
    expect(changed).toEqual(expect.arrayContaining(["_", "RANDOM", "SECONDS", "OPTARG", "REPLY"]));
  });

  it("makes several words of braces, and none of an empty one", () => {
    const words = (text: string) => analyseCommand(text).commands[0]!.words.map(({ value }) => value);
    expect(words("cp a.{js,ts} {,b}c")).toEqual(["cp", "a.js", "a.ts", "c", "bc"]);
    expect(words("echo {1..3}")).toEqual(["echo", "1", "2", "3"]);
  });
});
