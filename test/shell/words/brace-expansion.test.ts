import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { alternativesOf, expandBraces } from "../../../src/shell/words/brace-expansion.ts";

const bash = (word: string) =>
  execFileSync("bash", ["-fc", `printf '%s\\n' ${word}`], { encoding: "utf8" })
    .split("\n")
    .slice(0, -1);

describe("expandBraces()", () => {
  it("gives the words that bash makes", () => {
    const words = [
      "plain",
      "a{b,c}d",
      "{a,b}{1,2}",
      "a{b,{c,d}e}f",
      "x{1..5}",
      "x{5..3}",
      "{0..3}.txt",
      "{a..e}",
      "{e..a}",
      "src/{a,b}/{c,d}.ts",
      "a{b,}",
      "{a,b,{c..e}}",
      "--{no-,}color",
    ];
    expect(words.map((word) => [word, expandBraces(word)])).toEqual(words.map((word) => [word, bash(word)]));
  });

  it.each(["a{b", "{a}", "{a..5}", "{01..10}", "{1..9..2}", "{A..C}", "a{b,c", "$x{a,b}", "'a'{b,c}"])("leaves %s alone", (word) =>
    expect(expandBraces(word)).toBeUndefined(),
  );

  it("gives up above its limit, and quickly for words that would be millions", () => {
    expect(expandBraces("{1..64}")).toHaveLength(64);
    expect(expandBraces("{1..65}")).toBeUndefined();
    expect(expandBraces(`{${",".repeat(70)}rm}`)).toBeUndefined();
    expect(alternativesOf("{1..999}".repeat(20))).toBeUndefined();
    expect(alternativesOf(`${"{a,".repeat(50)}b${"}".repeat(50)}`)).toBeUndefined();
  });
});
