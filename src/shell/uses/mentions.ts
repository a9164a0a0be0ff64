// Searches a text for words without parsing it: the fallback for a text that cannot be parsed.
import { nameOf } from "../words/invocation.ts";

/** Whether the words follow each other anywhere in the command; the first may end a path (`/bin/rm`). */
export function mentions(command: string, words: string[]): boolean {
  const there = looseWords(command);
  return there.some((_, at) => words.every((word, index) => (index === 0 ? nameOf(there[at]!) : there[at + index]) === word));
}

/** Whether it may be a command of this program that acts for the user or another agent. Such a command also refuses an agent by itself. */
export function actsAsPerson(command: string): boolean {
  const there = looseWords(command);
  return there.some(
    (word, at) => ["tool", "tool.js", "main.js"].includes(nameOf(word.slice(word.lastIndexOf("=") + 1))) && acts(there.slice(at + 1)),
  );
}

/** Whether a word needs that check. */
export const namesUs = (word: string) => named.test(word);

/** `tool` or `main.js`, with any quotes or backslashes between the letters. */
const named = /t['"\\\n]*o['"\\\n]*o['"\\\n]*l|m['"\\\n]*a['"\\\n]*i['"\\\n]*n['"\\\n]*\.['"\\\n]*j/;

function acts(words: string[]): boolean {
  if (words.some((word) => rights.test(word))) return true;
  return words.some((word, at) => Object.hasOwn(acting, word) && words.slice(at + 1).some((next) => acting[word]!.includes(next)));
}

/** Arguments that start a session with more rights than its settings give. */
const rights = /^--(trust|dangerously[\w-]*)$|^(--permission-mode=)?bypassPermissions$/;

const acting: Record<string, string[]> = {
  team: ["answer", "task", "send", "exec", "stop", "create", "gc", "inbox", "attach"],
  permissions: ["add", "remove"],
  secrets: ["install-hook", "uninstall-hook"],
};

/** Removes quotes and backslashes, and splits at every character that is not part of a name. */
function looseWords(command: string): string[] {
  return command
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/['"\\]/g, "")
    .split(/[^\w./@:=+%,-]+/)
    .filter(Boolean);
}
