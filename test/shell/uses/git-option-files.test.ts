import { expect, it } from "vitest";
import { readByGit } from "../../../src/shell/uses/git-option-files.ts";
import { invocationOf } from "../../../src/shell/words/invocation.ts";
import { literal } from "../../../src/shell/words/literal.ts";

it.each([
  ["git add --pathspec-from-file=f", ["f"]],
  ["git reset --pathspec-f f", ["f"]],
  ["git commit --pathspec-from-file f -m x", ["f"]],
  ["git commit -F f", ["f"]],
  ["git commit -aFf", ["f"]],
  ["git commit --template f", ["f"]],
  ["git commit -am -F", []],
  ["git tag -a v1 -F f", ["f"]],
  ["git --no-pager blame --ignore-revs-file f a", ["f"]],
  ["git blame --contents=f a", ["f"]],
  ["git grep -f f", ["f"]],
  ["git grep -e -f a", []],
  ["git ls-files -o -X f", ["f"]],
  ["git diff -Of", ["f"]],
  ["git log -S -F", []],
  ["git log -L /a/,+1:f", ["f"]],
  ["git log -L:a:f", ["f"]],
  ["git blame -L /a:b/,+1 f", []],
  ["git status", []],
  ["grep -f f", []],
])("git reads what the options of %j name", (text, files) => {
  const words = text.split(" ").map((word) => literal(word));
  expect(readByGit(invocationOf(words[0]!.text, words)).map(({ word, access }) => `${access} ${word.value}`)).toEqual(
    files.map((file) => `read ${file}`),
  );
});
