// The files that the words of one simple command name, whatever its program does with them: each word, and each part of one, that can be a path.
import type { FileUse, Named, Word } from "../words/analysis.ts";
import { alternativesOf } from "../words/brace-expansion.ts";
import type { Invocation } from "../words/invocation.ts";
import { found, literal } from "../words/literal.ts";
import { harmlessDevice, moved, openFile, placesOf, useOf } from "../words/paths.ts";
import type { State } from "../words/state.ts";
import { type Look, searchOf } from "./looks.ts";
import { matchedBy, pathspecOf, reachOf } from "./pathspecs.ts";

/** `look`: what the command reads, if it does nothing else; otherwise each word may be read or written. */
export function namedFiles(invocation: Invocation, look: Look | undefined, state: State): FileUse[] {
  if (look) return invocation.program === "git" ? readByGit(look, invocation, state) : readBy(look, invocation, state);
  const search = searchOf(invocation);
  const around = search ? placesOf(literal("."), state.folders) : [];
  return [...mentionedBy(invocation, state), ...around.map((at) => useOf(at, { access: "read", ...search }))];
}

type Folders = State["folders"];

/** What find found, and no other word, is below the places where it looked: also links, but for `-type f`. To change it is another matter: protected names may be among it. */
const foundIn = ({ parent }: State): FileUse[] => {
  const recursive = parent?.words.some(({ value }, at) => value === "f" && parent.words[at - 1]!.value === "-type") || "through links";
  return (parent?.files.length ? parent.files : [{}]).map((at: Named) => useOf(at, { access: "read", recursive }));
};

/** An operand may be a revision, or a path in one, and options name files too: `HEAD:src/a.ts`, `--contents=a`. Behind -C, paths count from there. */
function readByGit({ below, names }: Look, { words, sub = 1, verb }: Invocation, state: State): FileUse[] {
  const sent = words.slice(1, sub).filter((_, at) => words[at]!.value === "-C");
  const folders = sent.reduce((from, word) => from.flatMap((folder) => moved(folder, word)), state.folders);
  const named = (word: Pick<Word, "choices" | "pattern" | "home">, recursive?: typeof below) =>
    placesOf(word, folders).map((at) => useOf(at, { access: "read", mention: "named", recursive }));
  const isUnknown = ({ choices, start }: Word) => !choices && !/^-(?!-(?:cont|ignore-r|exclude-f))/.test(start);
  const readOf = (word: Word, from: Folders) =>
    isUnknown(word)
      ? word === found
        ? foundIn(state)
        : [useOf({}, { access: "read" })]
      : [...shortOf(word, from), ...mentions(word, from, { access: "read", whole: "named" }), ...named(matchedBy(word, verb, true))];
  const all = words.slice(1).flatMap((word, at) => readOf(word, at < sub ? state.folders : folders));
  if (names) return all.map((use) => ({ ...use, mention: "possible" }));
  return [...(below ? searchedBy(words, sub) : []).flatMap((word) => named(word, below)), ...all];
}

/** Where git searches: behind `--`, if a word before it is surely an operand and ends the options; else here, or in what any word may name. */
function searchedBy(words: Word[], sub: number): Pick<Word, "choices" | "home">[] {
  const end = words.findIndex(({ value }) => value === "--");
  const fits = (at: number, shape: RegExp) => shape.test(words[at]?.value ?? "");
  const isPattern = (at: number) => at > 1 && at < end && fits(at, /^[^-]/) && fits(at - 1, /^(?:[^-]|-[^-]*[^-ABCmf]$)/);
  const isSure = sub === 1 && fits(end - 1, /^[^-]/) && words.some((_, at) => isPattern(at));
  const paths = words.slice((isSure ? end : sub) + 1).filter(({ choices, start }) => choices && (isSure || !start.startsWith("-")));
  const isSome = isSure && paths.some(({ choices }) => !choices!.some((value) => pathspecOf(value)?.rest));
  return [...(isSome ? [] : [literal(".")]), ...paths.map(({ choices, home }) => ({ choices: choices!.map(reachOf), home }))];
}

function readBy({ files, below, names, edits }: Look, { program, words: all }: Invocation, state: State): FileUse[] {
  const isPlace = (word: Word) => !(word.value === undefined && /^[<>]\(/.test(word.text)) && !harmlessDevice.test(word.value ?? "");
  const places = files.filter(isPlace);
  const recursive = names ? undefined : below;
  return places.flatMap((word) => {
    const isChanged = edits === "all" || (edits === "last" && word === places.at(-1));
    const isInto = word === places.at(-1) && (edits === "last" || program === "mv");
    const purpose =
      isInto ||
      program === "sed" ||
      (program === "tee" && (all.some(({ value }) => value === "--") || !all.some(({ value }) => /^-(?:\w*a|-a)/.test(value ?? ""))))
        ? "replaces"
        : "changes";
    const changed = isChanged ? [word, ...(isInto ? into(word, places.slice(0, -1)) : [])] : [];
    return [
      ...(word === found ? foundIn(state) : placesOf(word, state.folders).map((at) => useOf(at, { access: "read", recursive }))),
      ...changed.flatMap((each) => placesOf(each, state.folders)).map((at) => useOf(at, { access: "write", purpose, recursive })),
      ...(isChanged && isInto && places.includes(found) ? [useOf({}, { access: "write", purpose })] : []),
    ];
  });
}

/** `mv a/.envrc .` writes `./.envrc`: an operand may be a folder. */
function into(folder: Word, others: Word[]): Word[] {
  return (folder.choices ?? []).flatMap((place) =>
    others.flatMap(({ choices = [], pattern = folder.pattern }) =>
      choices.map((each) => ({ ...literal(`${place}/${each.replace(/\/+$/, "").split("/").at(-1)}`), home: folder.home, pattern })),
    ),
  );
}

function mentionedBy({ program, words, sub, verb }: Invocation, { folders }: State): FileUse[] {
  const mayWrite = program !== "git" || changing.test(verb ?? "");
  const isSaid = (at: number) => sub !== undefined && at > sub + 1 && isMessage.test(words[at - 1]!.value ?? "");
  return words.flatMap((word, at) => {
    if (at === 0 || at === sub || isSaid(at) || harmlessDevice.test(word.value ?? "")) return [];
    if (openFile.test(word.value ?? "")) return [useOf({ path: word.value }, { access: "write" })];
    if (scripted.test(program) && (word.value ?? "").length > mostScript) return [useOf({}, { access: "read" })];
    const short = shortOf(word, folders);
    if (short[0] && /^\d/.test(word.value!)) return short;
    const matched = program === "git" ? placesOf(matchedBy(word, verb), folders) : [];
    const read = [
      ...[word, ...(scripted.test(program) ? behindLetters(word) : [])].flatMap((each) =>
        mentions(each, folders, { access: "read", whole: "possible" }),
      ),
      ...matched.map((place) => useOf(place, { access: "read", recursive: true, mention: "named" })),
    ];
    // A file of the name HEAD is protected, and the word is hardly ever one.
    const written = mayWrite ? read.filter(({ path, pattern }) => path !== undefined && (pattern || !/(?:^|\/)HEAD$/.test(path))) : [];
    return [...short, ...read, ...written.map((use): FileUse => ({ ...use, access: "write" }))];
  });
}

/** A number, or what one letter behind others may stand for: `5`, `k` in `-ak`. Such a name counts where a link has it, and is not written. */
function shortOf({ value = "" }: Word, folders: Folders): FileUse[] {
  const [, letter, name = letter] = /^-[A-Za-z]+(\w)$|^(\d+)$/.exec(value) ?? [];
  return name === undefined ? [] : mentions(literal(name), folders, { access: "read", whole: "possible" });
}

/** Programs whose words are scripts, in which a letter stands directly before the name of a file. */
const scripted = /^(?:g?sed|n?vim?|view|ex|ed|less|more)$/;
/** Of a longer script it is not known which files it names. */
const mostScript = 1000;

/** What may stand behind a letter: `secret` in `$rsecret` and in `/x/r secret`, and of a path from `/` on only what is in no expression. */
const behindLetters = ({ value = "" }: Word): Word[] =>
  value.split(/[;{}\n]/).flatMap((line) => {
    const [, plain] = /^(?:-[ce])?[^A-Za-z]*[eErRwW](.+)$/.exec(line) ?? [];
    const others = [...line.matchAll(/[eErRwW](?=[ \t]*([^\s/].*))/g)].map(([, name]) => name!);
    return [...(plain ? [plain] : []), ...others].map(literal);
  });

/** Subcommands of git that write files of the tree, and those that are not known. */
export const changing = /^(?!add$|commit$|branch$|tag$|push$|pull$|fetch$|merge$|rebase$|notes$|remote$)/;

/** The option of a program with subcommands whose value is prose. */
export const isMessage = /^(?:-[a-z]*m|--message|--title|--body|--grep|--author|-t|-b)$/;

/** `whole`: what a word with spaces in it is, if it is a path. */
type Mentioning = { access: FileUse["access"]; whole: NonNullable<FileUse["mention"]> };

function mentions(word: Word, folders: Folders, { access, whole }: Mentioning): FileUse[] {
  if (word.pattern) return placesOf(word, folders).map((at) => useOf(at, { access, mention: "named" }));
  if (!word.choices) return [useOf({}, { access, mention: "possible" })];
  const uses: FileUse[] = []; // every word of a long command passes here
  for (const value of word.choices) {
    const parts = partsOf(value);
    if (!parts) uses.push(useOf({}, { access }));
    else {
      const isOneWord = !/[\s"'(]/.test(value);
      const meaning = isOneWord ? "named" : /^-|\n/.test(value) ? "possible" : whole;
      for (const part of isOneWord ? parts : [...parts, ...pathsIn(value)])
        for (const at of placesOf({ choices: [part], home: word.home }, folders))
          if (at.path !== undefined) uses.push(useOf(at, { access, mention: looksLikePath.test(at.path) ? meaning : "possible" }));
    }
  }
  return uses;
}

const looksLikePath = /[./~]|^id_|credential/i;

/** The word, and the parts of it behind what programs put before a file's name; undefined if there are too many. */
function partsOf(value: string): Iterable<string> | undefined {
  if (/^[\w./][\w./-]*$/.test(value)) return [value];
  if (/^--[\w-]*$/.test(value)) return [];
  const pieces = /[\s"'(]/.test(value) ? [] : value.split(/[=,;|]/); // `type=bind,src=/a,dst=/b`, `concat:a|b`
  if (pieces.length > mostPieces || /^fileb?:.*[%[{]/is.test(value)) return undefined;
  const parts = [
    value,
    ...pieces.map((piece) => piece.replace(/^[@<]/, "")), // curl: the content of a field
    ...(value.includes("{") ? (alternativesOf(value) ?? []) : []), // a glob that the program itself reads
    value.replace(/^-{0,2}[\w-]+=/, ""),
    value.replace(/^.*?:(?!\/\/)/s, ""),
    value.replace(/:(?!\/\/).*$/s, ""),
    value.slice(value.lastIndexOf(":") + 1),
    value.slice(value.lastIndexOf("@") + 1),
    value.slice(value.lastIndexOf("<") + 1),
    value.replace(/^fileb?:(?:\/\/(?:(?:localhost|127\.0\.0\.1)(?=\/))?)?/i, ""),
    value.replace(/^:[0-3]:/, ""), // git: the staged version
    ...[value, ...pieces].flatMap(gluedTo),
  ];
  const isPath = (part: string) =>
    part !== "" && part !== "/" && !part.startsWith("-") && part.length <= mostLength && !/[\n"']/.test(part);
  return new Set(value === "/" ? [value] : parts.filter(isPath));
}

const mostPieces = 100;
const mostLength = 4096; // PATH_MAX of Linux

/** `-I../include`, `-czfa.tgz`: what can stand behind one option, or behind several that are written as one word. */
function gluedTo(value: string): string[] {
  const [letters = ""] = /^-\w(?=[^-])\w*/.exec(value) ?? [];
  return Array.from({ length: Math.max(letters.length - 1, 0) }, (_, at) => value.slice(at + 2)).filter((part) => part.length > 1);
}

/** Words that look like paths in code or in a message, up to a number that a person would write. */
export const pathsIn = (text: string) => new Set((text.slice(0, 4000).match(/[\w~/-]*[./][\w./~-]*/g) ?? []).slice(0, 40));
