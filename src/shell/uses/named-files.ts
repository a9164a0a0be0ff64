// The files that the words of one simple command name, whatever its program does with them: each word, and each part of one, that can be a path.
import type { FileUse, Named, Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { found, literal } from "../words/literal.ts";
import { harmlessDevice, openFile, placesOf, useOf } from "../words/paths.ts";
import type { State } from "../words/state.ts";
import { type Look, searchOf } from "./looks.ts";
import { matchedBy } from "./pathspecs.ts";

/** `look`: what the command reads, if it does nothing else; otherwise each word may be read or written. */
export function namedFiles(invocation: Invocation, look: Look | undefined, state: State): FileUse[] {
  if (look) return readBy(look, invocation, state);
  const { folders } = state;
  const uses = mentionedBy(invocation, folders);
  const search = searchOf(invocation);
  if (search) for (const at of placesOf(literal("."), folders)) uses.push(useOf(at, { access: "read", ...search }));
  return uses;
}

type Folders = State["folders"];

function readBy({ files, below, names, edits }: Look, { program, words: all, verb }: Invocation, { folders, parent }: State): FileUse[] {
  // What find found, and no other word, is below the places where it looked. To change it is another matter: protected names may be among it.
  const searched: Named[] = parent?.files.length ? parent.files : [{}];
  const known = (word: Word, uses: FileUse[]) =>
    uses.flatMap((use): FileUse[] =>
      word === found && use.access === "read" ? searched.map(({ path, pattern }) => ({ ...use, path, pattern, recursive: true })) : [use],
    );
  // An operand may be a revision, or a path in one, and options name files too: `HEAD:src/a.ts`, `--contents=a`.
  if (program === "git") {
    const around = below ? placesOf(literal("."), folders).map((at) => useOf(at, { access: "read", recursive: true })) : [];
    const isUnknown = ({ choices, start }: Word) => !choices && !/^-(?!-(?:cont|ignore-r|exclude-f))/.test(start);
    const readOf = (word: Word) =>
      isUnknown(word)
        ? known(word, [useOf({}, { access: "read" })])
        : [
            ...shortOf(word, folders),
            ...mentions(word, folders, { access: "read", whole: "named" }),
            ...placesOf(matchedBy(word, verb), folders).map((at) => useOf(at, { access: "read", mention: "named" })),
          ];
    return [...around, ...all.slice(1).flatMap(readOf)];
  }
  const isPlace = (word: Word) => !(word.value === undefined && /^[<>]\(/.test(word.text)) && !harmlessDevice.test(word.value ?? "");
  const words = files.filter(isPlace);
  const places = words.length === 0 && (below || names) ? [literal(".")] : words;
  const recursive = names ? undefined : below;
  return places.flatMap((word) => {
    const isChanged = edits === "all" || (edits === "last" && word === places.at(-1));
    const isInto = word === places.at(-1) && (edits === "last" || program === "mv");
    const purpose =
      isInto || program === "sed" || (program === "tee" && !all.some(({ value }) => /^-(?:\w*a|-a)/.test(value ?? "")))
        ? "replaces"
        : "changes";
    const changed = isChanged ? [word, ...(isInto ? into(word, places.slice(0, -1)) : [])] : [];
    const isNameKnown = !isChanged || !isInto || !places.includes(found);
    return known(word, [
      ...placesOf(word, folders).map((at) => useOf(at, { access: "read", recursive })),
      ...changed.flatMap((each) => placesOf(each, folders)).map((at) => useOf(at, { access: "write", purpose, recursive })),
      ...(isNameKnown ? [] : [useOf({}, { access: "write", purpose })]),
    ]);
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

function mentionedBy({ program, words, sub, verb }: Invocation, folders: Folders): FileUse[] {
  const mayWrite = program !== "git" || changing.test(verb ?? "");
  const isSaid = (at: number) => sub !== undefined && at > sub + 1 && isMessage.test(words[at - 1]!.value ?? "");
  return words.flatMap((word, at) => {
    if (at === 0 || at === sub || isSaid(at) || harmlessDevice.test(word.value ?? "")) return [];
    if (openFile.test(word.value ?? "")) return [useOf({ path: word.value }, { access: "write" })];
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

/** What may stand behind a letter: `secret` in `$rsecret`. */
const behindLetters = ({ value = "" }: Word): Word[] =>
  value.split(/[;{}\n]/).flatMap((line) => /^(?:-[ce])?[^A-Za-z]*[eErRwW](.+)$/.exec(line)?.slice(1).map(literal) ?? []);

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
  const pieces = /[\s"'(]/.test(value) ? [] : value.split(/[=,]/); // `type=bind,src=/a,dst=/b`
  if (pieces.length > mostPieces) return undefined;
  const parts = [
    value,
    ...pieces,
    value.replace(/^-{0,2}[\w-]+=/, ""),
    value.replace(/^.*?:(?!\/\/)/s, ""),
    value.replace(/:(?!\/\/).*$/s, ""),
    value.slice(value.lastIndexOf(":") + 1),
    value.slice(value.lastIndexOf("@") + 1),
    value.slice(value.lastIndexOf("<") + 1), // curl: the content of a field
    value.replace(/^file:\/\/(?:localhost)?(?=\/)/, ""),
    value.replace(/^:[0-3]:/, ""), // git: the staged version
  ];
  for (const part of [value, ...pieces]) if (/^-[A-Za-z][^-]/.test(part)) parts.push(...gluedTo(part));
  const isPath = (part: string) =>
    part !== "" && part !== "/" && !part.startsWith("-") && part.length <= mostLength && !/[\n"']/.test(part);
  return new Set(value === "/" ? [value] : parts.filter(isPath));
}

const mostPieces = 100;
/** PATH_MAX of Linux. */
const mostLength = 4096;

/** `-I../include`, `-czfa.tgz`: what can stand behind one option, or behind several that are written as one word. */
function gluedTo(value: string): string[] {
  const [letters = ""] = /^-[A-Za-z]+/.exec(value) ?? [];
  return Array.from({ length: Math.max(letters.length - 1, 0) }, (_, at) => value.slice(at + 2)).filter((part) => part.length > 1);
}

/** Words that look like paths in code or in a message, up to a number that a person would write. */
export const pathsIn = (text: string) => new Set((text.slice(0, 4000).match(/[\w~/-]*[./][\w./~-]*/g) ?? []).slice(0, 40));
