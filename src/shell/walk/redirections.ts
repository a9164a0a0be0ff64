// Redirections: the files they open, and what replaces the terminal as input.
import type { HereDoc, HereString, Redirect, SyntaxNode } from "unbash";
import { pathsIn } from "../uses/named-files.ts";
import type { FileUse, Word } from "../words/analysis.ts";
import { expand } from "../words/expand.ts";
import { literal } from "../words/literal.ts";
import { harmlessDevice, placesOf, useOf } from "../words/paths.ts";
import type { State, Stdin } from "../words/state.ts";
import type { Variables } from "../words/variables.ts";

export type Redirected = { files: FileUse[]; stdin?: Stdin; unclear?: string; words: SyntaxNode[] };

export function redirectedFiles(list: readonly (Redirect | HereDoc | HereString)[], state: State, variables: Variables): Redirected {
  const found: Redirected = { files: [], words: [] };
  for (const one of list) {
    if (one.type === "HereDoc") hereDocument(one, found);
    else if (!one.target) found.unclear = "a redirection has no target";
    else {
      found.words.push(one.target);
      const words = expand(one.target, { variables, definite: state.definite });
      if (one.type === "HereString") hereString(one, words, { found, state });
      else opened(one, words, { found, state });
    }
  }
  return found;
}

function hereDocument(one: HereDoc, found: Redirected): void {
  const { body, delimiter, closing, operator } = one;
  found.words.push(body);
  if (!delimiter || !closing) found.unclear = "a here-document has no end";
  if (!readsFrom(one)) return;
  const isPlain = delimiter?.quoted || !/[$`\\]/.test(body.text);
  found.stdin = isPlain ? { text: operator === "<<-" ? body.text.replaceAll(/^\t+/gm, "") : body.text } : {};
}

type Finding = { found: Redirected; state: State };

function hereString(one: HereString, [word, ...more]: Word[], { found, state }: Finding): void {
  for (const path of pathsIn(word?.value ?? ""))
    for (const place of placesOf(literal(path), state.folders)) found.files.push(useOf(place, { access: "read", mention: "possible" }));
  if (readsFrom(one)) found.stdin = word?.value !== undefined && more.length === 0 ? { text: `${word.value}\n` } : {};
}

function opened(one: Redirect, words: Word[], { found, state }: Finding): void {
  const { operator } = one;
  const isDescriptor = /^(\d+-?|-)$/.test(words[0]?.value ?? "");
  if (isDescriptor && (operator === "<&" || operator === ">&")) return;
  const writes = operator !== "<";
  if (!writes && readsFrom(one)) found.stdin = {};
  for (const each of words) {
    if (each.value === undefined && /^[<>]\(/.test(each.text)) continue;
    if (/^\/dev\/(tcp|udp)(\/|$)/.test(each.value ?? each.start)) found.unclear = "a redirection opens a connection";
    if (each.value !== undefined && harmlessDevice.test(each.value)) continue;
    for (const place of placesOf(each, state.folders)) {
      if (place.pattern) found.files.push(useOf(place, { access: writes ? "write" : "read", mention: "named" }));
      // A glob may match several files; which one is written is unknown.
      if (writes) found.files.push(useOf(place.pattern ? {} : place, { access: "write" }));
      if (!writes || operator === "<>") found.files.push(useOf(place, { access: "read" }));
    }
  }
}

const readsFrom = ({ descriptor }: Redirect | HereDoc | HereString) =>
  !descriptor || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
