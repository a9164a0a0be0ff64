// What is known of the variables of a command before it runs. Where in the text something stands does not count here: a name has all the
// values that it is given anywhere, and if one of them is not known, none is.
import type { Assignment, ParsedScript, SyntaxNode, Word as Written } from "unbash";
import type { Listed } from "./analysis.ts";
import { forEachChild } from "./grammar.ts";

export type Variables = {
  /** What is written into each name; undefined if that is not a word of the text. */
  given: Map<string, (Written | undefined)[]>;
  /** Names that are given values by something else than a plain assignment. */
  indirect: Set<string>;
  /** Words that are names of files, printed by another command. */
  listed: Map<Written, Listed>;
  /** The same, of names that `read` gives them to. */
  readNames: Map<string, Listed>;
  /** A command may set any name: `eval`, `source`, `read` into a name that is not known. */
  open: boolean;
  /** `cd` and its like occur. */
  moves: boolean;
  /** IFS, globbing or another setting of the shell is changed, by which words are made. */
  wordsChange: boolean;
  /** Simple commands that are in the tree, and those that the walk came to: none may be left out. */
  counted: number;
  visited: number;
};

export function noVariables(): Variables {
  return {
    given: new Map(),
    indirect: new Set(),
    listed: new Map(),
    readNames: new Map(),
    open: false,
    moves: false,
    wordsChange: false,
    counted: 0,
    visited: 0,
  };
}

/** Adds what the script does, substitutions included. */
export function collectVariables(script: ParsedScript, into: Variables): void {
  const assign = (name: string, value: Written | undefined) => {
    const values = into.given.get(name);
    if (values) values.push(value);
    else into.given.set(name, [value]);
    if (name === "IFS") into.wordsChange = true;
  };
  const give = (name: string, value: Written | undefined) => {
    into.indirect.add(name);
    assign(name, value);
  };
  const forOne = new Set<SyntaxNode>();
  const visit = (node: SyntaxNode): void => {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others set nothing
    switch (node.type) {
      case "Assignment":
        if (!forOne.has(node)) assigned(node, assign);
        break;
      case "For":
      case "Select": {
        const name = node.name.value;
        if (node.type === "Select") give("REPLY", undefined);
        if (node.type === "Select" || !node.wordlist) give(name, undefined);
        else for (const word of node.wordlist) give(name, word);
        break;
      }
      case "ParameterExpansion":
        if (node.operation?.type === "Default" && node.operation.operator.endsWith("=")) give(node.parameter, undefined);
        break;
      case "ArithmeticBinary":
        if (node.operator.endsWith("=") && !["==", "!=", "<=", ">="].includes(node.operator) && node.left.type === "ArithmeticWord")
          give(node.left.value, numeric);
        break;
      case "ArithmeticUnary":
        if (["++", "--"].includes(node.operator) && node.operand.type === "ArithmeticWord") give(node.operand.value, numeric);
        break;
      case "Redirect":
      case "HereDoc":
      case "HereString":
        if (node.descriptor?.type === "FileDescriptorVariable") give(node.descriptor.name, numeric);
        break;
      case "Command":
        into.counted++;
        // `IFS= read` takes whole lines, and nothing else is made otherwise.
        if (node.name?.value === "read")
          for (const one of node.prefix)
            if (one.type === "Assignment" && one.name === "IFS" && one.value.type === "Word" && one.value.text === "") forOne.add(one);
        if (node.name) commandSets(node.name, node.args, { into, give });
        break;
    }
    forEachChild(node, visit);
  };
  visit(script);
}

/** Stands for a value that is a number, whatever it is. */
export const numeric: Written = {
  type: "Word",
  text: "0",
  value: "0",
  pos: 0,
  end: 0,
  parts: [{ type: "Literal", text: "0", value: "0", pos: 0, end: 0 }],
};

type Give = (name: string, value: Written | undefined) => void;

function assigned({ name, value, append, index }: Assignment, give: Give): void {
  if (value.type === "ArrayValue" || append || index) give(name, undefined);
  else give(name, value);
}

function commandSets(name: Written, args: readonly (Written | Assignment)[], { into, give }: { into: Variables; give: Give }): void {
  let program = name.value.slice(name.value.lastIndexOf("/") + 1);
  let rest = [...args];
  while (["builtin", "command"].includes(program) && rest[0]?.type === "Word") {
    program = rest[0].value;
    rest = rest.slice(1);
  }
  if (name.parts?.some(({ type }) => type !== "Literal" && type !== "SingleQuoted") && !/^[\w./-]+$/.test(program)) into.open = true;
  if (["eval", "source", ".", "trap", "alias", "enable"].includes(program)) into.open = true;
  if (["cd", "pushd", "popd"].includes(program)) into.moves = true;
  if (["set", "shopt"].includes(program)) {
    if (rest.some((word) => !/^[-+][eux]*$|^-[eux]*o$|^pipefail$|^errexit$|^nounset$/.test(word.text))) into.wordsChange = true;
  }
  if (setters.has(program)) {
    if (rest.some(({ text }) => /^-[a-zA-Z]*n/.test(text)) && program !== "read") into.open = true; // a name for another name
    for (const word of rest) {
      if (word.type === "Assignment") continue;
      const names = /^(?:-\w)?([A-Za-z_]\w*)/.exec(word.value)?.[1];
      if (names && !word.value.startsWith("-")) give(names, undefined);
      else if (!/^-[A-Za-z]+$|^[-+]?\d+$/.test(word.value)) into.open = true;
      const attached = /^-\w([A-Za-z_]\w*)$/.exec(word.value)?.[1];
      if (attached) give(attached, undefined);
    }
    if (program === "read") give("REPLY", undefined);
    if (program === "getopts") give("OPTARG", undefined);
    if (["mapfile", "readarray"].includes(program)) give("MAPFILE", undefined);
  }
  if (program === "printf" && rest[0]?.text.startsWith("-v")) give(rest[0].text.slice(2) || (rest[1]?.text ?? ""), undefined);
  if (program === "wait" && rest.some((word) => word.text.startsWith("-p"))) into.open = true;
}

const setters = new Set(["read", "mapfile", "readarray", "getopts", "let", "unset", "declare", "typeset", "local", "export", "readonly"]);
