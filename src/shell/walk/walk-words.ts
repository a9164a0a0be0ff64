// Commands that run while a word is expanded: substitutions, and expansions that evaluate text.
import type { ParsedScript, SyntaxNode } from "unbash";
import { arithmeticRisk, parameterRisk, unknownNumber } from "../words/evaluation.ts";
import { forEachChild } from "../words/grammar.ts";
import { copyOf, type State, type Walk } from "../words/state.ts";
import { expands } from "../words/variables.ts";

/** `source` is the text that positions in the tree refer to; `inner` walks through a script inside it. */
export type Walking = { walk: Walk; source: string; inner: (script: ParsedScript, state: State) => void };

/** Walks through everything that runs while a word, or the words of an expression, are expanded. */
export function inWord(at: SyntaxNode, state: State, walking: Walking): void {
  if (at.type === "Word" && !expands.test(at.text)) return;
  const { walk } = walking;
  const number = (word: Parameters<typeof arithmeticRisk>[0]) => {
    const risk = arithmeticRisk(word, walk.variables);
    if (risk) walk.faults.push(risk);
  };
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others only hold these
  switch (at.type) {
    case "ArithmeticCommandExpansion":
    case "CommandExpansion":
    case "ProcessSubstitution":
      substitution(at, state, walking);
      return;
    case "ParameterExpansion": {
      const risk = parameterRisk(at, walk.variables);
      if (risk) walk.faults.push(risk);
      break;
    }
    case "LocaleString":
      walk.faults.push("a text is translated before it is used");
      break;
    case "ArrayValue":
      for (const { text } of at.elements)
        if (text.startsWith("[")) number({ value: /^\[(.*)\]\+?=/s.exec(text)?.[1] ?? (text.includes("]") ? "" : "$") });
      break;
    case "ArithmeticExpansion":
      if (!at.expression && at.text.replaceAll(/[$()[\]\s]/g, "") !== "") walk.faults.push("an arithmetic expression is not understood");
      break;
    case "ArithmeticWord":
      number(at);
      break;
    case "TestUnary":
      if (["-v", "-R"].includes(at.operator)) number(at.operand);
      break;
    case "TestBinary":
      if (/^-(eq|ne|lt|le|gt|ge)$/.test(at.operator)) for (const word of [at.left, at.right]) number(word);
      break;
  }
  forEachChild(at, (child) => inWord(child, state, walking));
}

type Substitution = Extract<SyntaxNode, { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }>;

function substitution(at: Substitution, state: State, { walk, inner: walkInside }: Walking): void {
  const { script, text } = at;
  if (!script) {
    walk.faults.push("a substitution is not understood");
    return;
  }
  if (!/[)`}]$/.test(text)) walk.faults.push("a substitution has no end");
  // bash prints the substitution again before it runs it, and then drops a character or a newline after the here-document.
  if (/<<(?!<)/.test(text) && /(?<![&<>|\\])&(?![&>])/.test(text))
    walk.faults.push("a substitution contains a here-document and a background command");
  if (at.type === "ArithmeticCommandExpansion") walk.faults.push(unknownNumber);
  if (/^`[\s\S]*\\\\\n/.test(text)) walk.faults.push("a line continues inside backquotes");
  if (script.errors?.length) walk.faults.push(`a substitution does not parse: ${script.errors[0]!.message}`);
  const inner = copyOf(state);
  inner.where = at.type === "ProcessSubstitution" ? `inside ${at.operator}( … )` : "inside $( … )";
  inner.depth++;
  if (at.type === "ProcessSubstitution" && at.operator === ">") inner.stdin = {};
  walkInside(script, inner);
}

/** The grammar ends a word before and after a process substitution; bash does not. */
export function touching(words: readonly SyntaxNode[], source: string): boolean {
  return words.some(({ pos, end }, at) => {
    const before = words[at - 1];
    return before !== undefined && before.end === pos && /[<>]\(/.test(source.slice(before.pos, end));
  });
}

export const glued = "a word continues next to a process substitution";
