// Where a search looks, and for which names.
import type { FileUse, Word } from "../words/analysis.ts";
import { globProbes } from "../words/glob-probes.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal } from "../words/literal.ts";
import { useOf } from "../words/paths.ts";
import { findsOutputs } from "./found-outputs.ts";
import type { Use } from "./named-files.ts";

/** Roots precede the first test. */
export function findRoots(words: Word[]): Use[] {
  const uses: Use[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word.value === undefined || !/^-|^[(!)]$|^,$/.test(word.value)) uses.push({ word, access: "read", recursive: true });
    else if (/^-[HLP]$|^-O\d?$|^--$/.test(word.value)) continue;
    else if (word.value === "-D") at++;
    else break;
  }
  if (uses.length === 0) uses.push({ word: literal("."), access: "read", recursive: true });
  if (words.some(({ value }) => value === "-delete") && findsOutputs(words))
    uses.push(...uses.map(({ word }): Use => ({ word, access: "write", recursive: true, outputs: true, purpose: true })));
  for (const [at, { value }] of words.entries()) {
    const next = words[at + 1];
    if (next && /^-(fprint0?|fprintf|fls)$/.test(value ?? "")) uses.push({ word: next, access: "write" });
    if (next && /^-(newer\w*|samefile|anewer|cnewer|files0-from)$/.test(value ?? "")) uses.push({ word: next, access: "read" });
  }
  return uses;
}

/** Options that say which names a search is about, for find and rg and for the commands run after them. */
const namesSearched = new Map([
  ["find", /^-i?(?:name|path|wholename)$/],
  ["grep", /^--include=(.+)$/s],
  ["rg", /^(?:--i?glob=?|-g)(.*)$/s],
]);

/** `find . -name .env` refers to that file. */
export function searchedNames({ program, words }: Invocation, files: FileUse[]): FileUse[] {
  const option = namesSearched.get(program);
  if (!option) return [];
  const roots = files.flatMap(({ path, recursive }) => (path !== undefined && recursive ? [path] : []));
  return words.flatMap(({ value = "" }, at) => {
    const [found, attached] = option.exec(value) ?? [];
    const name = found === undefined ? "" : attached || (words[at + 1]?.value ?? "");
    if (name === "" || name.startsWith("!")) return [];
    const below = name.replace(/^\.\//, "");
    return roots.flatMap((root) => {
      const path = root === "." ? below : `${root}/${below}`;
      return (/[*?[]/.test(path) ? globProbes(path) : [path]).map((each) => useOf({ path: each }, { access: "read", mention: "named" }));
    });
  });
}
