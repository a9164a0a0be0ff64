// Walks through the syntax tree in the order in which the shell runs it, to every simple command.
import type { AndOr, CommandNode, CompoundList, ParsedScript, Pipeline, PipelineNode, Statement, Word as Written } from "unbash";
import { wrappers } from "../tables/wrappers.ts";
import { builtins } from "../uses/builtins.ts";
import { isInTable, listing } from "../uses/looks.ts";
import { expand, withValues } from "../words/expand.ts";
import { begun, copyOf, either, join, type State, type Walk } from "../words/state.ts";
import { redirections } from "./redirections.ts";
import { simple } from "./walk-simple.ts";
import { glued, inWord, touching, type Walking } from "./walk-words.ts";

export function walkScript(script: ParsedScript, state: State, { walk, source: around }: { walk: Walk; source: string }): void {
  const source = script.source ?? around;
  statements(script.commands, state, { walk, source, inner: (inside, own) => walkScript(inside, own, { walk, source }) });
}

function statements(list: readonly Statement[], state: State, walking: Walking): void {
  const { known } = state;
  for (const { command, background } of list) {
    const before = state.folders;
    node(command, background ? copyOf(state) : state, walking);
    state.folders = either(before, state.folders);
    if (!background) state.known = withAssigned(command, state, walking);
  }
  state.known = known;
}

/** The variables that are known behind a command that always runs: to the end of the block that it is in. */
function withAssigned(at: Node, { known }: State, { walk: { variables } }: Walking): State["known"] {
  const first = at.type === "AndOr" ? at.commands[0]! : at;
  const [one, ...more] = first.type === "Command" && !first.name && first.redirects.length === 0 ? first.prefix : [];
  if (one?.type !== "Assignment" || one.value.type !== "Word" || one.append || one.index || more.length > 0) return known;
  const { text, value, pos, end, parts } = one.value;
  const braces = parts?.some(({ type }) => type === "BraceExpansion"); // which are text here; a tilde counts behind a colon too
  if (text.includes("~") || (braces && /[`$]/.test(text))) return known;
  return withValues(one.name, [braces ? { type: "Word", text, value, pos, end } : one.value], { variables, known });
}

const block = ({ commands }: CompoundList, state: State, walking: Walking) => statements(commands, state, walking);

/** Behind `&&` it is where those before it have gone; behind `||`, and afterwards, wherever one of them may have ended. */
function andOr({ commands, operators }: AndOr, state: State, walking: Walking): void {
  let reached = state.folders;
  const { known } = state;
  for (const [index, each] of commands.entries()) {
    const isElse = operators[index - 1] === "||";
    if (isElse) state.folders = reached;
    node(each, state, walking);
    if (index === 0) state.known = withAssigned(each, state, walking);
    reached = either(reached, state.folders);
    if (isElse) state.folders = reached;
  }
  Object.assign(state, { folders: reached, known });
}

function pipeline({ commands, prefixes }: Pipeline, state: State, walking: Walking): void {
  const { folders } = state;
  for (const [index, each] of commands.entries()) {
    const own = commands.length === 1 ? state : copyOf(state);
    if (index > 0) own.stdin = {};
    node(each, own, walking);
  }
  // What succeeds behind a `!` has failed.
  if (prefixes.some(({ type }) => type === "Negation")) state.folders = either(folders, state.folders);
}

type Node = PipelineNode | AndOr;
type WalkOf<Type extends Node["type"]> = (at: Extract<Node, { type: Type }>, state: State, walking: Walking) => void;

const walks: { [Type in Node["type"]]: WalkOf<Type> } = {
  AndOr: andOr,
  Pipeline: pipeline,
  Command: simple,
  Redirected: redirected,
  Function: definition,
  Coproc: (at, state, walking) => {
    walking.walk.faults.push("a coprocess is not understood");
    body(at.body, copyOf(state), walking);
  },
  Subshell: (at, state, walking) => body(at.body, copyOf(state), walking),
  BraceGroup: (at, state, walking) => block(at.body, state, walking),
  If: branches,
  While: loopOf,
  For: loopOf,
  Select: loopOf,
  ArithmeticFor: loopOf,
  Case: caseItems,
  TestCommand: (at, state, walking) => inWord(at.expression, state, walking),
  ArithmeticCommand: (at, state, walking) => {
    if (at.expression) inWord(at.expression, state, walking);
    else if (at.body.trim() !== "") walking.walk.faults.push("an arithmetic expression is not understood");
  },
};

const node = (at: Node, state: State, walking: Walking) => (walks[at.type] as WalkOf<Node["type"]>)(at, state, walking);

function redirected(at: Extract<CommandNode, { type: "Redirected" }>, state: State, walking: Walking): void {
  const inner = copyOf(state);
  const files = redirections(at.redirects, inner, walking);
  node(at.command, inner, walking);
  // Where a file cannot be opened, nothing of it runs.
  if (at.command.type !== "Subshell") join(state, [state, inner]);
  // A part of its own, with the whole text: a rule for a command inside was written without them.
  const { walk, source } = walking;
  if (files.length > 0) walk.simple(begun(walk, { text: source.slice(at.pos, at.end), files }, state), state);
}

function definition(at: Extract<CommandNode, { type: "Function" }>, state: State, walking: Walking): void {
  const name = at.name.value;
  if (builtins.has(name) || wrappers.has(name) || isInTable(name)) walking.walk.faults.push(`a function is named ${name}`);
  walking.walk.functions.add(name);
  const inner = copyOf(state);
  inner.where = `in the function ${name}`;
  inner.known = new Map();
  if (walking.walk.variables.moves) inner.folders = [undefined];
  inner.stdin = undefined;
  body(at.body, inner, walking);
}

function body(at: CompoundList | CommandNode, state: State, walking: Walking): void {
  if (at.type === "CompoundList") block(at, state, walking);
  else node(at, state, walking);
}

type Loop = Extract<CommandNode, { type: "While" | "For" | "Select" | "ArithmeticFor" }>;

function loopOf(at: Loop, state: State, walking: Walking): void {
  const { faults, variables } = walking.walk;
  const words = at.type === "ArithmeticFor" ? [at.initialize, at.test, at.update] : at.type === "While" ? [] : (at.wordlist ?? []);
  for (const word of words) if (word) inWord(word, state, walking);
  const name = at.type === "For" ? at.name.value : undefined;
  if (at.type === "Select") faults.push("a menu is not understood");
  if (name !== undefined && touching(words as Written[], walking.source)) faults.push(glued);
  if (name !== undefined && !/^[A-Za-z_]\w*$/.test(name)) faults.push("the variable of a loop is not a plain name");
  if (at.type === "For" && at.wordlist) {
    const given = at.wordlist.flatMap((word) => expand(word, { variables, known: state.known }));
    const assignments = given.map(({ value }) => ({ name: at.name.value, value }));
    const own = begun(walking.walk, { text: `for ${name} in …`, assignments, files: listing(given, state.folders) }, state);
    walking.walk.simple(own, state);
    if (own.files.length === 0 && own.unclear === undefined) walking.walk.commands.pop();
  }
  loop(state, walking, (own) => {
    if (at.type === "While") block(at.clause, own, walking);
    if (at.type === "For" && at.wordlist) own.known = withValues(at.name.value, at.wordlist, { variables, known: state.known });
    block(at.body, own, walking);
  });
}

function branches(at: Extract<CommandNode, { type: "If" }>, state: State, walking: Walking): void {
  const ways: State[] = [];
  for (const { clause, then } of [at, ...at.elif]) {
    block(clause, state, walking);
    ways.push(wayOf(then, state, walking));
  }
  ways.push(at.else ? wayOf(at.else, state, walking) : copyOf(state));
  join(state, ways);
}

function wayOf(body: CompoundList, state: State, walking: Walking): State {
  const own = copyOf(state);
  block(body, own, walking);
  return own;
}

function caseItems(at: Extract<CommandNode, { type: "Case" }>, state: State, walking: Walking): void {
  inWord(at.word, state, walking);
  const ways = [copyOf(state)];
  for (const item of at.items) {
    if (item.terminator !== undefined && item.terminator !== ";;") walking.walk.faults.push("an arm of a case goes on into the next one");
    for (const pattern of item.pattern) inWord(pattern, state, walking);
    ways.push(wayOf(item.body, state, walking));
  }
  join(state, ways);
}

/** A loop may run not at all, once, or again and again, each time from the folder in which it ended. */
function loop(state: State, { walk }: Walking, body: (own: State) => void): void {
  const own = copyOf(state);
  const begin = walk.commands.length;
  body(own);
  const moves = own.folders.join("\n") !== state.folders.join("\n");
  for (let at = begin; moves && at < walk.commands.length; at++) {
    const one = walk.commands[at]!;
    walk.commands[at] = { ...one, files: one.files.map((file) => (/^[/~]/.test(file.path ?? "") ? file : { ...file, path: undefined })) };
  }
  join(state, [state, own]);
  if (moves) state.folders = [undefined];
}
