// Commands that run while a word is expanded: substitutions, and expansions that evaluate text.
import type { ParsedScript, SyntaxNode } from "unbash";
import { arithmeticRisk, parameterRisk, unknownNumber } from "../words/evaluation.ts";
import { forEachChild } from "../words/grammar.ts";
import { copyOf, type State, type Walk } from "../words/state.ts";
import { expands, type Variables } from "../words/variables.ts";

/** `source` is the text that positions in the tree refer to; `inner` walks through a script inside it. */
export type Walking = { walk: Walk; source: string; inner: (script: ParsedScript, state: State) => void };

/** Walks through everything that runs while a word, or the words of an expression, are expanded. */
export function inWord(at: SyntaxNode, state: State, walking: Walking): void {
  if (at.type === "Word" && !expands.test(at.text)) return;
  if (at.type === "ArithmeticCommandExpansion" || at.type === "CommandExpansion" || at.type === "ProcessSubstitution") {
    substitution(at, state, walking);
    return;
  }
  const { faults, variables } = walking.walk;
  for (const fault of risksOf(at, variables)) if (fault !== undefined) faults.push(fault);
  forEachChild(at, (child) => inWord(child, state, walking));
}

/** Why what this node evaluates may run something. */
function risksOf(at: SyntaxNode, variables: Variables): (string | undefined)[] {
  const number = (word: Parameters<typeof arithmeticRisk>[0]) => arithmeticRisk(word, variables);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others only hold these
  switch (at.type) {
    case "ParameterExpansion":
      return [parameterRisk(at, variables)];
    case "LocaleString":
      return ["a text is translated before it is used"];
    case "ArrayValue": {
      const indexed = at.elements.flatMap(({ text }) => (text.startsWith("[") ? text : []));
      return indexed.map((text) => number({ value: /^\[(.*)\]\+?=/s.exec(text)?.[1] ?? (text.includes("]") ? "" : "$") }));
    }
    case "ArithmeticExpansion":
      return at.expression || /^[$()[\]\s]*$/.test(at.text) ? [] : ["an arithmetic expression is not understood"];
    case "ArithmeticWord":
      return [number(at)];
    case "TestUnary":
      return ["-v", "-R"].includes(at.operator) ? [number(at.operand)] : [];
    case "TestBinary":
      return /^-(eq|ne|lt|le|gt|ge)$/.test(at.operator) ? [at.left, at.right].map(number) : [];
    default:
      return [];
  }
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
