// Through the grammar's tree, in the order in which the shell goes, to every simple command.
import type {
  AndOr,
  CommandNode,
  CompoundList,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Statement,
  SyntaxNode,
  TestExpression,
  Word as Written,
} from "unbash";
import type { FileUse } from "./analysis.ts";
import { arithmeticRisk, parameterRisk } from "./evaluation.ts";
import { expand } from "./expand.ts";
import { forEachChild } from "./grammar.ts";
import { namesFrom } from "./piped-names.ts";
import { redirectedFiles } from "./redirections.ts";
import { copyOf, join, type MadeCommand, type State, someOf, type Walk } from "./state.ts";

/** `source` is the text that the places of the tree count in. */
type Walking = { walk: Walk; source: string };

export function walkScript(script: ParsedScript, state: State, { walk, source }: Walking): void {
  statements(script.commands, state, { walk, source: script.source ?? source });
}

function statements(list: readonly Statement[], state: State, walking: Walking): void {
  for (const { command, background } of list) {
    const before = state.folders;
    node(command, background ? copyOf(state) : state, walking);
    // What changes the folder may fail, and the next statement runs all the same.
    if (state.folders !== before) state.folders = someOf([...before, ...state.folders]);
  }
}

const block = ({ commands }: CompoundList, state: State, walking: Walking) => statements(commands, state, walking);

function node(at: PipelineNode | AndOr, state: State, walking: Walking): void {
  if (at.type === "AndOr") andOr(at, state, walking);
  else if (at.type === "Pipeline") pipeline(at, state, walking);
  else command(at, state, walking);
}

function andOr({ commands, operators }: AndOr, state: State, walking: Walking): void {
  const [first, ...others] = commands;
  if (!first) return;
  const mayStop = operators.includes("||");
  let before = copyOf(state);
  node(first, state, walking);
  // What holds after the first holds however far it goes.
  const ways = [copyOf(state)];
  for (const [index, other] of others.entries()) {
    if (operators[index] === "||") join(state, [before, ...ways]);
    if (mayStop) before = copyOf(state);
    node(other, state, walking);
    if (mayStop) ways.push(copyOf(state));
  }
  const { folders } = state;
  join(state, ways);
  if (!mayStop) state.folders = folders;
}

function pipeline({ commands }: Pipeline, state: State, walking: Walking): void {
  const [only] = commands;
  if (commands.length === 1 && only) {
    command(only, state, walking);
    return;
  }
  const begin = walking.walk.commands.length;
  for (const [index, each] of commands.entries()) {
    const own = copyOf(state);
    if (index > 0) own.stdin = namesFrom(walking.walk.commands.slice(begin)) ?? {};
    command(each, own, walking);
  }
}

function command(at: CommandNode, state: State, walking: Walking): void {
  switch (at.type) {
    case "Command":
      simple(at, state, walking);
      return;
    case "Redirected": {
      const inner = copyOf(state);
      const begin = walking.walk.commands.length;
      const files = redirections(at.redirects, inner, walking);
      command(at.command, inner, walking);
      if (at.command.type !== "Subshell")
        Object.assign(state, { folders: inner.folders, definite: inner.definite, functions: inner.functions });
      if (files.length > 0) attach(files, begin, { at, state, walking });
      return;
    }
    case "Function": {
      const name = at.name.value;
      walking.walk.functions.add(name);
      const inner = copyOf(state);
      inner.where = `in the function ${name}`;
      inner.definite = new Set();
      if (walking.walk.variables.moves) inner.folders = [undefined];
      delete inner.stdin;
      const body = at.body;
      if (body.type === "CompoundList") block(body, inner, walking);
      else command(body, inner, walking);
      state.functions.add(name);
      return;
    }
    case "Coproc": {
      const inner = copyOf(state);
      if (at.body.type === "CompoundList") block(at.body, inner, walking);
      else command(at.body, inner, walking);
      return;
    }
    case "Subshell":
      block(at.body, copyOf(state), walking);
      return;
    case "BraceGroup":
      block(at.body, state, walking);
      return;
    case "If": {
      block(at.clause, state, walking);
      const ways: State[] = [];
      const way = (body: CompoundList) => {
        const own = copyOf(state);
        block(body, own, walking);
        ways.push(own);
      };
      way(at.then);
      for (const elif of at.elif) {
        block(elif.clause, state, walking);
        way(elif.then);
      }
      if (at.else) way(at.else);
      else ways.push(copyOf(state));
      join(state, ways);
      return;
    }
    case "While": {
      loop(state, walking, (own) => {
        block(at.clause, own, walking);
        block(at.body, own, walking);
      });
      return;
    }
    case "For":
    case "Select": {
      for (const word of at.wordlist ?? []) inWord(word, state, walking);
      if (touching(at.wordlist ?? [])) walking.walk.faults.push(glued);
      if (!/^[A-Za-z_]\w*$/.test(at.name.value)) walking.walk.faults.push("a loop has no plain name");
      loop(state, walking, (own) => {
        if (at.wordlist) own.definite.add(at.name.value);
        block(at.body, own, walking);
      });
      return;
    }
    case "ArithmeticFor": {
      for (const each of [at.initialize, at.test, at.update]) if (each) inWord(each, state, walking);
      loop(state, walking, (own) => block(at.body, own, walking));
      return;
    }
    case "Case": {
      inWord(at.word, state, walking);
      const ways = [copyOf(state)];
      for (const item of at.items) {
        for (const pattern of item.pattern) inWord(pattern, state, walking);
        const own = copyOf(state);
        block(item.body, own, walking);
        ways.push(own);
      }
      join(state, ways);
      return;
    }
    case "TestCommand":
      test(at.expression, state, walking);
      return;
    case "ArithmeticCommand":
      if (!at.expression && at.body.trim() !== "") walking.walk.faults.push("an arithmetic expression is not understood");
      if (at.expression) inWord(at.expression, state, walking);
      return;
  }
}

/** A loop runs never, once or again from where it ended. */
function loop(state: State, { walk }: Walking, body: (own: State) => void): void {
  const own = copyOf(state);
  const begin = walk.commands.length;
  body(own);
  if (own.folders.join("\n") !== state.folders.join("\n")) {
    for (const { files } of walk.commands.slice(begin)) for (const file of files) if (!/^[/~]/.test(file.path ?? "")) delete file.path;
  }
  join(state, [state, own]);
}

/** Redirections of a group are judged with the first command in it, or as a part of their own. */
function attach(files: FileUse[], begin: number, { at, state, walking }: { at: SyntaxNode; state: State; walking: Walking }): void {
  const first = walking.walk.commands[begin];
  if (first) first.files.push(...files);
  else walking.walk.simple({ text: walking.source.slice(at.pos, at.end), words: [], assignments: [], files }, state);
}

function redirections(list: Parameters<typeof redirectedFiles>[0], state: State, walking: Walking): FileUse[] {
  const { files, stdin, unclear, words } = redirectedFiles(list, state, walking.walk.variables);
  for (const each of words) inWord(each, state, walking);
  if (unclear) walking.walk.faults.push(unclear);
  if (stdin) state.stdin = stdin;
  return files;
}

function simple(at: Extract<CommandNode, { type: "Command" }>, state: State, walking: Walking): void {
  const { walk, source } = walking;
  walk.variables.visited++;
  const place = walk.commands.length;
  const made: MadeCommand = { text: source.slice(at.pos, at.end), words: [], assignments: [], files: [], place };
  // Kept, so that what stands inside the words comes after it.
  walk.commands.push({
    text: made.text,
    where: state.where,
    words: [],
    bare: "",
    assignments: [],
    files: [],
    hazards: [],
    harmless: false,
    readOnly: false,
    suspects: [],
  });
  const inside: State = { ...state, parent: place };
  const around = { variables: walk.variables, definite: state.definite };
  const written = [...at.prefix, ...(at.name ? [at.name] : []), ...at.suffix];
  if (touching(written)) made.unclear = glued;
  for (const one of written) {
    if (one.type === "Word") {
      inWord(one, inside, walking);
      made.words.push(...expand(one, around));
      if (at.name?.value === "let" && arithmeticRisk(one === at.name ? { value: "" } : one, walk.variables))
        made.unclear = "let computes with what is not known";
    } else if (one.type === "Assignment") {
      inWord(one, inside, walking);
      const value = one.value.type === "Word" ? expand(one.value, around) : [];
      const known = value.length === 1 ? value[0]!.value : undefined;
      if (at.suffix.includes(one))
        made.words.push({
          text: one.text,
          start: `${one.name}=`,
          ...(known !== undefined && { value: `${one.name}=${known}`, choices: [`${one.name}=${known}`] }),
        });
      else made.assignments.push({ name: one.name, ...(known !== undefined && { value: known }) });
      if (one.index && arithmeticRisk(one.index, walk.variables)) made.unclear = "a place in an array is computed from what is not known";
    }
  }
  made.files.push(...redirections(at.redirects, inside, walking));
  const stdin = inside.stdin;
  const after: State = { ...state, ...(stdin && { stdin }) };
  walk.simple(made, after);
  state.folders = after.folders;
  state.functions = after.functions;
  if (!at.name) for (const { name } of made.assignments) state.definite.add(name);
  else if (["export", "readonly", "declare", "typeset"].includes(at.name.value))
    for (const one of at.suffix) if (one.type === "Assignment") state.definite.add(one.name);
}

/** The grammar ends a word before and behind a process substitution, and bash does not. */
const touching = (words: readonly SyntaxNode[]) => words.some(({ pos }, at) => at > 0 && words[at - 1]!.end === pos);
const glued = "a word goes on beside a process substitution";

/** Everything that is run to make a word: substitutions, wherever they stand. */
function inWord(at: SyntaxNode, state: State, walking: Walking): void {
  const { walk, source } = walking;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others only hold these
  switch (at.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion": {
      const { script } = at;
      if (!script) {
        walk.faults.push("a substitution is not understood");
        return;
      }
      if (!/[)`}]$/.test(at.text)) walk.faults.push("a substitution has no end");
      if (/^`[\s\S]*\\\\\n/.test(at.text)) walk.faults.push("a line goes on inside of backquotes");
      if (script.errors?.length) walk.faults.push(`a substitution does not parse: ${script.errors[0]!.message}`);
      const inner = copyOf(state);
      inner.where = at.type === "ProcessSubstitution" ? `inside ${at.operator}( … )` : "inside $( … )";
      inner.depth++;
      if (at.type === "ProcessSubstitution" && at.operator === ">") inner.stdin = {};
      walkScript(script, inner, { walk, source });
      return;
    }
    case "ParameterExpansion": {
      const risk = parameterRisk(at, walk.variables);
      if (risk) walk.faults.push(risk);
      break;
    }
    case "ArithmeticExpansion":
      if (!at.expression && at.text.replaceAll(/[$()[\]\s]/g, "") !== "") walk.faults.push("an arithmetic expression is not understood");
      break;
    case "ArithmeticWord": {
      const risk = arithmeticRisk(at, walk.variables);
      if (risk) walk.faults.push(risk);
      break;
    }
  }
  forEachChild(at, (child) => inWord(child, state, walking));
}

function test(at: TestExpression, state: State, walking: Walking): void {
  const numeric = (word: Written) => {
    const risk = arithmeticRisk(word, walking.walk.variables);
    if (risk) walking.walk.faults.push(risk);
  };
  switch (at.type) {
    case "TestUnary":
      inWord(at.operand, state, walking);
      if (["-v", "-R"].includes(at.operator)) numeric(at.operand);
      return;
    case "TestBinary":
      for (const word of [at.left, at.right]) {
        inWord(word, state, walking);
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(at.operator)) numeric(word);
      }
      return;
    case "TestLogical":
      for (const operand of at.operands) test(operand, state, walking);
      return;
    case "TestNot":
      test(at.operand, state, walking);
      return;
    case "TestGroup":
      test(at.expression, state, walking);
      return;
  }
}
