// Recognizes inline code that only prints versions and parts of JSON files: `node -p "require('./package.json').version"`. It may load modules
// of the tree, so it needs a rule until code of the tree may run.
import type { Word } from "../words/analysis.ts";
import { readByPython } from "./python-code.ts";

/** The files that the code reads; undefined if it may do anything else. `stdinText` is the code if there is none among the words. */
export function inlineReads([program, option, code, ...rest]: Word[], stdinText?: string): string[] | undefined {
  const name = program?.value ?? "";
  const given = option === undefined || option.value === "-" ? (code === undefined ? stdinText : undefined) : code?.value;
  if (given === undefined || rest.length > 0) return undefined;
  if (/^python3?$/.test(name)) return /^(?:-c|-|)$/.test(option?.value ?? "") ? readByPython(given) : undefined;
  return name === "node" && /^(?:-[ep]|-pe|--eval|--print)$/.test(option?.value ?? "") ? readByNode(given) : undefined;
}

const name = String.raw`[A-Za-z_]\w*`;
const members = String.raw`(?:\.\w+|\[(?:\d+|'[\w@/.-]*'|"[\w@/.-]*")\])*`;

const required = String.raw`require\((?<quote>['"])(?<file>\.[\w@./-]*\.json)\k<quote>\)`;
const fromNode = new RegExp(`^(?:${required}|process\\.(?:versions?|platform|arch)(?!\\w)|(?<name>${name}))${members}$`);
const wrapped = /^(?:Object\.(?:keys|values|entries)|JSON\.stringify)\((.*?)(?:, ?null, ?\d)?\)(?:\.length|\.sort\(\))?$/;

function readByNode(code: string): string[] | undefined {
  const names = new Set<string>();
  const statements = code.split(/[;\n]/).flatMap((each) => each.trim() || []);
  if (statements.length === 0 || !statements.every((each) => readsInNode(each, names))) return undefined;
  return [...code.matchAll(new RegExp(required, "g"))].map(({ groups }) => groups!.file!);
}

/** Whether the statement only loads, names and prints; `names` are those that statements before it have given. */
function readsInNode(statement: string, names: Set<string>): boolean {
  const [, given, assigned] = /^(?:const|let|var) (\w+) ?= ?(.*)$/.exec(statement) ?? [];
  const [, printed] = /^console\.log\((.*)\)$/.exec(statement) ?? [];
  const values = assigned === undefined ? (printed ?? statement).split(/, ?(?=\w+[.(])(?!null)/) : [assigned];
  const isRead = values.every((value) => {
    const found = fromNode.exec(wrapped.exec(value)?.[1] ?? value);
    return found !== null && (found.groups!.name === undefined || names.has(found.groups!.name));
  });
  if (given !== undefined) names.add(given);
  return isRead;
}
