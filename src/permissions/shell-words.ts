// A command line as words, without a grammar. To allow, a line must be so plain that splitting it at blanks is all that a shell would
// do. To deny, words are looked for anywhere in it. What is neither is asked.

/** The words of a command, as written; undefined as soon as a shell might see more in it than one simple command. */
export function plainWords(command: string): string[] | undefined {
  const text = command.trim();
  return text === "" || special.test(text) || !quotesInPairs.test(text) ? undefined : text.split(/[ \t]+/);
}

/** Whatever separates, substitutes, expands, redirects or comments, inside quotes too; control and invisible characters; other blanks. */
const special = /[;|&$()<>`{}*?[\]~#!\\^\p{Cf}]|(?!\t)\p{Cc}|[^\S \t]/u;
const quotesInPairs = /^(?:[^'"]|'[^']*'|"[^"]*")*$/;

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
  return there.some((word, at) => {
    if (!["tool", "tool.js", "main.js"].includes(nameOf(word))) return false;
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
