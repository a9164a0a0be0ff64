// Files that git reads because an option names them: lists of paths, messages, patterns. An error message of git may print what is in them.

import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal } from "../words/literal.ts";
import { readOptions } from "../words/options.ts";
import type { Use } from "./named-files.ts";

export function readByGit({ program, words, sub, verb = "" }: Invocation): Use[] {
  const line = program === "git" ? lines.get(verb) : undefined;
  if (line === undefined || sub === undefined) return [];
  const { given } = readOptions(words, line, { from: sub + 1 });
  return given.flatMap(({ name, value }): Use[] => {
    const word = name === "-L" ? placeOf(value) : naming.has(name) ? value : undefined;
    return word ? [{ word, access: "read" }] : [];
  });
}

/** `-L '/^func/,/^}/:a.go'` names the file behind its last colon. */
const placeOf = (range: Word | undefined) => (range?.value?.includes(":") ? literal(range.value.replace(/^.*:/s, "")) : undefined);

const naming = new Set("-F --file -t --template --pathspec-from-file --ignore-revs-file --contents -f -X --exclude-from -O".split(" "));

/** The options that take a value, for each subcommand. */
const lines = new Map(
  Object.entries({
    "add checkout restore reset rm stash": "--pathspec-from-file= -s: --source= -m: --message= -b: -B:",
    commit:
      "-F: --file= -t: --template= --pathspec-from-file= -m: --message= -C: -c: --author= --date= --fixup= --squash= --trailer= -S? -u? -a -v -q -s -n -e -p -o -i -z",
    "tag notes": "-F: --file= -m: --message= -C: -c: -u: -n? -a -s -f -d -l",
    merge: "-F: --file= -m: --message= -s: -X: -S?",
    "blame annotate": "--ignore-revs-file= --contents= -S: -C? -M?",
    grep: "-f: -e: -A: -B: -C: -m: -O? -r -n -i -v -w -l -c -h -H -E -F -P -G -a -I -o -p -q -W",
    "ls-files": "-X: --exclude-from= -x: --exclude= -c -d -m -o -i -s -u -z -t -v",
    "log diff show whatchanged diff-tree diff-index diff-files": "-O: -S: -G: -L: -n: -U? -M? -C? -B?",
  }).flatMap(([verbs, line]) => verbs.split(" ").map((verb): [string, string] => [verb, line])),
);
