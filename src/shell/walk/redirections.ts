// Redirections: the files they open, and what replaces the terminal as input.
import type { HereDoc, HereString, Redirect } from "unbash";
import { pathsIn } from "../uses/named-files.ts";
import type { FileUse, Word } from "../words/analysis.ts";
import { expand } from "../words/expand.ts";
import { literal } from "../words/literal.ts";
import { harmlessDevice, openFile, placesOf, useOf } from "../words/paths.ts";
import { copyOf, type State } from "../words/state.ts";
import { inWord, type Walking } from "./walk-words.ts";

type Redirection = Redirect | HereDoc | HereString;
type Around = { state: State; walking: Walking; files: FileUse[] };

/** Opens redirections: returns the files that they name, and sets the input of later commands. */
export function redirections(list: readonly Redirection[], state: State, walking: Walking): FileUse[] {
  const around: Around = { state, walking, files: [] };
  const { faults, variables } = walking.walk;
  const before = copyOf(state);
  for (const one of list) {
    const word = one.type === "HereDoc" ? one.body : one.target;
    if (word) inWord(word, before, walking);
    if (one.descriptor?.type === "FileDescriptorVariable") faults.push("a descriptor is kept in a variable");
    if (one.type === "HereDoc") hereDocument(one, around);
    else if (!one.target) faults.push("a redirection has no target");
    else {
      const words = expand(one.target, { variables, known: state.known });
      if (one.type === "HereString") hereString(one, words, around);
      else opened(one, words, around);
    }
  }
  return around.files;
}

function hereDocument(one: HereDoc, { state, walking }: Around): void {
  const { body, delimiter, closing, operator } = one;
  if (!delimiter || !closing || delimiter.text.includes("$")) walking.walk.faults.push("a here-document has no end");
  if (!readsFrom(one)) return;
  const isPlain = delimiter?.quoted || !/[$`\\]/.test(body.text);
  state.stdin = isPlain ? { text: operator === "<<-" ? body.text.replaceAll(/^\t+/gm, "") : body.text } : {};
}

function hereString(one: HereString, [word, ...more]: Word[], { state, files }: Around): void {
  for (const path of pathsIn(word?.value ?? ""))
    for (const place of placesOf(literal(path), state.folders)) files.push(useOf(place, { access: "read", mention: "possible" }));
  if (readsFrom(one)) state.stdin = word?.value !== undefined && more.length === 0 ? { text: `${word.value}\n` } : {};
}

function opened(one: Redirect, words: Word[], { state, walking, files }: Around): void {
  const { operator } = one;
  const isDescriptor = /^(\d+-?|-)$/.test(words[0]?.value ?? "");
  if (isDescriptor && (operator === "<&" || operator === ">&")) return;
  const writes = operator !== "<";
  if (!writes && readsFrom(one)) state.stdin = {};
  for (const each of words) {
    if (each.value === undefined && /^[<>]\(/.test(each.text)) continue;
    if (/^\/dev\/(tcp|udp)(\/|$)/.test(each.value ?? each.start)) walking.walk.faults.push("a redirection opens a connection");
    if (each.value !== undefined && harmlessDevice.test(each.value)) continue;
    if (!openFile.test(each.value ?? "")) walking.walk.opensFile = true;
    for (const place of placesOf(each, state.folders)) {
      if (place.pattern) files.push(useOf(place, { access: writes ? "write" : "read", mention: "named" }));
      // A glob may match several files; which one is written is unknown.
      if (writes) files.push(useOf(place.pattern ? {} : place, { access: "write", emptied: !place.pattern && !operator.endsWith(">>") }));
      if (!writes || operator === "<>") files.push(useOf(place, { access: "read" }));
    }
  }
}

const readsFrom = ({ descriptor }: Redirection) => !descriptor || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
