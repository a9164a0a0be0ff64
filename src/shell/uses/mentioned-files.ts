// Words of programs whose operands are not known here, and which may be files: only rules that name them count.
import type { FileUse, Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal } from "../words/literal.ts";
import { placesOf, useOf } from "../words/paths.ts";
import type { State } from "../words/state.ts";
import { isKnownReadOnly } from "./read-only-programs.ts";

/** Each word, and what stands in it behind a sign that programs put before a file. */
export function mentionedFiles(invocation: Invocation, state: State): FileUse[] {
  const { program, words, sub, verb } = invocation;
  if (speaking.has(program)) return [];
  const writes = words.some(({ value }) => writing.test(value ?? ""));
  const looks = program === "git" || isKnownReadOnly(invocation);
  const changed = verb === undefined ? undefined : changing.get(`${program} ${verb}`);
  const uses: FileUse[] = [];
  if (runsTree.has(program) || program === "git") uses.push(...outside({ program, words, verb }, state));
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (at === sub || isText({ program, verb }, words[at - 1]!) || /^\d+$/.test(word.value ?? "")) continue;
    const isChanged = writes || (changed !== undefined && sub !== undefined && at > sub + changed);
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
          if (!looks || isChanged) uses.push(useOf({ path }, { access: "write", mention: isChanged && certain ? "named" : "possible" }));
        }
      }
    }
  }
  return uses;
}

/** What lies elsewhere is code or settings of nobody knows whom, or out of reach: it is read like any file there. */
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

/** In what an option sets: `--cov-report=html:/x`, `cache_dir=../x`, an address that is not this machine's own. */
const inSetting =
  /^(?:-{0,2}[\w.-]+[=:,]+)+(?!\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$))(~?\/.*|(?:[\w.-]+\/)*\.\.(?:\/.*)?)$/s;

/** They run what the working tree holds, or go by its settings: what their options name in it is no more than that. */
export const runsTree = new Set(
  [
    "python python2 python3 pypy pypy3 node nodejs deno bun tsx ts-node perl ruby php lua java tsc eslint prettier biome stylelint babel",
    "pytest py.test tox nox jest vitest mocha ava tap jasmine karma cypress playwright wdio rspec phpunit mypy ruff black flake8 pylint isort bandit",
    "npm yarn yarnpkg pnpm webpack vite rollup rolldown esbuild parcel next nuxt astro turbo nx lerna tsup cargo go gofmt goimports golangci-lint",
    "make gmake bmake remake cmake ctest cpack ninja samu meson just task rake grunt gulp ant mvn mvnw gradle gradlew sbt dotnet mix",
  ].flatMap((line) => line.split(" ")),
);

/** Code, or a sentence. */
const isProse = /[\s"'(]/;
const readsCode = new Set(
  "python python2 python3 pypy pypy3 node nodejs deno bun perl ruby php lua sqlite sqlite3 osascript tclsh".split(" "),
);

const writing = /^(--write|--fix|--apply|--in-?place|-w|--overwrite|-i)$/;
const looksLikePath = /[./~]|^id_|credential/i;

/** What follows is a message, or what to look for. */
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
    value.replace(/^:[0-3]:/, ""), // git: as it is staged
  ];
  if (/^-[A-Za-z][^-]/.test(value)) parts.push(value.slice(2));
  return new Set(parts.filter((part) => part !== "" && !part.startsWith("-") && part.length <= 300 && !/[\n"']/.test(part)));
}

/** What looks like a path in code or a message: no more of it than a person would write. */
export const pathsIn = (text: string) => new Set((text.slice(0, 4000).match(/[\w~/-]*[./][\w./~-]*/g) ?? []).slice(0, 40));

/** Subcommands that change the files behind them; so many operands come first that are none. */
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

/** Their words are text. */
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
