// One simple command of the tree: its words are expanded, and its redirections opened, before anything is said of its program.
import type { Assignment, CommandNode, Word as Written } from "unbash";
import type { FileUse, SimpleCommand, Word } from "./analysis.ts";
import { arithmeticRisk } from "./evaluation.ts";
import { expand, type Surroundings } from "./expand.ts";
import { redirectedFiles } from "./redirections.ts";
import { type MadeCommand, type State, type Walk, withNames } from "./state.ts";
import { glued, inWord, touching, type Walking } from "./walk-words.ts";

type CommandOfTree = Extract<CommandNode, { type: "Command" }>;

/** Adds the command, what stands inside its words, and what it is known to run in turn. */
export function simple(at: CommandOfTree, state: State, walking: Walking): void {
  const { walk, source } = walking;
  const text = source.slice(at.pos, at.end);
  walk.variables.visited++;
  const key = isPlain(at) ? placeKey(text, state, walk) : undefined;
  const seen = key === undefined ? undefined : walk.seen.get(key);
  if (seen) {
    walk.commands.push(seen.parent === state.parent ? seen : { ...seen, ...(state.parent !== undefined && { parent: state.parent }) });
    return;
  }
  const place = walk.commands.length;
  const faults = walk.faults.length;
  const { folders, functions } = state;
  walk.commands.push(kept); // so that what stands inside the words comes after it
  walked(at, { text, place, state, walking });
  const changedNothing =
    walk.commands.length === place + 1 && walk.faults.length === faults && state.folders === folders && state.functions === functions;
  if (key !== undefined && changedNothing) walk.seen.set(key, walk.commands[place]!);
}

const kept: SimpleCommand = {
  text: "",
  where: "",
  words: [],
  bare: "",
  assignments: [],
  files: [],
  hazards: [],
  harmless: false,
  readOnly: false,
  suspects: [],
};

/** Whether nothing in it runs anything, so that it means the same wherever nothing around it is different. */
const isPlain = ({ name, prefix, suffix, redirects }: CommandOfTree) =>
  name !== undefined && prefix.length === 0 && redirects.length === 0 && [name, ...suffix].every(isPlainWord);

const isPlainWord = (one: CommandOfTree["suffix"][number]) => one.type === "Word" && !/[`(]|\$[[{]/.test(one.text);

/** All that decides what a plain command comes to, but for its parent. */
function placeKey(text: string, { where, folders, stdin, depth, functions, definite, parent }: State, walk: Walk): string {
  const { wordsChange, counted } = walk.variables;
  const from = stdin ? JSON.stringify(stdin) : "";
  const sizes = `${depth} ${parent === undefined} ${functions.size} ${walk.functions.size} ${wordsChange} ${counted} ${folders.length}`;
  return [sizes, where, ...folders, ...definite, from, text].join("\0");
}

type Place = { text: string; place: number; state: State; walking: Walking };

function walked(at: CommandOfTree, { text, place, state, walking }: Place): void {
  const { walk } = walking;
  const inside: State = { ...state, parent: place };
  const around = { variables: walk.variables, definite: state.definite };
  const made: MadeCommand = { text, words: [], assignments: [], files: [], place };
  const written = [...at.prefix, ...(at.name ? [at.name] : []), ...at.suffix];
  if (/[<>]\(/.test(text)) {
    const all = [...new Set([...written, ...at.redirects])].toSorted((a, b) => a.pos - b.pos);
    if (touching(all, walking.source)) made.unclear = glued;
  }
  for (const one of written.filter(isWordOrAssignment)) {
    inWord(one, inside, walking);
    if (one.type === "Word") {
      made.words.push(...expand(one, around));
      if (at.name?.value === "let" && one !== at.name && arithmeticRisk(one, walk.variables))
        made.unclear = "let computes with what is not known";
    } else {
      if (one.value.type === "Word" && one.value.text.startsWith("(")) walk.faults.push("an array is not understood");
      assignment(one, made, { around, isArgument: at.suffix.includes(one) });
    }
  }
  made.files.push(...redirections(at.redirects, inside, walking));
  const after: State = inside.stdin ? { ...state, stdin: inside.stdin } : { ...state };
  walk.simple(made, after);
  state.folders = after.folders;
  state.functions = after.functions;
  state.definite = withNames(state.definite, givenNames(at, made));
}

/** Redirections stand among them. */
const isWordOrAssignment = (one: CommandOfTree["suffix"][number]): one is Written | Assignment =>
  one.type === "Word" || one.type === "Assignment";

function assignment(one: Assignment, made: MadeCommand, { around, isArgument }: { around: Surroundings; isArgument: boolean }): void {
  const value = one.value.type === "Word" ? expand(one.value as Written, around) : [];
  const known = value.length === 1 ? value[0]!.value : undefined;
  if (isArgument) made.words.push(argument(one, known));
  else made.assignments.push({ name: one.name, ...(known !== undefined && { value: known }) });
  if (one.index && arithmeticRisk(one.index, around.variables)) made.unclear = "a place in an array is computed from what is not known";
}

/** What `export a=b` is given. */
function argument({ text, name }: Assignment, known: string | undefined): Word {
  const start = `${name}=`;
  return known === undefined ? { text, start } : { text, start, value: start + known, choices: [start + known] };
}

/** Names that certainly have a value of the text behind the command. */
function givenNames(at: CommandOfTree, { assignments }: MadeCommand): string[] {
  if (!at.name) return assignments.map(({ name }) => name);
  if (!["export", "readonly", "declare", "typeset"].includes(at.name.value)) return [];
  return at.suffix.flatMap((one) => (one.type === "Assignment" ? [one.name] : []));
}

/** Opens them: the files that are named, and what is read from now on. */
export function redirections(list: Parameters<typeof redirectedFiles>[0], state: State, walking: Walking): FileUse[] {
  if (list.length === 0) return [];
  const { files, stdin, unclear, words } = redirectedFiles(list, state, walking.walk.variables);
  for (const each of words) inWord(each, state, walking);
  if (unclear) walking.walk.faults.push(unclear);
  if (stdin) state.stdin = stdin;
  return files;
}
