// The files that the words of one simple command name.

import type { FileEntry } from "../tables/file-entry.ts";
import { fileEntries } from "../tables/file-operands.ts";
import { harmlessDevice } from "../walk/redirections.ts";
import type { FileUse, Word } from "../words/analysis.ts";
import { globProbes } from "../words/glob-probes.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal } from "../words/literal.ts";
import { readOptions } from "../words/options.ts";
import { listedBelow, placesOf, useOf } from "../words/paths.ts";
import { appended, found } from "../words/runtime-words.ts";
import type { State } from "../words/state.ts";
import { intoFolder, linked, throughLink } from "./copied-files.ts";
import { gitChanges } from "./git-changes.ts";
import { readByGit } from "./git-option-files.ts";
import { mentionedFiles, pathsIn } from "./mentioned-files.ts";
import { ownUses, sentByCurl, writtenByOptions } from "./own-operands.ts";
import { ownWords } from "./own-words.ts";
import { scriptHazards } from "./script-hazards.ts";
import { findRoots, searchedNames } from "./searched-files.ts";

/** One word, and what is done to the file that it names. */
export type Use = { word: Word } & Pick<FileUse, "access" | "recursive" | "outputs" | "purpose" | "mention">;

/** `state.stdin.listed` is the source of the unknown words after `xargs`. */
export function filesOf(invocation: Invocation, state: State): FileUse[] {
  const { program, words, sub, verb } = invocation;
  const files: FileUse[] = [];
  for (const use of [...(gitChanges(invocation) ?? []), ...readByGit(invocation)]) place(use, state, files);
  const own = ownUses(invocation);
  const entry = fileEntries.get(program);
  for (const use of own ?? (entry ? usesIn(entry, invocation) : writtenByOptions(program, words))) place(use, state, files);
  if (own) return files;
  if (!entry) {
    files.push(...mentionedFiles({ program, words: ownWords(invocation), sub, verb }, state));
    return files;
  }
  if (program === "curl") for (const use of sentByCurl(words)) place(use, state, files);
  if (scripted.has(program) && scriptHazards(invocation).length > 0) inScripts(words, state, files);
  files.push(...searchedNames(invocation, files));
  return files;
}

const usesIn = (entry: FileEntry, { program, words }: Invocation) =>
  program === "find" ? findRoots(words) : usesOf(entry, words, program);

const scripted = new Set(["sed", "gsed", "awk", "gawk", "mawk", "nawk"]);

/** Files that a sed or awk script may read or write. */
function inScripts(words: Word[], state: State, files: FileUse[]): void {
  for (const { value } of words) {
    for (const path of pathsIn(value ?? "")) {
      place({ word: literal(path), access: "read", mention: "possible" }, state, files);
      place({ word: literal(path), access: "write", mention: "possible" }, state, files);
    }
  }
}

/** Adds the files that the word may name. */
function place(use: Use, { stdin, folders }: State, files: FileUse[]): void {
  const { word, access } = use;
  if (word.value === undefined && /^[<>]\(/.test(word.text)) return;
  if (word.value !== undefined && (harmlessDevice.test(word.value) || word.value === "-")) return;
  if (word === appended || word === found) {
    for (const at of stdin?.listed ? listedBelow(stdin.listed, folders) : [{}]) files.push(useOf(at, use));
    return;
  }
  for (const at of placesOf(word, folders)) {
    files.push(useOf(at, use));
    if (at.path === undefined) continue;
    if (access === "read") for (const name of secretsIn(at.path)) files.push(useOf({ path: `${at.path}/${name}` }, secretly));
    if (at.pattern) for (const path of globProbes(at.path)) files.push(useOf({ path }, { access, mention: "named" }));
  }
}

const secretly = { access: "read", mention: "named" } as const;

/** Folders that hold keys. */
function secretsIn(path: string): string[] {
  if (!path.includes(".")) return [];
  const [, name] = /(?:^|\/)\.(ssh|kube|docker)\/*$/.exec(path) ?? [];
  return name === undefined ? [] : [name === "kube" ? "config" : name === "docker" ? "config.json" : "id_rsa"];
}

function usesOf(entry: FileEntry, words: Word[], program: string): Use[] {
  const { given, operands } = readOptions(words, entry.options);
  const recursive = entry.always || given.some(({ name }) => entry.recursive?.includes(name)) ? true : undefined;
  const uses: Use[] = [];
  for (const { name, value } of given) {
    const access = entry.values?.[name];
    if (access && value) uses.push({ word: value, access: access === "r" ? "read" : "write" });
  }
  let roles = entry.operands;
  const scripted = given.some(({ name }) =>
    ["-e", "--expression", "--regexp", "-f", "--file", "--from-file", "--files", ...(entry.values?.["-E"] ? ["-E"] : [])].includes(name),
  );
  if (roles[0] === "x" && scripted && !program.startsWith("fd")) roles = roles.slice(1);
  if (entry.edits && given.some(({ name }) => /^(-i|--in-?place)$/.test(name))) roles = roles.map((role) => role.replace("r", "w"));
  if (given.some(({ name }) => entry.prints?.includes(name))) roles = roles.map((role) => role.replace("b", "r"));
  if (/^(chmod|chown|chgrp)$/.test(program) && given.some(({ name }) => name === "--reference")) roles = ["w*"];
  if (
    roles.length === 2 &&
    roles[1] === "w" &&
    roles[0]!.endsWith("*") &&
    given.some(({ name }) => name === "-t" || name === "--target-directory")
  )
    roles = roles.slice(0, 1);
  if (program === "install" && given.some(({ name }) => name === "-d" || name === "--directory")) roles = ["w*"];
  const places = operands.map((at) => words[at]!);
  const suffix = entry.edits ? given.find(({ name }) => /^(-i|--in-?place)$/.test(name))?.value?.value : undefined;
  const takesAll =
    program === "rm" ||
    (/^(chmod|chown|chgrp)$/.test(program) && given.some(({ name }) => name === "-R" || name === "--recursive")) ||
    // The contents of one folder are copied into the other, under any names.
    (program === "cp" && (given.some(({ name }) => /^(-T|--no-target-directory)$/.test(name)) || places.slice(0, -1).some(isInside)));
  for (const [index, word] of places.entries()) {
    const role = roleOf(roles, { index, count: places.length });
    if (role === "r" || role === "b") uses.push({ word, access: "read", recursive });
    if (suffix && role === "w") uses.push({ word: keptAs(word, suffix), access: "write" });
    if (role === "w" || role === "b")
      uses.push({
        word,
        access: "write",
        purpose: entry.edits ? undefined : true,
        recursive: takesAll || role === "b" ? true : undefined,
      });
  }
  if (/^(cp|mv|ln|install)$/.test(program))
    uses.push(...intoFolder(places, given.find(({ name }) => name === "-t" || name === "--target-directory")?.value));
  if (program === "ln" && given.some(({ name }) => name === "-s" || name === "--symbolic" || name === "--relative"))
    return [...uses.filter(({ access }) => access === "write"), ...linked(places).flatMap(throughLink)];
  if (/^(ln|link)$/.test(program) || (program === "cp" && given.some(({ name }) => name === "-l" || name === "--link")))
    return uses.flatMap((use) => (use.access === "read" ? throughLink(use) : [use]));
  const named = uses.some((use) => use.access === "read" && use.recursive);
  if (recursive && !named && roles.at(-1)?.startsWith("r")) uses.push({ word: literal("."), access: "read", recursive: true });
  return uses;
}

/** The backup name that sed would use: in a suffix with stars, each stands for the name of the file. */
function keptAs(word: Word, suffix: string): Word {
  const kept = (path: string) => {
    const [, folder = "", name = ""] = /^(.*\/)?(.*)$/s.exec(path)!;
    return folder + (suffix.includes("*") ? suffix.replaceAll("*", () => name) : name + suffix);
  };
  if (word.pattern !== undefined)
    return { ...word, pattern: kept(word.pattern), ...(word.patterns && { patterns: word.patterns.map(kept) }) };
  if (word.value === undefined) return word;
  return { ...literal(kept(word.value)), home: word.home };
}

const isInside = ({ value, start }: Word) => /(^|\/)\.$/.test(value ?? start);

function roleOf(roles: string[], { index, count }: { index: number; count: number }): string {
  if (roles.length === 2 && roles[0]!.endsWith("*") && roles[1] === "w") return index === count - 1 && count > 1 ? "w" : roles[0]![0]!;
  const role = roles[Math.min(index, roles.length - 1)] ?? "x";
  return index < roles.length || role.endsWith("*") ? role[0]! : "x";
}
