import { describe, expect, it } from "vitest";
import { literal } from "../../../src/shell/words/literal.ts";
import { mayMean, readOptions } from "../../../src/shell/words/options.ts";

const line = "-n --quiet -e: --expression= -i? --in-place? -exec: -v";
const read = (words: string[], how = {}) => {
  const { given, operands, unknown } = readOptions(["prog", ...words].map(literal), line, how);
  return { given: given.map(({ name, value }) => (value ? `${name} ${value.value}` : name)), operands, unknown };
};
const known = (given: string[], operands: number[] = []) => ({ given, operands, unknown: false });

describe("readOptions()", () => {
  it.each([
    [["-n", "a"], known(["-n"], [2])],
    [["-e", "p", "a"], known(["-e p"], [3])],
    [["-ep", "a"], known(["-e p"], [2])],
    [["-nve", "p"], known(["-n", "-v", "-e p"])],
    [["--expression", "p"], known(["--expression p"])],
    [["--expression=p=q"], known(["--expression p=q"])],
    [["--expr=p"], known(["--expression p"])],
    [["-i.bak", "a"], known(["-i .bak"], [2])],
    [["-i", "a"], known(["-i "], [2])],
    [["--in-place", "a"], known(["--in-place"], [2])],
    [["-exec", "rm"], known(["-exec rm"])],
    [["a", "-n", "b"], known(["-n"], [1, 3])],
    [["-", "-n"], known(["-n"], [1])],
    [["-n", "--", "-v", "a"], known(["-n"], [3, 4])],
  ])("reads %j as the program would", (words, wanted) => expect(read(words)).toEqual(wanted));

  it("ends at the first operand of a program that runs another one", () => {
    expect(read(["-n", "make", "-v"], { leading: true })).toEqual(known(["-n"], [2, 3]));
  });

  it("reports an option that is not on the line", () => {
    expect(read(["--nosuch", "a"])).toEqual({ given: ["--nosuch"], operands: [2], unknown: true });
    expect(read(["-nx"])).toEqual({ given: ["-n", "-x"], operands: [], unknown: true });
  });

  it("takes a word that may be an option for something unknown, and for an operand", () => {
    const words = [literal("prog"), { text: "$x", start: "" }, { text: "a$x", start: "a" }];
    expect(readOptions(words, line)).toEqual({ given: [], operands: [1, 2], unknown: true });
    expect(readOptions([literal("prog"), words[2]!], line)).toEqual({ given: [], operands: [1], unknown: false });
  });

  it("recognizes numbers if the line has -N", () => {
    expect(readOptions(["head", "-20", "a"].map(literal), "-N")).toMatchObject({ operands: [2], unknown: false });
  });
});

it.each([
  ["-xf", "-f", true],
  ["--rec", "--recursive", true],
  ["--rec", "-r", true],
  ["--force", "-r", false],
  ["--force", "-constructor", false],
])("mayMean() of %s and %s is %s", (given, wanted, means) => expect(mayMean(given, wanted)).toBe(means));
