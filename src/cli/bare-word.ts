// A single word in the place of a prompt: more likely a slip, or a command that another tool has, than work that somebody wants to pay for.

import { UsageError, type World } from "../app/world.ts";
import { editDistance } from "../tools/edit-distance.ts";

/** What a word can be taken for, in the order in which it is suggested: `tool team`, `tool team status`. */
export type Known = { name: string; as: string };

/**
 * Throws UsageError for a prompt of one plain word that is near one of these, or in whose place other tools have a command. After `--`
 * every word is a prompt.
 */
export function refuseBareWord(word: string | undefined, known: Known[], { argv }: Pick<World, "argv">): void {
  if (!word || !isBareWord(word) || argv.includes("--")) return;
  const meant = suggestions(word, known);
  if (meant.length === 0 && !elsewhere.has(word)) return;
  throw new UsageError(
    `"${word}" is not a command of tool. ${didYouMean(meant) || "All commands: tool --help."} To send it as a prompt: tool -- ${word}`,
  );
}

export function isBareWord(text: string): boolean {
  return /^[a-z][a-z-]{1,19}$/.test(text);
}

/** The known ones of that name, else those that it is a slip of the finger away from. */
export function suggestions(word: string, known: Known[]): string[] {
  const exact = known.filter(({ name }) => name === word);
  return (exact.length > 0 ? exact : known.filter(({ name }) => isNear(name, word))).map(({ as }) => as);
}

/** `Did you mean tool team?`; empty without suggestions. */
export function didYouMean(suggested: string[]): string {
  return suggested.length === 0 ? "" : `Did you mean ${suggested.slice(0, 3).join(" or ")}?`;
}

/** Of a short word no more than one slip counts, and of one of two letters none. */
function isNear(name: string, word: string): boolean {
  if (Math.min(name.length, word.length) < 3) return false;
  return editDistance(name, word) <= (Math.min(name.length, word.length) < 5 ? 1 : 2);
}

/** Commands of other tools of this kind. */
const elsewhere = new Set([
  "batch",
  "chat",
  "config",
  "exec",
  "import",
  "init",
  "install",
  "login",
  "logout",
  "mcp",
  "models",
  "plugin",
  "plugins",
  "review",
  "run",
  "serve",
  "sessions",
  "settings",
  "setup",
  "start",
  "update",
  "upgrade",
  "usage",
]);
