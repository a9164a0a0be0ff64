// Expansions that can run commands: arithmetic evaluates variables, so a value like `a[$(rm x)]` runs code wherever a number is expected.
import type { ArithmeticWord, ParameterExpansionPart, Word as Written } from "unbash";
import { numeric, type Variables } from "./variables.ts";

/** Why evaluating this as a number may run something, or undefined. */
export function arithmeticRisk(word: Pick<Written | ArithmeticWord, "value" | "parts">, variables: Variables): string | undefined {
  const { value, parts } = word;
  if (!parts) return namesRisk(value, variables);
  for (const part of parts) {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others are not known
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted": {
        const risk = namesRisk(part.value, variables);
        if (risk) return risk;
        break;
      }
      case "DoubleQuoted":
      case "LocaleString": {
        const risk = arithmeticRisk({ value: "", parts: part.parts }, variables);
        if (risk) return risk;
        break;
      }
      case "SimpleExpansion": {
        const risk = nameRisk(part.text.slice(1), variables);
        if (risk) return risk;
        break;
      }
      case "ParameterExpansion": {
        if (part.prefix === "#") break;
        const risk = part.operation || part.prefix ? unknownNumber : nameRisk(part.parameter, variables);
        if (risk) return risk;
        break;
      }
      case "ArithmeticExpansion":
        break;
      case "CommandExpansion":
        if (!/^(\$\(|`)\s*(wc -[lcw]|date \+%[a-zA-Z]|nproc|grep -c|.*\| *wc -[lcw])\b[^;&]*[)`]$/.test(part.text)) return unknownNumber;
        break;
      default:
        return unknownNumber;
    }
  }
  return undefined;
}

const unknownNumber = "a number is computed from a value that is not known, and such a value may run commands";

function namesRisk(text: string, variables: Variables): string | undefined {
  if (/[`$]/.test(text)) return unknownNumber;
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
    const risk = nameRisk(name, variables);
    if (risk) return risk;
  }
  return undefined;
}

function nameRisk(name: string, { given, open }: Variables): string | undefined {
  if (/^[?#$!]$/.test(name)) return undefined;
  if (open || /^[\d@*_-]+$/.test(name)) return unknownNumber;
  const values = given.get(name);
  return values?.every((value) => value === numeric || isNumber(value)) === false ? unknownNumber : undefined;
}

function isNumber(value: Written | undefined): boolean {
  if (!value) return false;
  if (value.parts)
    return value.parts.every(
      ({ type, text }) =>
        type === "ArithmeticExpansion" ||
        (type === "ParameterExpansion" && /^\$\{#\w+(\[[@*]\])?\}$/.test(text)) ||
        /^\$[?#$!]$/.test(text) ||
        (type === "BraceExpansion" && /^\{\d+\.\.\d+\}$/.test(text)) ||
        (type === "DoubleQuoted" && /^"\d*"$/.test(text)) ||
        (type === "CommandExpansion" && counting.test(text)),
    );
  return /^-?\d*$/.test(value.value);
}

/** Commands that print a number, which no input can turn into something else. */
const counting = /^\$\(\s*((cat|ls|find|git|grep|rg)\b[\w\s./*'"=-]*\|\s*)?(wc\s+-[lcw]|nproc|date\s+\+%[a-zA-Z])(\s*<\s*[\w./-]+)?\s*\)$/;

/** Why an expansion may run something by itself, or undefined. */
export function parameterRisk(
  { prefix, index, operation, parameter, text }: ParameterExpansionPart,
  variables: Variables,
): string | undefined {
  if (prefix === "!" && operation?.type !== "Names" && !/^\[[@*]\]$/.test(text.slice(text.indexOf(parameter) + parameter.length, -1)))
    return "an expansion refers to a variable whose name is not known";
  if (operation?.type === "Transform" && !/^[QEaAkKULu]$/.test(operation.operand.value)) return "an expansion runs the value of a variable";
  if (operation?.type === "Unknown") return "an expansion is not understood";
  // The grammar ends the pattern at the first slash, even inside a substitution.
  if (operation?.type === "Replace" && /[$<>]\(|`|\$\{\s/.test(operation.pattern.text)) return "an expansion is not understood";
  if (index && !["@", "*"].includes(index.value)) {
    const risk = arithmeticRisk(index, variables);
    if (risk) return risk;
  }
  if (operation?.type === "Slice")
    return arithmeticRisk(operation.offset, variables) ?? (operation.length && arithmeticRisk(operation.length, variables));
  return undefined;
}
