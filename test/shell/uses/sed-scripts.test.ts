import { describe, expect, it } from "vitest";
import { sedHazards } from "../../../src/shell/uses/sed-scripts.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const isPlain = (script: string) => {
  const [command] = analyseCommand(`sed -n '${script}' a.txt`).commands;
  return sedHazards(command!.words).length === 0;
};

describe("sedHazards()", () => {
  it("recognizes scripts that only print, delete and replace", () => {
    const plain = [
      "p",
      "1,5p",
      "$!d",
      "/a/,/b/p",
      "/[^/]x/d",
      "0~3p",
      "1,+2d",
      "s/a/b/g",
      "s|a/b|c|2",
      "s/a/b/;s/c/d/I",
      "y/abc/xyz/",
      "/a/{s/b/c/;p}",
      "2q",
      "q3",
      "a\\ text",
      "i hello; w x",
      ":a;s/x/y/;ta",
      "# a comment\np",
      "=",
    ];
    expect(plain.filter((script) => !isPlain(script))).toEqual([]);
  });

  it("sees each command that runs a program, or reads or writes a file", () => {
    const risky = [
      "e",
      "1e ls",
      "w out",
      "W out",
      "r in",
      "R in",
      "s/a/b/e",
      "s/a/b/w out",
      "s/a/b/ge",
      "s/a/b/;w out",
      "/x/{w out\n}",
      "p;e id",
      "y/a/b/;r in",
      "s/[/]/]/w out",
      "/a/w out",
    ];
    expect(risky.filter(isPlain)).toEqual([]);
  });

  it("treats what it cannot parse as risky", () => {
    expect(["s/a", "s/a/b", "1,", "k", "sXaXbX", "s\\a\\b\\"].filter(isPlain)).toEqual([]);
  });

  it("reads every script of a command, and no script files", () => {
    const hazards = (text: string) => sedHazards(analyseCommand(text).commands[0]!.words).length;
    expect(hazards("sed -e p -e 'w out' a")).toBe(1);
    expect(hazards("sed -e p -e d a")).toBe(0);
    expect(hazards("sed --expression='1e id' a")).toBe(1);
    expect(hazards('sed "$x" a')).toBe(1);
    expect(hazards("sed -f 'w out' a")).toBe(0);
  });
});
