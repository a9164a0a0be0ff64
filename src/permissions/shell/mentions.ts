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
  if (!/t['"\\\n]*e['"\\\n]*a['"\\\n]*m/.test(command)) return false;
  const there = looseWords(command);
  return there.some((word, at) => {
    if (!["tool", "tool.js", "main.cjs"].includes(nameOf(word))) return false;
    const after = there.slice(at + 1);
    const team = after.findIndex((next) => !next.startsWith("-"));
    return after[team] === "team" && after.slice(team + 1).some((next) => ["answer", "task", "send", "exec"].includes(next));
  });
}

/** Quotes and backslashes taken away, split at everything that is no part of a name. */
function looseWords(command: string): string[] {
  return command
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/['"\\]/g, "")
    .split(/[^\w./@:=+%,-]+/)
    .filter(Boolean);
}

const nameOf = (word: string) => word.slice(word.lastIndexOf("/") + 1);
