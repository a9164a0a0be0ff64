// What is known about a command's variables before it runs: what sets them anywhere in the text. A value is believed only where exactly one
// place of the text sets the name, and only behind it: a loop's in its body, an assignment's to the end of the block in which it always runs.
import type { Assignment, ParsedScript, SyntaxNode, Word as Written } from "unbash";
import { forEachChild } from "./grammar.ts";
import { nameOf } from "./invocation.ts";

export type Variables = ReturnType<typeof noVariables>;

const mostValues = 64;

/** Variables that bash itself sets, whatever is assigned to them, beside those that decide what runs. Source: bash(1), Shell Variables. */
export const setByBash =
  /^(?:_|SECONDS|EPOCH(?:SECONDS|REALTIME)|LINES|COLUMNS|COMP\w*|COPROC\w*|READLINE_\w+|MAPFILE|OPTARG|REPLY|SHLVL)$/;

export const noVariables = () => ({
  /** The values assigned to each name; undefined for a value that is not a word of the text. */
  given: new Map<string, (Written | undefined)[]>(),
  /** In how many places of the text each is set. */
  setAt: new Map<string, number>(),
  /** Names that are set by anything other than a plain assignment. */
  indirect: new Set<string>(),
  /** A command may set any name: `eval`, `source`, `read` into an unknown name. */
  open: false,
  moves: false,
  /** The text changes IFS, globbing or another setting that affects how words are split. */
  wordsChange: false,
  /** The text has arrays. */
  arrays: false,
  /** It is of commands, lists, loops and choices: nothing is defined, computed or evaluated. */
  plain: true,
  /** Names that are assigned, and those whose values go anywhere but into words that are text alone, those of `echo`. */
  assigned: new Set<string>(),
  used: new Set<string>(),
  /** How many simple commands the tree has, to check that the walk reached them all. */
  counted: 0,
  visited: 0,
});

/** Adds the variables of the script, including those in substitutions. */
export function collectVariables(script: ParsedScript, into: Variables): void {
  const visit = (node: SyntaxNode, isEchoed = false): void => {
    if (node.type === "Word" && !expands.test(node.text)) return;
    into.plain &&= isPlain(node);
    const [, used] = /^\$\{?(\w+)/.exec(!isEchoed && "text" in node ? String(node.text) : "") ?? [];
    if (used) into.used.add(used);
    nodeSets(node, into);
    const inside =
      node.type === "Command" ? onlyText(node) : isEchoed && /^(?:Word|DoubleQuoted|Simple.*|Param.*|Remove|Default)$/.test(node.type);
    forEachChild(node, (child) => isForRead(child, node) || visit(child, inside));
  };
  visit(script);
}

/** `IFS= read` reads whole lines and affects no other words. */
const isForRead = (node: SyntaxNode, around: SyntaxNode): boolean =>
  around.type === "Command" &&
  around.name?.value === "read" &&
  node.type === "Assignment" &&
  node.text === "IFS=" &&
  around.prefix.includes(node);

/** Notes what one node of the tree sets; what is in it is visited by itself. */
function nodeSets(node: SyntaxNode, into: Variables): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others set nothing
  switch (node.type) {
    case "Assignment":
      assign(node.name, node.value.type === "ArrayValue" || node.append || node.index ? undefined : node.value, into);
      if (node.value.type === "ArrayValue" || node.index) into.arrays = true;
      break;
    case "For":
      into.indirect.add(node.name.value);
      into.setAt.set(node.name.value, (into.setAt.get(node.name.value) ?? 0) + 1);
      for (const word of node.wordlist ?? [undefined]) note(node.name.value, word, into);
      break;
    case "ParameterExpansion":
      if (node.index) into.arrays = true;
      if (node.operation?.type === "Default" && node.operation.operator.endsWith("=")) give(node.parameter, undefined, into);
      break;
    case "ArithmeticBinary":
      if (/^(?![=!<>]=$).*=$/.test(node.operator) && node.left.type === "ArithmeticWord")
        give(node.left.value.replaceAll(/["']/g, ""), numeric, into);
      break;
    case "ArithmeticUnary":
      if (["++", "--"].includes(node.operator) && node.operand.type === "ArithmeticWord") give(node.operand.value, numeric, into);
      break;
    case "Command":
      into.counted++;
      if (node.name) commandSets(node.name, node.args, into);
      break;
  }
}

function note(name: string, value: Written | undefined, into: Variables): void {
  const values = into.given.get(name);
  if (!values) into.given.set(name, [value]);
  else if (values.length <= mostValues && !values.some((one) => one?.text === value?.text))
    values.push(values.length < mostValues ? value : undefined);
  if (name === "IFS") into.wordsChange = true;
}

function assign(name: string, value: Written | undefined, into: Variables): void {
  into.assigned.add(name);
  into.setAt.set(name, (into.setAt.get(name) ?? 0) + 1);
  note(name, value, into);
}

function give(name: string, value: Written | undefined, into: Variables): void {
  into.indirect.add(name);
  assign(name, value, into);
}

/** Whether the text does no more than its commands say: nothing that it sets has a say in what a program gets. */
export const onlyRuns = ({ plain, open, wordsChange, assigned, used }: Variables): boolean =>
  plain && !open && !wordsChange && ![...assigned].some((name) => used.has(name));

function isPlain(node: SyntaxNode): boolean {
  if (node.type === "SimpleExpansion" || node.type === "ParameterExpansion") return plainExpansion.test(node.text);
  if (node.type === "Assignment") return node.value.type === "Word" && !node.append && !node.index;
  if (node.type === "TestUnary") return /^-[defhLnrswxz]$/.test(node.operator);
  return plainNodes.has(node.type);
}

/** Also with another value, or without a beginning or an end. */
const plainExpansion = /^\$(?:[?#]|[A-Za-z]\w*|\{[?#]\}|\{[A-Za-z]\w*(?::?-[\w. -]*|(?:##?|%%?)[\w.*/ -]*)?\})$/;

/** What `echo` prints, and what is compared with something: nothing in it is an option or a name. */
function onlyText({ name, args }: Extract<SyntaxNode, { type: "Command" }>): boolean {
  if (name?.text !== "[" || args.length !== 4) return name?.text === "echo";
  return /^(?:-(?:eq|ne|lt|le|gt|ge)|!?=|==)$/.test(args[1]!.text) && args.every(({ text }) => /^"[^"]*"$|^[^$`*?]*$/.test(text));
}

/** Words, what they expand to, lists, loops and choices. */
const plainNodes = new Set(
  "Script Statement AndOr Pipeline Negation Time CompoundList Subshell BraceGroup For If Elif While Case CaseItem Remove Default TestCommand TestLogical TestNot TestGroup Command Word Literal SingleQuoted DoubleQuoted AnsiCQuoted Glob BraceExpansion CommandExpansion ProcessSubstitution Redirect Redirected FileDescriptor HereDoc HereDocBody HereDocDelimiter HereString".split(
    " ",
  ),
);

/** What a word needs to contain for a part of it to be more than text. Its parts are read only then, which takes memory. */
export const expands = /[$`<>]/;

const zero = { text: "0", value: "0", pos: 0, end: 0 };
/** Stands for an unknown number. */
export const numeric: Written = { ...zero, type: "Word", parts: [{ ...zero, type: "Literal" }] };

function commandSets(name: Written, args: readonly (Written | Assignment)[], into: Variables): void {
  const all = [name, ...args].filter((word): word is Written => word.type === "Word");
  // `builtin` and `command` run what follows their options.
  const at = all.findIndex(({ value }, index) => !runsNext.test(nameOf(value)) && (index === 0 || !/^-p*-?$/.test(value)));
  const called = all[at];
  if (!called) return;
  if (/[$`{*?[(]./.test(called.text)) into.open = true;
  const program = nameOf(called.value);
  if (!changing.has(program)) return;
  const given = all.slice(at + 1);
  // As the shell removes the quotes, but with what it expands as written.
  const words = given.map(({ text, value }) => (/[$`]/.test(text) ? text : value));
  const format = given.find(({ text }) => text !== "--");
  const isPrinted = program === "printf" && format && (/^-?[{*?[]|[$`]/.test(format.text) || maySet.test(format.value));
  const onlyWaits = words.every((word) => /^(?:-[nf]+|%?\d+)$/.test(word)); // -p sets a variable
  into.plain &&=
    ["cd", "printf", "set"].includes(program) ||
    (program === "wait" && onlyWaits) ||
    (["pushd", "popd"].includes(program) && given.every(({ text }) => /^[A-Za-z_.][\w./-]*$/.test(text))) ||
    (program === "read" && words.every((word) => /^(?:-r|[A-Za-z_]\w*)$/.test(word))) ||
    (program === "export" && args.every((word) => word.type === "Assignment"));
  if (isPrinted || ["eval", "source", ".", "trap", "alias", "enable"].includes(program)) into.open = true;
  if (["cd", "pushd", "popd"].includes(program)) into.moves = true;
  const mayBeArray = /^(?:mapfile|readarray)$/.test(program) || words.some((word) => /^-\w*[aA]|[$`{\\]/.test(word));
  if (setters.has(program) && mayBeArray) into.arrays = true;
  if (["set", "shopt"].includes(program) && !words.every((word) => keepsWords.test(word))) into.wordsChange = true;
  if (!setters.has(program) && (program !== "wait" || onlyWaits)) return;
  // A name that refers to another name, or is not known.
  if (words.some((word) => /[$`]/.test(word) || (program !== "read" && /^-[a-zA-Z]*n/.test(word)))) into.open = true;
  for (const set of [...words.flatMap(namesIn), ...(without[program] ?? [])]) give(set, undefined, into);
}

const runsNext = /^(?:builtin|command)$/;

/** The first word of a printf that is or may become the option -v, or a format that counts into a variable. */
const maySet = /^-v|(?<!%)(?:%%)*%[-#'+ \d*.]*[hjlLtz]*n/;

/** Names that a builtin which sets variables may set, in its words after expansion. */
export const namesSet = ([program, ...words]: readonly { value?: string }[]): string[] =>
  setters.has(program?.value ?? "") || program?.value === "wait" ? words.flatMap(({ value = "" }) => namesIn(value)) : [];

const keepsWords = /^[-+][eux]*$|^-[eux]*o$|^pipefail$|^errexit$|^nounset$/;

/** Every name that the word may mean, also directly behind an option: `-vname`. */
const namesIn = (word: string): string[] =>
  (word.match(/[A-Za-z_]\w*/g) ?? []).flatMap((name) => (word.startsWith("-") ? Array.from(name, (_, at) => name.slice(at)) : [name]));

const setters = new Set(["read", "mapfile", "readarray", "getopts", "let", "unset", "declare", "typeset", "local", "export", "readonly"]);

/** Builtins that set variables, or change what words mean. */
const changing = new Set([...setters, ..."printf wait eval source . trap alias enable cd pushd popd set shopt".split(" ")]);

/** What they set if they are given no name. */
const without: Record<string, string[]> = { read: ["REPLY"], getopts: ["OPTARG"], mapfile: ["MAPFILE"], readarray: ["MAPFILE"] };
