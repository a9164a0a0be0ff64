// Expands the words of one simple command of the tree and opens its redirections, before its program is looked up.
import type { Assignment, CommandNode, Word as Written } from "unbash";
import type { SimpleCommand, Word } from "../words/analysis.ts";
import { arithmeticRisk } from "../words/evaluation.ts";
import { type ExpansionContext, expand } from "../words/expand.ts";
import { knownWord, unknownWord } from "../words/literal.ts";
import { begun, copyOf, type Seen, type State, sameState, stateInside, type Walk } from "../words/state.ts";
import { redirections } from "./redirections.ts";
import { glued, inWord, touching, type Walking } from "./walk-words.ts";

type CommandOfTree = Extract<CommandNode, { type: "Command" }>;

/** Adds the command, the commands inside its words, and every command that it is known to run. */
export function simple(at: CommandOfTree, state: State, walking: Walking): void {
  const { walk, source } = walking;
  const text = source.slice(at.pos, at.end);
  // The body of a here-document is elsewhere in the text.
  const isWhole = !text.includes("<<");
  const seen = isWhole ? walk.seen.get(text) : undefined;
  if (seen && isSamePlace(seen, state, walk)) {
    walk.variables.visited += seen.visited;
    for (const one of seen.commands) walk.commands.push(one);
    return;
  }
  const place = walk.commands.length;
  const start = copyOf(state);
  const before = { faults: walk.faults.length, visited: walk.variables.visited++, counted: walk.variables.counted };
  walked(at, { command: begun(walk, { text }, state), state, walking });
  const changedNothing =
    walk.faults.length === before.faults && walk.variables.counted === before.counted && state.folders === start.folders;
  if (!isWhole || !changedNothing) return;
  const { counted, wordsChange } = walk.variables;
  const commands = walk.commands.slice(place);
  const visited = walk.variables.visited - before.visited;
  walk.seen.set(text, { commands, visited, state: start, functions: walk.functions.size, counted, wordsChange });
}

function isSamePlace({ state: start, functions, counted, wordsChange }: Seen, state: State, { variables, functions: all }: Walk): boolean {
  return functions === all.size && counted === variables.counted && wordsChange === variables.wordsChange && sameState(start, state);
}

type Place = { command: SimpleCommand; state: State; walking: Walking };

function walked(at: CommandOfTree, { command, state, walking }: Place): void {
  const { walk } = walking;
  const { name, prefix, suffix, redirects } = at;
  // Literal words need nothing to be run.
  const isPlain = redirects.length === 0 && prefix.length === 0 && suffix.every((one) => one.type === "Word" && !one.parts);
  const inside = isPlain && !name?.parts ? state : stateInside(state, command);
  const around = { variables: walk.variables, known: state.known };
  if (/[<>]\(/.test(command.text) && isGlued(at, walking)) command.unclear = glued;
  const add = (one: CommandOfTree["suffix"][number], isArgument: boolean) => {
    if (one.type === "Word") {
      inWord(one, inside, walking);
      for (const word of expand(one, around)) command.words.push(word);
    } else if (one.type === "Assignment") {
      inWord(one, inside, walking);
      if (one.value.type === "Word" && one.value.text.startsWith("(")) walk.faults.push("an array is not understood");
      assignment(one, command, { around, isArgument });
    }
  };
  for (const one of prefix) add(one, false);
  if (name) add(name, false);
  for (const one of suffix) add(one, true);
  command.files = redirections(redirects, inside, walking);
  const after = inside.stdin === state.stdin ? state : copyOf(state);
  after.stdin = inside.stdin;
  walk.simple(command, after);
  state.folders = after.folders;
}

function isGlued({ name, prefix, suffix, redirects }: CommandOfTree, { source }: Walking): boolean {
  const all = new Set([...prefix, ...(name ? [name] : []), ...suffix, ...redirects]);
  const inOrder = [...all].toSorted((one, other) => one.pos - other.pos);
  return touching(inOrder, source);
}

function assignment(one: Assignment, made: SimpleCommand, { around, isArgument }: { around: ExpansionContext; isArgument: boolean }): void {
  const value = one.value.type === "Word" ? expand(one.value as Written, around) : [];
  const known = value.length === 1 ? value[0]!.value : undefined;
  const asWritten = value[0]?.choices?.length === 1 ? value[0].choices[0] : undefined; // an assignment expands no glob
  if (isArgument) made.words.push(argument(one, known));
  else made.assignments.push({ name: one.name, value: known ?? asWritten });
  if (one.index && arithmeticRisk(one.index, around.variables)) made.unclear = "an array index is computed from a value that is not known";
}

/** The value in `export a=b`. */
function argument({ text, name }: Assignment, known: string | undefined): Word {
  const start = `${name}=`;
  return known === undefined ? unknownWord(text, start) : { ...knownWord(text, start + known), start };
}
