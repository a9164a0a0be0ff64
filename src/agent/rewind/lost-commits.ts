// What a person reads about commits that a command has taken the last name from.
import { plural } from "../../wording/figures.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { visible } from "../../wording/visible.ts";

/**
 * `ref`: its whole name, or the path of a checkout's HEAD in `.git`. `isGone`: else it is somewhere else now.
 * `isWhole`: git knows all commits that it had.
 */
export type LostName = { ref: string; id: string; isGone: boolean; isWhole: boolean };

const mostNamed = 5;

export const commitWords = {
  notKept: (why: string) => `Commits that only this repository has are not kept before commands: ${why}`,
  notPutBack: (why: string, pack: string) =>
    `git has removed commits that only this repository had, and they cannot be put back (${why}). They are in ${pack}: git unpack-objects < ${shellWord(pack)}`,
  noRepository: (folder: string) =>
    `The repository is gone or cannot be looked at any more. The commits that only it had are in ${folder}, and their names in commits.json there: git init; git unpack-objects < ${shellWord(`${folder}/commits-1.pack`)}`,
  lost(names: readonly LostName[], stashes: readonly string[]): string[] {
    const more = names.slice(mostNamed).map(({ ref }) => visible(shortName(ref)));
    return [
      ...names.slice(0, mostNamed).map(nameText),
      ...(more.length > 0 ? [`${plural(more.length, "more name")} gone or moved: ${more.slice(0, 4 * mostNamed).join(", ")}`] : []),
      ...(stashes.length > 0 ? [stashText(stashes)] : []),
    ];
  },
};

const shortName = (ref: string) => ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");

function nameText({ ref, id, isGone, isWhole }: LostName): string {
  const [, kind = "", name = ""] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  const shown = visible(shortName(ref));
  if (/autostash$/i.test(ref))
    return `What git had put aside for ${shown.split("/")[0]} is gone. If it is not in your files again: git stash store ${id}`;
  const what =
    kind === "tags"
      ? `The tag ${shown} is gone`
      : `${shown} ${isGone ? "is gone" : "has moved"}, and no local branch has its commits any more`;
  if (!isWhole)
    return `${shown} ${isGone ? "is gone" : "has moved"}. It was at ${id}, and git has lost a part of what that needs, which was too much to keep`;
  const again = kind === "" ? `${ref.replaceAll(/\W+/g, "-")}-before` : isGone ? name : `${name}-before`;
  if (!/^\w[\w./+@-]*$/.test(again)) return `${what}. It was at ${id}`; // names that are options, or text for a shell
  const command = kind === "tags" ? "git tag" : "git branch";
  return `${what} · ${command} ${again} ${id} ${isGone && kind !== "" ? "brings it back" : "keeps them"}`;
}

function stashText(gone: readonly string[]): string {
  const commands = gone.slice(0, mostNamed).map((id) => `git stash store ${id}`);
  const rest = gone.length > mostNamed ? ` (and ${gone.length - mostNamed} more)` : "";
  return `${plural(gone.length, "stash", "stashes")} gone · ${commands.join("; ")}${rest} ${gone.length === 1 ? "brings it" : "brings them"} back`;
}
