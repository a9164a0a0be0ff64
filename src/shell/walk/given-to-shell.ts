// Commands that a shell runs: the text after -c, a script file, or standard input.
import type { Word } from "../words/analysis.ts";
import { literal } from "../words/literal.ts";
import { readOptions } from "../words/options.ts";
import { placesOf, useOf } from "../words/paths.ts";
import { type Given, runText } from "./given.ts";

export const shells = new Set(
  "sh bash dash zsh ksh ksh93 mksh lksh pdksh ash rbash fish csh tcsh yash posh elvish nu xonsh osh ysh rc es hush".split(" "),
);
const bourne = new Set("sh bash dash ash rbash".split(" "));

const options =
  "-a -b -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -E -H -P -T -D -c -o: -O: --login --posix --norc --noprofile --noediting --restricted --verbose --debugger --rcfile= --init-file= --version --help";

/** `+x` is an option too, and a single dash ends the options. */
const asOption = (word: Word): Word =>
  /^(?:\+\w+|-)$/.test(word.value ?? "") ? literal(word.value === "-" ? "--" : word.value!.replace("+", "-")) : word;

export function shell(given: Given): void {
  const { program, words, command, state, unclear } = given;
  const read = readOptions(words.map(asOption), options, { leading: true });
  if (read.given.some(({ name }) => ["--rcfile", "--init-file", "-i", "-l", "--login"].includes(name))) unclear("it reads a start file");
  const { operands } = read;
  const first = operands[0] === undefined ? undefined : words[operands[0]];
  if (read.given.some(({ name }) => name === "-c")) {
    if (read.unknown) {
      unclear(`the options of ${program} are not understood`);
      for (const word of words.slice(1))
        if (word.value !== undefined && !word.value.startsWith("-")) runText(word.value, `given to ${program} -c`, given);
      return;
    }
    if (!bourne.has(program) && !/^[\w ./=:@,%+-]*$/.test(first?.value ?? "$")) unclear(`${program} parses its text differently`);
    runText(first?.value, `given to ${program} -c`, given);
    return;
  }
  if (read.unknown) unclear(`the options of ${program} are not understood`);
  if (first && !read.given.some(({ name }) => name === "-s")) {
    if (first.value === undefined) unclear(`what ${program} runs is not known before it runs`);
    // A script without a folder is looked up on PATH too.
    command.possibleCommands.push(words.slice(operands[0]));
    for (const place of placesOf(first, state.folders)) command.files.push(useOf(place, { access: "read" }));
    return;
  }
  if (read.given.some(({ name }) => name === "--version" || name === "--help")) return;
  runText(state.stdin?.text, `read by ${program}`, given);
}
