// Commands that a wrapper runs: the words after its own, or the text in one of its options.

import { isHarmlessInEnvironment } from "../tables/environment-names.ts";
import type { Wrapper } from "../tables/wrappers.ts";
import type { Word } from "../words/analysis.ts";
import { appended, unknownWord } from "../words/literal.ts";
import { type ReadOptions, readOptions } from "../words/options.ts";
import { moved } from "../words/paths.ts";
import { copyOf, type State, someOf } from "../words/state.ts";
import { type Given, joined, runText, runWords } from "./given.ts";

export function wrapped(wrapper: Wrapper, from: number, given: Given): void {
  const { words, command, unclear, program } = given;
  const read = readOptions(words, wrapper.options, { from, leading: true });
  textOptions(wrapper, read, given);
  if (read.given.some(({ name }) => wrapper.idle?.includes(name)) && !read.unknown) return;
  for (const { name, value } of read.given)
    if (value && wrapper.shell?.includes(name)) command.possibleCommands.push([value, ...words.slice(from)]);
  const there = read.given.find(({ name }) => wrapper.folder?.includes(name));
  if (there) unclear(`${program} goes to another folder`);
  const rest = commandAt(wrapper, read, given);
  if (read.unknown) {
    unclear(`the options of ${program} are not understood`);
    for (let at = 1; at < words.length; at++) command.possibleCommands.push(words.slice(at));
  }
  if (wrapper.text && rest[0] !== undefined && words[rest[0]]!.value?.startsWith("-")) {
    // Options may follow the operand: `flock file -c text`, `su person -c text`.
    const more = readOptions(words, wrapper.options, { from: rest[0] });
    if (more.unknown) unclear(`the options of ${program} are not understood`);
    textOptions(wrapper, more, given);
    return;
  }
  if (words.slice(from, rest[0]).some(({ many }) => many)) unclear(`where the command of ${program} begins is not known before it runs`);
  if (rest.length === 0) return; // `env` alone prints the environment
  const inner = rest.map((at) => words[at]!);
  if (wrapper.elsewhere) command.possibleCommands.push(inner);
  if (wrapper.joined && !read.given.some(({ name }) => ["-x", "--exec", "-N", "--shell=none"].includes(name))) {
    if (program === "parallel") unclear("what parallel appends is not known before it runs");
    runText(joined(inner), `given to ${program}`, given);
    return;
  }
  const state = there ? stateIn(there.value, given.state) : given.state;
  runWords(wrapper.appends ? [...inner.map((word) => replaced(word, read.given)), appended] : inner, { ...given, state });
  if (wrapper.light && !read.unknown && command.unclear === undefined) command.looks = true;
}

function textOptions({ text = [] }: Wrapper, read: ReadOptions, given: Given): void {
  for (const { name, value } of read.given) if (text.includes(name)) runText(value?.value, `given to ${given.program} ${name}`, given);
}

/** The indexes of the command's words, behind the operands and assignments of the wrapper. */
function commandAt(wrapper: Wrapper, { operands }: ReadOptions, { words, command, unclear }: Given): number[] {
  let rest = operands;
  // A single dash means `env -i` or `su -l`.
  if (rest[0] !== undefined && words[rest[0]]!.value === "-" && wrapper.text) rest = rest.slice(1);
  const before = wrapper.operands ?? 0;
  // If an operand may be left out, the command may begin one word earlier.
  if (before > 0 && rest[0] !== undefined) command.possibleCommands.push(words.slice(rest[0]));
  const setting = (at: number | undefined) =>
    at !== undefined && wrapper.assigns && /^[A-Za-z_]\w*=/.test(words[at]!.value ?? words[at]!.start);
  while (setting(rest[0])) {
    const { value, start } = words[rest[0]!]!;
    const [, name = "", set] = /^(\w+)(?:=(.*))?/s.exec(value ?? start)!;
    command.assignments.push({ name });
    rest = rest.slice(1);
    if (!isHarmlessInEnvironment(name, value === undefined ? undefined : set))
      unclear(`it sets ${name}, which may change what the program does`);
  }
  rest = rest.slice(before);
  while (setting(rest[0])) rest = rest.slice(1);
  return rest;
}

/** Equivalent to `cd` before the command. */
function stateIn(folder: Word | undefined, state: State): State {
  const there = copyOf(state);
  there.folders = someOf(state.folders.flatMap((from) => (folder ? moved(from, folder) : [undefined])));
  return there;
}

/** With -I, each word that contains the placeholder gets a name in its place. */
function replaced(word: Word, given: { name: string; value?: Word }[]): Word {
  const option = given.find(({ name }) => ["-I", "-i", "--replace", "-J"].includes(name));
  const mark = option && (option.value?.value || "{}");
  if (!mark || !word.value?.includes(mark)) return word;
  return word.value === mark ? appended : unknownWord(word.text, word.value.slice(0, word.value.indexOf(mark)));
}
