// Without a sandbox a command is believed to only look in a text that does no more than its commands say.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

describe("a plain text", () => {
  it.each([
    "cat a | sort -u > b 2>&1 && ls || true; ! grep -q x a & wait",
    `for f in src/*.ts; do wc -l "$f"; echo "\${f##*/}" \${f%.ts} \${HOME:-none}; done`,
    "if [ -f a ]; then cat a; elif [[ -d b && ! -L b ]]; then ls b; else echo none; fi",
    'while read -r line; do echo "> $line"; done < a',
    "case $TERM in xterm*) echo yes ;; esac",
    "(cd src && ls); { pwd; }; pushd lib; popd",
    'x=$(git rev-parse HEAD); echo "at $x"',
    'n=$(wc -l < a); [ "$n" -gt 3 ] && echo many',
    "LC_ALL=C sort a; export CI=1; time ls; diff <(sort a) <(sort b)",
    "printf '[a]\\n%s\\n' \"$HOME\"; set -e; echo $? $#",
    "cat <<EOF\n$HOME $(ls)\nEOF",
  ])("is %s", (text) => {
    expect(analyseCommand(text).plain).toBe(true);
  });

  it.each([
    ["a value goes into a word", "x=a; cat $x"],
    ["or names a program", "x=cat; $x a"],
    ["or is where output goes", "x=a; echo b > $x"],
    ["also in a substitution that echo prints", "x=a; echo $(cat $x)"],
    ["or in a loop there", "x=a; echo $(for f in $x; do cat $f; done)"],
    ["or in a text that is given to a program", "x=a; cat <<EOF\n$x\nEOF"],
    ["or comes from read", 'while read -r f; do cat "$f"; done < a'],
    ["or is compared where it may be an operator", "x=-v; [ $x a ]; [ $x -eq 1 ]"],
    ["a loop's variable is set again", "for f in a; do f=b; cat $f; done"],
    ["something is computed", "echo $((1 + 1))"],
    ["", "((x++))"],
    ["", "for ((i = 0; i < 3; i++)); do ls; done"],
    ["", "let x=1"],
    ["", "[[ a -eq 1 ]]"],
    ["", "[[ -v a ]]"],
    ["", `echo \${x:1:2}`],
    ["", `echo \${x@P}`],
    ["", `echo \${!x}`],
    ["a value is set by an expansion", `echo \${x:=a}`],
    ["", `echo \${x:-$(cat a)}`],
    ["something is defined", "f() { ls; }"],
    ["", "alias a=ls"],
    ["", "x[0]=a"],
    ["", "x=(a b)"],
    ["", "x+=a"],
    ["", "declare x=a"],
    ["", "export x"],
    ["", "read -a x < a"],
    ["", "read 'x[0]' < a"],
    ["", "printf -v x a"],
    ["", 'printf "$HOME"'],
    ["a setting changes how words are read", "shopt -s extglob; ls"],
    ["", "set -f; ls"],
    ["", "IFS=a; ls"],
    ["wait sets a variable", "for f in a; do wait -np f; cat $f; done"],
    ["", "for f in a; do wait $'-p' f; cat $f; done"],
    ["", "for f in a; do command wait {-p,f}; cat $f; done"],
    ["what would be matched is given", `echo \${x:-/etc/*}`],
    ["words are what came before", "set -- a; cat $1"],
    ["text is run", "eval ls"],
    ["", "source a"],
    ["", "trap ls EXIT"],
    ["", "bash -c 'x=a; cat $x'"],
    ["a descriptor is kept", "exec {x}>a"],
    ["", "coproc ls"],
    ["", "select x in a; do ls; done"],
  ])("%s: not %s", (_, text) => {
    expect(analyseCommand(text).plain).toBe(false);
  });
});
