// Words looked for anywhere in a text, without a grammar: what is left when a text cannot be taken apart.

/** Whether the words stand one after the other anywhere in the command; the first also as the end of a path (`/bin/rm`). */
export function mentions(command: string, words: string[]): boolean {
  const there = looseWords(command);
  return there.some((_, at) => words.every((word, index) => (index === 0 ? nameOf(there[at]!) : there[at + index]) === word));
}

/**
 * Whether it may be one of this program's commands that act as a person or as another agent. Such a command refuses by itself when it
 * finds an agent's marker; this is the hurdle before it.
 */
export function actsAsPerson(command: string): boolean {
  const there = looseWords(command);
  return there.some(
    (word, at) => ["tool", "tool.js", "main.js"].includes(nameOf(word.slice(word.lastIndexOf("=") + 1))) && acts(there.slice(at + 1)),
  );
}

/** Whether a word is worth that look. */
export const namesUs = (word: string) => named.test(word);

/** `tool` or `main.js`, with whatever the shell takes away between the letters. */
const named = /t['"\\\n]*o['"\\\n]*o['"\\\n]*l|m['"\\\n]*a['"\\\n]*i['"\\\n]*n['"\\\n]*\.['"\\\n]*j/;

function acts(words: string[]): boolean {
  if (words.some((word) => rights.test(word))) return true;
  return words.some((word, at) => Object.hasOwn(acting, word) && words.slice(at + 1).some((next) => acting[word]!.includes(next)));
}

/** What starts a session with more than its settings give it. */
const rights = /^--(trust|dangerously[\w-]*)$|^(--permission-mode=)?bypassPermissions$/;

const acting: Record<string, string[]> = {
  team: ["answer", "task", "send", "exec", "stop", "create", "gc", "inbox", "attach"],
  permissions: ["add", "remove"],
  secrets: ["install-hook", "uninstall-hook"],
};

/** Quotes and backslashes taken away, split at everything that is no part of a name. */
function looseWords(command: string): string[] {
  return command
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/['"\\]/g, "")
    .split(/[^\w./@:=+%,-]+/)
    .filter(Boolean);
}

const nameOf = (word: string) => word.slice(word.lastIndexOf("/") + 1);
