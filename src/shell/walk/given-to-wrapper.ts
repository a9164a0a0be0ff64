// Commands that a wrapper runs: the words after its own, or the text in one of its options.

import { isHarmlessInEnvironment } from "../tables/environment-names.ts";
import type { Wrapper } from "../tables/wrappers.ts";
import type { Word } from "../words/analysis.ts";
import { appended, unknownWord } from "../words/literal.ts";
import { readOptions } from "../words/options.ts";
import { moved } from "../words/paths.ts";
import { copyOf, type State, someOf } from "../words/state.ts";
import { type Given, joined, runText, runWords } from "./given.ts";

export function wrapped(wrapper: Wrapper, from: number, given: Given): void {
  const { words, command, unclear, program } = given;
  const read = readOptions(words, wrapper.options, { from, leading: true });
  let rest = read.operands;
  const has = (...names: string[]) => read.given.some(({ name }) => names.includes(name));
  for (const { name, value } of read.given) if (wrapper.text?.includes(name)) runText(value?.value, `given to ${program} ${name}`, given);
  if (has(...(wrapper.idle ?? [])) && !read.unknown) return;
  for (const { name, value } of read.given)
    if (value && wrapper.shell?.includes(name)) command.possibleCommands.push([value, ...words.slice(from)]);
  const there = read.given.find(({ name }) => wrapper.folder?.includes(name));
  if (there) unclear(`${program} goes to another folder`);
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
    const given = value === undefined ? undefined : set;
    if (!isHarmlessInEnvironment(name, given)) unclear(`it sets ${name}, which may change what the program does`);
  }
  rest = rest.slice(before);
  while (setting(rest[0])) rest = rest.slice(1);
  if (read.unknown) {
    unclear(`the options of ${program} are not understood`);
    for (let at = 1; at < words.length; at++) command.possibleCommands.push(words.slice(at));
  }
  if (wrapper.text && rest[0] !== undefined && words[rest[0]]!.value?.startsWith("-")) {
    // Options may follow the operand: `flock file -c text`, `su person -c text`.
    const more = readOptions(words, wrapper.options, { from: rest[0] });
    if (more.unknown) unclear(`the options of ${program} are not understood`);
    for (const { name, value } of more.given) if (wrapper.text.includes(name)) runText(value?.value, `given to ${program} ${name}`, given);
    return;
  }
  if (words.slice(from, rest[0]).some(({ many }) => many)) unclear(`where the command of ${program} begins is not known before it runs`);
  const inner = rest.map((at) => words[at]!);
  if (inner.length === 0) {
    // `env` alone prints the environment.
    return;
  }
  if (wrapper.elsewhere) command.possibleCommands.push(inner);
  if (wrapper.joined && !has("-x", "--exec", "-N", "--shell=none")) {
    if (program === "parallel") unclear("what parallel appends is not known before it runs");
    runText(joined(inner), `given to ${program}`, given);
    return;
  }
  const state = there ? stateIn(there.value, given.state) : given.state;
  runWords(wrapper.appends ? [...inner.map((word) => replaced(word, read.given)), appended] : inner, { ...given, state });
  if (wrapper.light && !read.unknown && command.unclear === undefined) command.looks = true;
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
