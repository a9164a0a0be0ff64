import { describe, expect, it } from "vitest";
import { awkHazards } from "../../../src/shell/uses/awk-programs.ts";
import { literal } from "../../../src/shell/words/literal.ts";

const isPlain = (program: string) => awkHazards(["awk", program, "f"].map(literal)).length === 0;

describe("awkHazards()", () => {
  it.each([
    "{print $1}",
    "{print ($1+$2)/2}",
    '(NR%2)/2 {print "a/b"}',
    'NR>1 {gsub(/"/,""); print $1/60}',
    '{gsub(/\\//,"-"); print}',
    "/a/,/b/",
    '{ a = $1 / 2  # half\n  print a, "x" }',
  ])("finds none in %j", (program) => expect(isPlain(program)).toBe(true));

  it.each([
    '/"/ {print > "x"}',
    '/"/ {system("x")}',
    '{ if (1) /"/; system("x") } #"',
    '{ $/"/; system("x") } #"',
    '{ x++ /"/; system("x") } #"',
    '{print "a" \\\n> "x"}',
    '{print "a",\n"b" > "x"}',
    '{ if ($0 ~ /["]/) print > "x" }',
    '{print $0 "no end}',
  ])("finds one in %j, where a quote in a regular expression or a continued line hides what runs or writes", (program) =>
    expect(isPlain(program)).toBe(false),
  );
});
