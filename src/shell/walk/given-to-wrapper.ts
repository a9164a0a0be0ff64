// Commands that a wrapper runs: the words after its own, or the text in one of its options.
import type { Wrapper } from "../tables/wrappers.ts";
import type { SimpleCommand, Word } from "../words/analysis.ts";
import { appended, unknownWord } from "../words/literal.ts";
import { type ReadOptions, readOptions } from "../words/options.ts";
import { type Given, joined, runText, runWords } from "./given.ts";

export function wrapped(wrapper: Wrapper, from: number, given: Given): void {
  const { words, command, unclear, program, state } = given;
  const read = readOptions(words, wrapper.options, { from, leading: true });
  const has = (names: string[] = []) => read.given.some(({ name }) => names.includes(name));
  textOptions(wrapper, read, given);
  if (has(wrapper.idle) && !read.unknown) return;
  if (clears(wrapper, read, words)) unclear(`${program} takes away variables by which git here runs nothing that a repository says`);
  const goes = has(wrapper.folder);
  if (goes) unclear(`${program} goes to another folder`);
  if (read.unknown) unclear(`the options of ${program} are not understood`);
  const { assignments, inner, begin } = commandOf(wrapper, read, words);
  // Where its operands may be left out, or are not known, the command may begin at any word.
  if (read.unknown || wrapper.operands !== undefined)
    for (let at = 1; at < words.length; at++) command.possibleCommands.push(words.slice(at));
  if (wrapper.text && inner[0]?.value?.startsWith("-")) {
    // Options may follow the operand: `flock file -c text`, `su person -c text`.
    const more = readOptions(words, wrapper.options, { from: begin });
    if (more.unknown) unclear(`the options of ${program} are not understood`);
    textOptions(wrapper, more, given);
    return;
  }
  if (words.slice(from, begin).some(({ many }) => many)) unclear(`where the command of ${program} begins is not known before it runs`);
  if (inner.length === 0) {
    if (program === "parallel") unclear("what parallel runs is not known before it runs"); // it reads commands then
    return; // `env` alone prints the environment
  }
  if (wrapper.elsewhere) command.possibleCommands.push(inner);
  if (wrapper.joined && !has(["-x", "--exec", "-N", "--shell=none"])) {
    if (program === "parallel") unclear("what parallel appends is not known before it runs");
    runText(joined(inner), `given to ${program}`, given);
    return;
  }
  const there = goes ? { ...given, state: { ...state, folders: [undefined] } } : given;
  runWords(wrapper.appends ? [...inner.map((word) => replaced(word, read.given)), appended] : inner, there, assignments);
  if (wrapper.light && !read.unknown && command.unclear === undefined) command.looks = true;
}

function clears({ clears: options }: Wrapper, { given, operands }: ReadOptions, words: Word[]): boolean {
  const isOurs = (name: string | undefined) => name === undefined || /^(?:GIT_|TOOL_|TMPDIR$)/.test(name);
  return (
    options !== undefined &&
    (words[operands[0]!]?.value === "-" || given.some(({ name, value }) => options.includes(name) && isOurs(value?.value)))
  );
}

function textOptions({ text = [] }: Wrapper, read: ReadOptions, given: Given): void {
  for (const { name, value } of read.given) if (text.includes(name)) runText(value?.value, `given to ${given.program} ${name}`, given);
}

/** What it runs, behind its own operands and the variables that it sets; `begin`: the index of its first word. */
function commandOf(wrapper: Wrapper, { operands }: ReadOptions, words: Word[]) {
  const rest = [...operands];
  const assignments: SimpleCommand["assignments"] = [];
  const set = () => {
    for (; wrapper.assigns && rest[0] !== undefined; rest.shift()) {
      const { value, start } = words[rest[0]]!;
      const [, name, known] = /^([A-Za-z_]\w*)=(.*)/s.exec(value ?? start) ?? [];
      if (name === undefined) return;
      assignments.push({ name, value: value === undefined ? undefined : known });
    }
  };
  if (rest[0] !== undefined && words[rest[0]]!.value === "-" && wrapper.text) rest.shift(); // `env -i` or `su -l`
  set();
  rest.splice(0, wrapper.operands ?? 0);
  set();
  return { assignments, inner: rest.map((at) => words[at]!), begin: rest[0] };
}

/** With -I, each word that contains the placeholder gets a name in its place. */
function replaced(word: Word, given: { name: string; value?: Word }[]): Word {
  const options = given.filter(({ name }) => ["-I", "-i", "--replace", "-J"].includes(name));
  if (options.some(({ value }) => value && value.value === undefined)) return appended;
  const mark = options.map(({ value }) => value?.value || "{}").find((one) => word.value?.includes(one));
  if (!mark || !word.value) return word;
  return word.value === mark ? appended : unknownWord(word.text, word.value.slice(0, word.value.indexOf(mark)));
}
