// Recognizes inline code that only prints versions and parts of JSON files: `node -p "require('./package.json').version"`. It may load modules
// of the tree, so it needs a rule until code of the tree may run.
import type { Word } from "../words/analysis.ts";

/** The files that the code reads; undefined if it may do anything else. */
export function inlineReads([program, option, code, ...rest]: Word[]): string[] | undefined {
  const reader = readers.find(({ programs, options }) => programs.test(program?.value ?? "") && options.test(option?.value ?? ""));
  if (!reader || code?.value === undefined || rest.length > 0) return undefined;
  const names = new Set<string>();
  const statements = code.value.split(/[;\n]/).flatMap((each) => each.trim() || []);
  const isKnown = statements.length > 0 && statements.every((each) => reader.reads(each, names));
  return isKnown ? [...code.value.matchAll(reader.opens)].map(({ groups }) => groups!.file!) : undefined;
}

type Reader = {
  programs: RegExp;
  options: RegExp;
  /** A file that an expression opens. */
  opens: RegExp;
  /** Whether the statement only loads, names and prints; `names` are those that statements before it have given. */
  reads: (statement: string, names: Set<string>) => boolean;
};

const name = String.raw`[A-Za-z_]\w*`;
const members = String.raw`(?:\.\w+|\[(?:\d+|'[\w@/.-]*'|"[\w@/.-]*")\])*`;

const required = String.raw`require\((?<quote>['"])(?<file>\.[\w@./-]*\.json)\k<quote>\)`;
const fromNode = new RegExp(`^(?:${required}|process\\.(?:versions?|platform|arch)(?!\\w)|(?<name>${name}))${members}$`);
const wrapped = /^(?:Object\.(?:keys|values|entries)|JSON\.stringify)\((.*?)(?:, ?null, ?\d)?\)(?:\.length|\.sort\(\))?$/;

function readByNode(statement: string, names: Set<string>): boolean {
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

const opened = String.raw`open\((?<quote>['"])(?<file>[\w@./-]+)\k<quote>(?:, ?["']rb?["'])?\)`;
const fromPython = new RegExp(
  `^(?:(?<name>${name})(?:\\.${name})*\\.(?:version|version_info|__version__|__file__|__path__|executable|prefix|platform)|(?<reader>json|tomllib)\\.load\\(${opened}\\)${members}(?:\\.keys\\(\\))?)$`,
);

function readByPython(statement: string, names: Set<string>): boolean {
  const [, imported] = /^import ([\w.]+(?:, ?[\w.]+)*)$/.exec(statement) ?? [];
  if (imported !== undefined) {
    const modules = imported.split(/, ?/);
    for (const one of modules) names.add(one.split(".")[0]!);
    return !modules.includes("antigravity"); // it opens a browser
  }
  const [, printed] = /^print\((.*)\)$/.exec(statement) ?? [];
  const found = fromPython.exec(/^(?:len|list|sorted|type)\((.*)\)$/.exec(printed ?? "")?.[1] ?? printed ?? "");
  return found !== null && names.has(found.groups!.name ?? found.groups!.reader!);
}

const readers: Reader[] = [
  { programs: /^node$/, options: /^(?:-[ep]|-pe|--eval|--print)$/, opens: new RegExp(required, "g"), reads: readByNode },
  { programs: /^python3?$/, options: /^-c$/, opens: new RegExp(opened, "g"), reads: readByPython },
];
