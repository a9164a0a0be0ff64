// Commands that a search runs for each file it finds.

import { findsOutputs } from "../uses/found-outputs.ts";
import { unknownWord } from "../words/literal.ts";
import { appended, found } from "../words/runtime-words.ts";
import { type Given, runWords } from "./given.ts";

export function find(given: Given): void {
  const { words, command, state, unclear } = given;
  const outputs = findsOutputs(words) && { outputs: true as const };
  for (let at = 1; at < words.length; at++) {
    const value = words[at]!.value;
    if (!/^-(exec|execdir|ok|okdir)$/.test(value ?? "")) continue;
    let end = at + 1;
    while (end < words.length && words[end]!.value !== ";" && !(words[end]!.value === "+" && words[end - 1]!.text === "{}")) end++;
    const roots = command.files.map(({ path }) => path);
    const inner = words
      .slice(at + 1, end)
      .map((word) =>
        word.value === "{}"
          ? appended
          : word.value?.includes("{}")
            ? unknownWord(word.text, word.value.slice(0, word.value.indexOf("{}")))
            : word,
      );
    const folders = value!.includes("dir") ? [undefined] : state.folders;
    const stdin = roots.every((root) => root !== undefined) ? { listed: { roots: roots as string[], from: folders, ...outputs } } : {};
    // A found name begins with its root, so it is an option only if the root is one.
    const safe = roots.every((root) => root !== undefined && !root.startsWith("-")) && !value!.includes("dir");
    if (inner.length > 0)
      runWords(
        inner.map((word) => (word === appended && safe ? found : word)),
        at + 1,
        { ...given, state: { ...state, stdin, folders } },
      );
    else unclear("what find runs is not known before it runs");
    at = end;
  }
}

export function commandAfterOptions(options: string[], given: Given): void {
  const at = given.words.findIndex(({ value }) => options.includes(value ?? ""));
  if (at === -1) return;
  const inner = given.words.slice(at + 1).map((word) => (/\{[./]*\}/.test(word.value ?? "") ? appended : word));
  if (inner.length > 0) runWords([...inner, appended], at + 1, given);
}
