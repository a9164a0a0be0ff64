// Arguments of programs with unknown operands: they may be files, and only rules that name them count.
import { subWrappers } from "../tables/sub-wrappers.ts";
import { wrappers } from "../tables/wrappers.ts";
import type { FileUse, Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal } from "../words/literal.ts";
import { placesOf, useOf } from "../words/paths.ts";
import type { State } from "../words/state.ts";
import { isKnownReadOnly } from "./read-only-programs.ts";

/** Each word, and the part of it after a prefix that programs put before file names. */
export function mentionedFiles(invocation: Invocation, state: State): FileUse[] {
  const { program, words, sub, verb } = invocation;
  if (speaking.has(program)) return words.flatMap((word) => namesOutside(word, state));
  const writes = words.some(({ value }) => writing.test(value ?? ""));
  const looks = program === "git" || isKnownReadOnly(invocation);
  const changed = verb === undefined ? undefined : changing.get(`${program} ${verb}`);
  const uses: FileUse[] = [];
  if (runsTree.has(program) || program === "git") uses.push(...outside({ program, words, verb }, state));
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (at === sub || isText({ program, verb }, words[at - 1]!) || /^\d+$/.test(word.value ?? "")) continue;
    const isChanged = writes || (changed !== undefined && sub !== undefined && at > sub + changed);
    const mayBeRevision = !isChanged || verb === "checkout" || verb === "restore";
    if (word.place !== undefined) {
      for (const { path } of placesOf({ ...word, place: word.place.replace(/:.*$/s, "") }, state.folders))
        if (path !== undefined) uses.push(useOf({ path }, { access: "read", mention: "named" }));
    }
    for (const value of word.choices ?? []) {
      const isOneWord = !isProse.test(value);
      for (const part of isOneWord ? partsOf(value) : pathsIn(value)) {
        const choice = literal(part);
        choice.home = word.home;
        const certain = looksLikePath.test(part) && (isOneWord || readsCode.has(program));
        for (const { path } of placesOf(choice, state.folders)) {
          if (path === undefined) continue;
          uses.push(useOf({ path }, { access: "read", mention: certain ? "named" : "possible" }));
          if ((!looks || isChanged) && !(mayBeRevision && isHead.test(part)))
            uses.push(useOf({ path }, { access: "write", mention: isChanged && certain ? "named" : "possible" }));
        }
      }
    }
  }
  return uses;
}

/** The folder whose names a pattern such as `/etc/*` prints, as `ls` would. In the tree nobody needs to ask for names. */
export function namesOutside(word: Word, { folders }: State): FileUse[] {
  const patterns = word.patterns ?? (word.pattern === undefined ? [] : [word.pattern]);
  return patterns.flatMap((pattern) => {
    if (!word.home && !/^\/|(?:^|\/)\.\.\//.test(pattern)) return [];
    const folder = literal(/^(?:[^*?[\\]*\/)?/.exec(pattern)![0] || ".");
    folder.home = word.home;
    return placesOf(folder, folders).map((place) => useOf(place, { access: "read" }));
  });
}

/** Files elsewhere may hold unknown code or settings, or be off limits: they are judged like any file that is read. */
function outside({ words, ...invocation }: Pick<Invocation, "program" | "words" | "verb">, state: State): FileUse[] {
  return words.slice(1).flatMap((word, at) => {
    const written = word.value ?? word.start;
    const [, attached] = inOption.exec(written) ?? (runsTree.has(invocation.program) ? inSetting.exec(written) : undefined) ?? [];
    const isElsewhere = word.home || /^(~?\/|(.*\/)?\.\.(\/|$))/s.test(attached ?? word.value ?? word.start);
    if (!isElsewhere || isText(invocation, words[at]!)) return [];
    return placesOf(attached === undefined || word.value === undefined ? word : literal(attached), state.folders).map((place) =>
      useOf(place, { access: "read" }),
    );
  });
}

const inOption = /^(?:-{0,2}[\w.:-]+=|-[A-Za-z]|\+)(~?\/.*|(?:.*\/)?\.\.(?:\/.*)?)$/s;

/** Paths inside the value of an option: `--cov-report=html:/x`, `cache_dir=../x`, an address of another machine. */
const inSetting =
  /^(?:-{0,2}[\w.-]+[=:,]+)+(?!\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$))(~?\/.*|(?:[\w.-]+\/)*\.\.(?:\/.*)?)$/s;

/** Programs that run code of the working tree, or follow its settings: options that name files of the tree add nothing to that. */
export const runsTree = new Set(
  [
    "python python2 python3 pypy pypy3 node nodejs deno bun tsx ts-node perl ruby php lua java tsc eslint prettier biome stylelint babel",
    "pytest py.test tox nox jest vitest mocha ava tap jasmine karma cypress playwright wdio rspec phpunit mypy ruff black flake8 pylint isort bandit",
    "npm yarn yarnpkg pnpm webpack vite rollup rolldown esbuild parcel next nuxt astro turbo nx lerna tsup cargo go gofmt goimports golangci-lint",
    "pip pip2 pip3 uv poetry pdm hatch rye pipenv",
    "flask alembic uvicorn gunicorn celery django-admin streamlit make gmake bmake remake cmake ctest cpack ninja samu meson just task rake grunt gulp ant mvn mvnw gradle gradlew sbt dotnet mix",
  ].flatMap((line) => line.split(" ")),
);

/** Whether the program, or the one that it wraps, runs code of the working tree. */
export function runsWorkingTree([first, ...rest]: Word[]): boolean {
  const program = first?.value ?? "";
  if (program.startsWith("python")) return rest.some(({ value }) => value === "-m" || !value?.startsWith("-"));
  if (runsTree.has(program)) return true;
  const wraps = wrappers.get(program)?.light || subWrappers.get(`${program} ${rest[0]?.value}`)?.runner;
  return Boolean(wraps) && rest.some(({ value }) => runsTree.has(value ?? ""));
}

/** Source code, or a sentence. */
const isProse = /[\s"'(]/;
const readsCode = new Set(
  "python python2 python3 pypy pypy3 node nodejs deno bun perl ruby php lua sqlite sqlite3 osascript tclsh".split(" "),
);

/** A file of that name is protected, and the word is hardly ever one. */
const isHead = /(?:^|\/)HEAD$/;

const writing = /^(--write|--fix|--apply|--in-?place|-w|--overwrite|-i)$/;
const looksLikePath = /[./~]|^id_|credential/i;

/** Whether the next word is a message or a search pattern. */
function isText({ program, verb = "" }: Pick<Invocation, "program" | "verb">, { value = "" }: Word): boolean {
  if (program === "gh") return /^(-m|--message|--title|--body|-t|-b)$/.test(value);
  if (program !== "git") return false;
  return /^(--grep|--author|-[SGLe])$/.test(value) || (giveMessages.has(verb) && /^(-[a-z]*m|--message)$/.test(value));
}

const giveMessages = new Set(["commit", "tag", "merge", "stash", "notes"]);

function partsOf(value: string): Iterable<string> {
  if (/^[\w./][\w./-]*$/.test(value)) return [value];
  const parts = [
    value,
    value.slice(value.lastIndexOf("=") + 1),
    value.replace(/^-{0,2}[\w-]+=/, ""),
    value.replace(/^.*?:(?!\/\/)/s, ""),
    value.replace(/:(?!\/\/).*$/s, ""),
    value.replace(/^@|^.*=@/, ""),
    value.replace(/^:[0-3]:/, ""), // git: the staged version
  ];
  if (/^-[A-Za-z][^-]/.test(value)) parts.push(value.slice(2));
  return new Set(parts.filter((part) => part !== "" && !part.startsWith("-") && part.length <= 300 && !/[\n"']/.test(part)));
}

/** Words that look like paths in code or in a message, up to a number that a person would write. */
export const pathsIn = (text: string) => new Set((text.slice(0, 4000).match(/[\w~/-]*[./][\w./~-]*/g) ?? []).slice(0, 40));

/** Subcommands that change their operands, and how many operands precede those. */
const changing = new Map(
  Object.entries({
    "git checkout": 0,
    "git restore": 0,
    "git rm": 0,
    "git mv": 0,
    "git clean": 0,
    "git clone": 1,
    "git init": 0,
  }),
);

/** Programs whose arguments are text. */
export const speaking = new Set([
  "echo",
  "printf",
  "true",
  "false",
  ":",
  "test",
  "[",
  "exit",
  "return",
  "set",
  "export",
  "sleep",
  "kill",
  "which",
  "type",
  "basename",
  "dirname",
  "seq",
  "expr",
  "command",
  "local",
  "declare",
  "readonly",
  "unset",
  "read",
  "cd",
  "pushd",
  "popd",
  "trap",
  "eval",
]);
