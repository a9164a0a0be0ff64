// Expansions that can run commands: arithmetic evaluates variables, so a value like `a[$(rm x)]` runs code wherever a number is expected.
import type { ArithmeticWord, ParameterExpansionPart, WordPart, Word as Written } from "unbash";
import { isHijacking } from "../tables/environment-names.ts";
import { isDecodedAlike } from "./literal.ts";
import { numeric, type Variables } from "./variables.ts";

/** Why evaluating this as a number may run something, or undefined. */
export function arithmeticRisk(word: Pick<Written | ArithmeticWord, "value" | "parts">, variables: Variables): string | undefined {
  return isNumber(word, (name) => holdsNumber(name, variables)) ? undefined : unknownNumber;
}

const unknownNumber = "a number is computed from a value that is not known, and such a value may run commands";

/** `holds`: whether the variable of that name is a number. */
function isNumber({ value, parts }: Pick<Written | ArithmeticWord, "value" | "parts">, holds: (name: string) => boolean): boolean {
  const isComputed = (text: string) => !/[`$]/.test(text) && (text.match(/[A-Za-z_]\w*/g) ?? []).every(holds);
  const isPart = (part: WordPart): boolean => {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others are not known
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return isDecodedAlike(part) && isComputed(part.value);
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.every(isPart);
      case "SimpleExpansion":
        return holds(part.text.slice(1));
      case "ParameterExpansion":
        return part.prefix === "#" || (!part.operation && !part.prefix && holds(part.parameter));
      case "ArithmeticExpansion":
        return true; // the words in it are looked at by themselves
      case "CommandExpansion":
        return counting.test(part.text);
      default:
        return false;
    }
  };
  // A text that assigns, as in `[[ x=7 -eq 7 ]]`, is no part of the tree.
  if (/[A-Za-z_]\w*\0|(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--/.test(parts ? joined(parts) : value)) return false;
  return parts ? parts.every(isPart) : isComputed(value);
}

/** A zero stands for what is expanded: behind a part of a name, that makes another name. */
const joined = (parts: readonly WordPart[]): string =>
  parts.map((part) => ("parts" in part && part.parts ? joined(part.parts) : "value" in part ? String(part.value) : "\0")).join("");

function holdsNumber(name: string, { given, open }: Variables): boolean {
  if (/^[?#$!]$/.test(name)) return true;
  // The shell itself sets some, and a match against a pattern sets BASH_REMATCH.
  if (open || /^[\d@*_-]+$/.test(name) || (isHijacking(name) && !/^(?:S?RANDOM|LINENO|OPTIND|E?UID|PPID)$/.test(name))) return false;
  const isDigits = (value: Written | undefined) =>
    value !== undefined && (/^\{\d+\.\.\d+\}$/.test(value.text) || isNumber(value, (inner) => /^[?#$!]$/.test(inner)));
  return given.get(name)?.every((value) => value === numeric || isDigits(value)) !== false;
}

/** Commands that print a number, which no input can turn into something else. */
const counting =
  /^\$\(\s*((cat|ls|find|git|grep|rg)\b[\w\s./*'"=-]*\|\s*)?(wc\s+-[lcw]|nproc|id\s+-u|grep\s+-[EFPivwxs]*c[EFPivwxs]*\s+(?:'[^']*'|[\w^][\w^.-]*)\s+[\w./][\w./-]*|date\s+\+%[CGHIMNSUVWYdegjklmsuwy])(\s*<\s*[\w./-]+)?\s*\)$/;

/** Why the substitution may be no number, whatever its commands read. */
export function substitutionRisk(text: string, { given }: Variables): string | undefined {
  const isFile = (name: string) => given.get(name)?.every((value) => value !== undefined && /^[\w./]/.test(value.text)) === true;
  const named = text.replaceAll(/"\$(\w+)"/g, (all, name: string) => (isFile(name) ? "file" : all));
  return counting.test(named) ? undefined : unknownNumber;
}

/** Whether the word as written stands for one number. */
export function isNumberText(text: string, variables: Variables): boolean {
  const [, name] = /^"?\$\{?([A-Za-z_]\w*)\}?"?$/.exec(text) ?? [];
  return counting.test(text) || (name !== undefined && variables.given.has(name) && holdsNumber(name, variables));
}

/** Why an expansion may run something by itself, or undefined. */
export function parameterRisk(
  { prefix, index, operation, parameter, text }: ParameterExpansionPart,
  variables: Variables,
): string | undefined {
  if (prefix === "!" && operation?.type !== "Names" && !/^\[[@*]\]$/.test(text.slice(text.indexOf(parameter) + parameter.length, -1)))
    return "an expansion refers to a variable whose name is not known";
  if (operation?.type === "Transform" && !/^[QEaAkKULu]$/.test(operation.operand.value)) return "an expansion runs the value of a variable";
  // Where the text around it decides whether a quote in it is one, the grammar takes it for one.
  if (operation?.type === "Unknown" || /'.*(?:`|\$[({])/s.test(text)) return "an expansion is not understood";
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
