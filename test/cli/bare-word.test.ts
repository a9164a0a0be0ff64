import { describe, expect, it } from "vitest";
import { didYouMean, refuseBareWord, refuseUnquoted, suggestions } from "../../src/cli/bare-word.ts";

const known = ["status", "stop", "send", "gc"].map((name) => ({ name, as: `tool team ${name}` }));

describe("suggestions()", () => {
  it.each([
    ["status", ["tool team status"]],
    ["statsu", ["tool team status"]],
    ["stpo", ["tool team stop"]],
    ["stp", ["tool team stop"]],
    ["gx", []],
  ])("for %s has the word itself, or those within a typo of it", (word, expected) => {
    expect(suggestions(word, known)).toEqual(expected);
  });

  it("become one question, with at most three of them", () => {
    expect([didYouMean([]), didYouMean(["a", "b"]), didYouMean(["a", "b", "c", "d"])]).toEqual([
      "",
      "Did you mean a or b?",
      "Did you mean a or b or c?",
    ]);
  });
});

describe("refuseBareWord()", () => {
  const refuse =
    (word: string | undefined, argv: string[] = []) =>
    () =>
      refuseBareWord(word, known, { argv });

  it("refuses a word near a command, or a command of other tools", () => {
    expect(refuse("statsu")).toThrow(
      '"statsu" is not a command of tool. Did you mean tool team status? To send it as a prompt: tool -- statsu',
    );
    expect(refuse("init")).toThrow('"init" is not a command of tool. All commands: tool --help. To send it as a prompt: tool -- init');
  });

  it.each([[undefined], ["hello"], ["Statsu"], ["statsu please"]])("accepts the prompt %s", (word) => {
    expect(refuse(word)).not.toThrow();
  });

  it("accepts every word after --", () => {
    expect(refuse("statsu", ["--", "statsu"])).not.toThrow();
  });
});

describe("refuseUnquoted()", () => {
  const refuse =
    (...words: string[]) =>
    () =>
      refuseUnquoted(words, "tool team", known);

  it("accepts one prompt, or none", () => {
    expect(refuse()).not.toThrow();
    expect(refuse("fix the tests")).not.toThrow();
  });

  it("shows several words in quotes, unless a shell would read them in another way", () => {
    expect(refuse("go", "now")).toThrow('2 words were given where one prompt is expected. Put it in quotes: tool team "go now"');
    expect(refuse("print", "$HOME")).toThrow('Put it in quotes: tool team "…"');
    expect(refuse("say", 'a "word"')).toThrow('Put it in quotes: tool team "…"');
  });

  it("suggests the command that the first word may be", () => {
    expect(refuse("statsu", "atlas")).toThrow('tool team "statsu atlas". Did you mean tool team status?');
  });
});
