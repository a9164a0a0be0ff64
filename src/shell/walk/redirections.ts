// Redirections: the files they open, and what replaces the terminal as input.
import type { HereDoc, HereString, Redirect, SyntaxNode } from "unbash";
import { pathsIn } from "../uses/named-files.ts";
import type { FileUse } from "../words/analysis.ts";
import { expand } from "../words/expand.ts";
import { literal } from "../words/literal.ts";
import { harmlessDevice, placesOf, useOf } from "../words/paths.ts";
import type { State, Stdin } from "../words/state.ts";
import type { Variables } from "../words/variables.ts";

export type Redirected = { files: FileUse[]; stdin?: Stdin; unclear?: string; words: SyntaxNode[] };

export function redirectedFiles(list: readonly (Redirect | HereDoc | HereString)[], state: State, variables: Variables): Redirected {
  const found: Redirected = { files: [], words: [] };
  const around = { variables, definite: state.definite };
  for (const one of list) {
    if (one.type === "HereDoc") {
      found.words.push(one.body);
      const plain = one.delimiter?.quoted || !/[$`\\]/.test(one.body.text);
      if (!one.delimiter || !one.closing) found.unclear = "a here-document has no end";
      if (readsFrom(one))
        found.stdin = plain ? { text: one.operator === "<<-" ? one.body.text.replaceAll(/^\t+/gm, "") : one.body.text } : {};
      continue;
    }
    const { target } = one;
    if (!target) {
      found.unclear = "a redirection has no target";
      continue;
    }
    found.words.push(target);
    const [word, ...more] = expand(target, around);
    if (one.type === "HereString") {
      for (const path of pathsIn(word?.value ?? ""))
        for (const place of placesOf(literal(path), state.folders)) found.files.push(useOf(place, { access: "read", mention: "possible" }));
      if (readsFrom(one)) found.stdin = word?.value !== undefined && more.length === 0 ? { text: `${word.value}\n` } : {};
      continue;
    }
    const duplicates = one.operator === "<&" || (one.operator === ">&" && /^(\d+-?|-)$/.test(word?.value ?? ""));
    if (duplicates && word?.value !== undefined && /^(\d+-?|-)$/.test(word.value)) continue;
    const writes = one.operator !== "<";
    if (!writes && readsFrom(one)) found.stdin = {};
    for (const each of [word, ...more]) {
      if (!each || (each.value === undefined && /^[<>]\(/.test(each.text))) continue;
      const special = each.value ?? each.start;
      if (/^\/dev\/(tcp|udp)(\/|$)/.test(special)) found.unclear = "a redirection opens a connection";
      if (each.value !== undefined && harmlessDevice.test(each.value)) continue;
      for (const place of placesOf(each, state.folders)) {
        if (place.pattern) found.files.push(useOf(place, { access: writes ? "write" : "read", mention: "named" }));
        // A glob may match several files; which one is written is unknown.
        if (writes) found.files.push(useOf(place.pattern ? {} : place, { access: "write" }));
        if (!writes || one.operator === "<>") found.files.push(useOf(place, { access: "read" }));
      }
    }
  }
  return found;
}

const readsFrom = ({ descriptor }: Redirect | HereDoc | HereString) =>
  !descriptor || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
