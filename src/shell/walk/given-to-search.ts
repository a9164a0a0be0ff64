// Commands that a search runs for each file it finds.

import { endOfRun } from "../uses/looks.ts";
import { appended, found, unknownWord } from "../words/literal.ts";
import { type Given, runWords } from "./given.ts";

export function find(given: Given): void {
  const { words, state, unclear } = given;
  for (let at = 1; at < words.length; at++) {
    const value = words[at]!.value;
    if (!/^-(exec|execdir|ok|okdir)$/.test(value ?? "")) continue;
    const end = endOfRun(words, at);
    if (words.slice(at + 1, end).some(({ value }) => value === undefined))
      unclear("where the command that find runs ends is not known before it runs");
    // A found name begins with its root, so it is an option only if the root may be one; -execdir puts "./" before it.
    const inner = words
      .slice(at + 1, end)
      .map((word) =>
        word.value?.includes("{}")
          ? word.value === "{}"
            ? found
            : unknownWord(word.text, word.value.slice(0, word.value.indexOf("{}")))
          : word,
      );
    const folders = value!.includes("dir") ? [undefined] : state.folders;
    if (inner.length > 0) runWords(inner, { ...given, state: { ...state, stdin: {}, folders } });
    else unclear("what find runs is not known before it runs");
    at = end;
  }
}

export function fd(given: Given): void {
  const at = given.words.findIndex(({ value }) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(value ?? ""));
  if (at === -1) return;
  const inner = given.words.slice(at + 1).map((word) => (/\{[./]*\}/.test(word.value ?? "") ? appended : word));
  if (inner.length > 0) runWords([...inner, appended], given);
}
