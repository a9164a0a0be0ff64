// What a person reads about their work that git does not have: what a command changed of it, and what could not be kept.
import { byteSize, plural } from "../../wording/figures.ts";
import { visible } from "../../wording/visible.ts";

/** `copy`: of the file as it was. `isOwn`: the session itself had made the content that was changed. */
export type WorkChange = { path: string; state: "gone" | "emptied" | "changed"; copy: string; isOwn: boolean };

/** `why`: in a few words. */
export type NotKept = { path: string; why: string };

/** `shown`: a path for display. `folder`: where the files are as they were, if no rewind brings them back. */
export function changedWords(changes: readonly WorkChange[], shown: (path: string) => string, folder?: string): string {
  const names = changes.map(({ path, state }) => `${visible(shown(path))}${state === "changed" ? "" : ` (${state})`}`);
  const [back, was] = changes.length === 1 ? ["it", "it was"] : ["them", "they were"];
  const help = folder === undefined ? `/rewind brings ${back} back` : `as ${was}: ${visible(folder)}`;
  return `${plural(changes.length, "file")} changed whose content git did not have: ${someOf(names)} · ${help}`;
}

export function leftWords(left: readonly NotKept[], shown: (path: string) => string): string {
  const names = left.map(({ path, why }) => `${visible(shown(path))} (${why})`);
  return `Neither git nor /rewind can bring back what commands change of: ${someOf(names)}`;
}

export function disguisedWords(paths: readonly string[], shown: (path: string) => string): string {
  const [it, is] = paths.length === 1 ? ["it", "it is"] : ["them", "they are"];
  return `git takes ${someOf(paths.map((path) => visible(shown(path))))} for unchanged now, though ${is} not: git status shows nothing of ${it}, and a switch would write over ${it}. touch makes git look again`;
}

export const failedWords = (why: string) => `What git does not have is not kept before commands: ${why}`;

export const tooLarge = (bytes: number) => byteSize(bytes);
export const tooMany = "too many files";
export const neverStill = "it changes all the time";

/** In the place of a command's output, while it waits. */
export const progressWords = {
  looking: "looking for files that git does not have",
  copying: (count: number, all: number) => `keeping files that git does not have: ${count} of ${all}`,
};

const mostNamed = 5;

function someOf(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return more <= 1 ? names.join(", ") : `${names.slice(0, mostNamed).join(", ")}, and ${more} more`;
}
