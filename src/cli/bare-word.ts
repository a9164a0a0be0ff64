// Refuses a prompt of one word: it is more likely a typo, or a command of another tool, than work that somebody wants to pay for.

import { UsageError, type World } from "../app/world.ts";
import { editDistance } from "../wording/edit-distance.ts";

/** A known word, and the command to suggest for it, such as `tool team status`. */
export type Known = { name: string; as: string };

/** Throws UsageError for a one-word prompt that is close to a known word or is a command of other tools. After `--` every word is a prompt. `of`: such as `tool batch`. */
export function refuseBareWord(
  word: string | undefined,
  known: Known[],
  { argv, of = "tool" }: Pick<World, "argv"> & { of?: string },
): void {
  if (!word || !isBareWord(word) || argv.includes("--")) return;
  const meant = suggestions(word, known);
  if (meant.length === 0 && !elsewhere.has(word)) return;
  throw new UsageError(
    `"${word}" is not a command of ${of}. ${didYouMean(meant) || `All commands: ${of} --help.`} To send it as a prompt: ${of} -- ${word}`,
  );
}

/** Throws UsageError for a prompt of several words without quotes, with the line that was probably meant. `command`: such as `tool team`. */
export function refuseUnquoted(words: string[], command: string, known: Known[]): void {
  if (words.length < 2) return;
  const line = words.join(" ");
  const shown = /^[\w .,:;/?-]{1,60}$/.test(line) ? line : "…";
  const meant = didYouMean(suggestions(words[0] ?? "", known));
  throw new UsageError(
    `${words.length} words were given where one prompt is expected. Put it in quotes: ${command} "${shown}"${meant && `. ${meant}`}`,
  );
}

export function isBareWord(text: string): boolean {
  return /^[a-z][a-z-]{1,19}$/.test(text);
}

/** The known words with that name, else those within a typo of it. */
export function suggestions(word: string, known: Known[]): string[] {
  const exact = known.filter(({ name }) => name === word);
  return (exact.length > 0 ? exact : known.filter(({ name }) => isNear(name, word))).map(({ as }) => as);
}

/** For example `Did you mean tool team?`; empty without suggestions. */
export function didYouMean(suggested: string[]): string {
  return suggested.length === 0 ? "" : `Did you mean ${suggested.slice(0, 3).join(" or ")}?`;
}

/** A short word may differ by one typo, a word of two letters by none. Several of a thing may be meant: `temas` for `team`. */
function isNear(name: string, word: string): boolean {
  if (Math.min(name.length, word.length) < 3) return false;
  if (editDistance(`${name}s`, word) <= 1) return true;
  return editDistance(name, word) <= (Math.min(name.length, word.length) < 5 ? 1 : 2);
}

/** Commands of similar tools. */
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
