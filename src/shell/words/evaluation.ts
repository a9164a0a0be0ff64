// Expansions that can run commands: arithmetic evaluates variables, so a value like `a[$(rm x)]` runs code wherever a number is expected.
import type { ArithmeticWord, ParameterExpansionPart, Word as Written } from "unbash";
import { isHijacking } from "../tables/environment-names.ts";
import { numeric, type Variables } from "./variables.ts";

/** Why evaluating this as a number may run something, or undefined. */
export function arithmeticRisk(word: Pick<Written | ArithmeticWord, "value" | "parts">, variables: Variables): string | undefined {
  return isNumber(word, (name) => holdsNumber(name, variables)) ? undefined : unknownNumber;
}

export const unknownNumber = "a number is computed from a value that is not known, and such a value may run commands";

/** `holds`: whether the variable of that name is a number. A text that assigns, as in `[[ x=7 -eq 7 ]]`, is no part of the tree. */
function isNumber({ value, parts }: Pick<Written | ArithmeticWord, "value" | "parts">, holds: (name: string) => boolean): boolean {
  // A zero stands for a number: next to a part of a name, that makes another name.
  const isHeld = (all: string, length: string, one: string, other: string) =>
    length || all.startsWith("$((") || holds(one ?? other) ? "\0" : "$";
  const text = parts ? parts.map((part) => part.text.replaceAll('"', "").replaceAll(expansion, isHeld)).join("") : value;
  if (/[`$'\\]|\w\0|\0\w|(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--/.test(text)) return false;
  return (text.match(/[A-Za-z_]\w*/g) ?? []).every(holds);
}

const expansion = /\$(?:\{(#?)(\w+)(?:\[[@*]\])?\}|(\w+|[?#$!])|\(\((?:[^()]|\([^()]*\))*\)\))/g;

function holdsNumber(name: string, { given, open }: Variables): boolean {
  if (/^[?#$!]$/.test(name)) return true;
  // The shell itself sets some, and a match against a pattern sets BASH_REMATCH.
  if (open || /^[\d@*_-]+$/.test(name) || (isHijacking(name) && !/^(?:S?RANDOM|LINENO|OPTIND|E?UID|PPID)$/.test(name))) return false;
  const isDigits = (value: Written | undefined) =>
    value !== undefined && (/^\{\d+\.\.\d+\}$/.test(value.text) || isNumber(value, (inner) => /^[?#$!]$/.test(inner)));
  return given.get(name)?.every((value) => value === numeric || isDigits(value)) !== false;
}

/** Why an expansion may run something by itself, or undefined. */
export function parameterRisk(
  { prefix, index, operation, parameter, text }: ParameterExpansionPart,
  variables: Variables,
): string | undefined {
  if (prefix === "!" && operation?.type !== "Names" && !/^\[[@*]\]$/.test(text.slice(text.indexOf(parameter) + parameter.length, -1)))
    return "an expansion refers to a variable whose name is not known";
  // The grammar takes each quote for one, and ends the pattern of a replacement at the first slash, even inside a substitution.
  const isOdd = operation?.type === "Replace" && /[$<>]\(|`|\$\{\s/.test(operation.pattern.text);
  if (isOdd || operation?.type === "Unknown" || operation?.type === "Transform" || /'.*(?:`|\$[({])/s.test(text))
    return "an expansion is not understood";
  const slice = operation?.type === "Slice" ? [operation.offset, operation.length] : [];
  const computed = /^[@*]$/.test(index?.value ?? "@") ? slice : [index, ...slice];
  return computed.flatMap((word) => (word && arithmeticRisk(word, variables)) ?? [])[0];
}
