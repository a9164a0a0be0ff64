import { expect, it } from "vitest";
import { printsUnnamed } from "../../../src/shell/uses/git-history.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const printed = (text: string) => printsUnnamed(analyseCommand(text).commands[0]!)?.below;

it.each([
  "git show",
  "git show :/fix",
  "git show ':/!-fix'",
  "git show HEAD@{2026-01-01T00:00:00}",
  "git show 'HEAD@{9:30}' HEAD:a",
  "git show 'HEAD^{/a:b}'",
  "git log --binary",
  "git log --check",
  "git cat-file -p 6e142a0",
  "git cat-file blob 6e142a0d8bffaa201001dc49d6a49e1a31e1dada",
  'git cat-file -p "$id"',
])("%j may print any file that git has", (text) => {
  expect(printed(text)).toEqual([]);
});

it.each(["git show HEAD:a", "git show 'HEAD@{9:30}:a'", "git show :a", "git show -s :/fix", "git log -3", "git cat-file -p HEAD"])(
  "%j prints only what it names",
  (text) => {
    expect(printed(text)).toBeUndefined();
  },
);
