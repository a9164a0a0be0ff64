// What runs while a word is expanded, and the file names that it prints.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const inside = (text: string) =>
  analyseCommand(text).commands.flatMap(({ where, words }) =>
    where === "" ? [] : [`${where}: ${words.map((word) => word.text).join(" ")}`],
  );

function isUnclear(text: string): boolean {
  const { unclear, commands } = analyseCommand(text);
  return [unclear, ...commands.map((command) => command.unclear)].some((each) => each !== undefined);
}

describe("inWord() finds every command", () => {
  it.each([
    ['a "$(b)"', ["inside $( … ): b"]],
    ["a \x24{x:-$(b)}", ["inside $( … ): b"]],
    ["a $((1 + $(b)))", ["inside $( … ): b"]],
    ["x=$(b)", ["inside $( … ): b"]],
    ["a < <(b)", ["inside <( … ): b"]],
    ["a > >(b)", ["inside >( … ): b"]],
    ["a <<E\n$(b)\nE", ["inside $( … ): b"]],
    ["[[ -n $(b) && x == $(c) ]]", ["inside $( … ): b", "inside $( … ): c"]],
    ["for x in $(b); do :; done", ["inside $( … ): b"]],
    ["case $(b) in $(c)) ;; esac", ["inside $( … ): b", "inside $( … ): c"]],
  ])("of %s", (text, commands) => {
    expect(inside(text)).toEqual(commands);
  });
});

it.each(["a $(b", "a $(( x[$(b)] ))", "a <(b)c", "[[ -v 'x[$(b)]' ]]", "a `b \\\\\n c`"])("%s cannot be relied on", (text) => {
  expect(isUnclear(text)).toBe(true);
});
