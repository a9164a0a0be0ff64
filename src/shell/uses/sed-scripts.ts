// Recognizes sed scripts that certainly only print, delete and replace.
import type { Hazard, Word } from "../words/analysis.ts";
import { readOptions } from "../words/options.ts";

const sedOptions =
  "-n --quiet --silent -e: --expression= -f: --file= -i? --in-place? -E -r --regexp-extended -l: --line-length= -s --separate -u --unbuffered -z --null-data --posix --debug --sandbox --follow-symlinks -b --binary -I?";

/** Hazards of sed scripts that may run programs, or read and write files. */
export function sedHazards(words: Word[]): Hazard[] {
  const { given, operands } = readOptions(words, sedOptions);
  const scripts = given.filter(({ name }) => name === "-e" || name === "--expression").map(({ value }) => value);
  const first = operands[0];
  if (scripts.length === 0 && !given.some(({ name }) => name === "-f" || name === "--file"))
    scripts.push(first === undefined ? undefined : words[first]);
  const at = first ?? 0;
  const isUnknownOption = ({ value, start }: Word) => value === undefined && start.startsWith("-");
  return words.some(isUnknownOption) || scripts.some((script) => script?.value === undefined || !plainSed(script.value))
    ? [{ at, option: true, does: "its script may run programs or read and write files" }]
    : [];
}

/** Whether every command certainly only prints, deletes or replaces. */
function plainSed(script: string): boolean {
  let rest = script;
  while (rest.length > 0) {
    const separators = /^[\s;{}]+/.exec(rest);
    if (separators) rest = rest.slice(separators[0].length);
    else if (rest.startsWith("#")) rest = rest.replace(/^[^\n]*/, "");
    else {
      const next = oneSedCommand(rest);
      if (next === undefined) return false;
      rest = next;
    }
  }
  return true;
}

const address = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]\n]*\])*\/[IM]*)/;

function oneSedCommand(text: string): string | undefined {
  let rest = text;
  const first = address.exec(rest);
  if (first) {
    rest = rest.slice(first[0].length).trimStart();
    if (rest.startsWith(",")) {
      rest = rest.slice(1).trimStart();
      const second = address.exec(rest) ?? /^[+~]\d+/.exec(rest);
      if (!second) return undefined;
      rest = rest.slice(second[0].length);
    }
  }
  rest = rest.replace(/^[\s!]*/, "");
  if (/^[{}]/.test(rest)) return rest.slice(1);
  if (/^[dDgGhHnNpPxlq=zF](?=[\s;}]|$)/.test(rest)) return rest.slice(1);
  const exit = /^[qQlL]\s*\d+(?=[\s;}]|$)/.exec(rest);
  if (exit) return rest.slice(exit[0].length);
  if (/^[btT:]\s*\w*\s*(?=[\n;}]|$)/.test(rest)) return rest.replace(/^[btT:]\s*\w*\s*/, "");
  if (/^[aic]\\?\s*/.test(rest) && !/^[aic]\\?\s*$/.test(rest)) return rest.replace(/^(?:[^\n\\]|\\[\s\S])*/, "");
  const kind = rest[0];
  const mark = rest[1];
  if ((kind !== "s" && kind !== "y") || mark === undefined || /[\w\s\\;{}]/.test(mark)) return undefined;
  const middle = partEnd(rest, 2, mark, kind === "s");
  if (middle === -1) return undefined;
  const end = partEnd(rest, middle + 1, mark, false);
  if (end === -1) return undefined;
  const flags = /^[gpiIM\d]*(?=\s*(?:[;}#\n]|$))/.exec(rest.slice(end + 1));
  return flags ? rest.slice(end + 1 + flags[0].length) : undefined;
}

/** Programs differ on a delimiter inside brackets; such a script is not plain. */
function partEnd(text: string, from: number, mark: string, pattern: boolean): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === mark) return at;
    else if (text[at] === "\n") return -1;
    else if (pattern && text[at] === "[") {
      const close = /^\[\^?\]?(?:\[:\w+:\]|[^\]\\\n])*\]/.exec(text.slice(at));
      if (!close || close[0].includes(mark)) return -1;
      at += close[0].length - 1;
    }
  }
  return -1;
}
