// A place: a command of the person's that runs the rest of its arguments somewhere, with standard input and output connected.
import type { PlaceSettings } from "../settings/place-settings.ts";
import { shellWord } from "../wording/shell-word.ts";

export type Place = PlaceSettings & { name: string };

/** The argument vector that runs these words at the place. */
export function argvAt(place: Place, words: readonly string[]): string[] {
  return [...place.command, ...(joinsArguments(place) ? words.map(shellWord) : words)];
}

/** Whether the command joins its arguments to one line for a shell there, as ssh does; otherwise it passes them on one by one. */
export function joinsArguments({ command, arguments: said }: Place): boolean {
  return said === undefined ? /(^|\/)(ssh|autossh|rsh)$/.test(command[0] ?? "") : said === "joined";
}
