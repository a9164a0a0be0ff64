// Exceptional files that a search, a glob or a list of names reaches although its text does not say so: files with secrets, links that lead
// elsewhere, and names that a shell splits. The disk says which exist.
import { fitsMask } from "../shell/judge/mask.ts";
import type { Named } from "../shell/words/analysis.ts";
import { isSensitiveName } from "./paths/places.ts";
import type { Entry } from "./sandbox-view.ts";

/** Real paths below the working directories. */
export type Outliers = {
  /** Files with names of secrets. */
  sensitive: string[];
  /** Files whose names contain spaces, quotes or glob characters. */
  split: Entry[];
  links: { path: string; target: string }[];
};

/** Whether a shell without quotes, or xargs, changes the name. */
export const isSplitName = (path: string) => /[\s*?[\]\\'"]/.test(path.slice(path.lastIndexOf("/") + 1));

/**
 * Whether each piece of a split name is a plain name in the same folder, as in `My notes.md`: then the pieces name files inside as well.
 */
export function splitsInside({ path, kind }: Entry): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return kind === "file" && name.split(/\s/).every((piece) => /^\w[\w.,()&+@!-]*$/.test(piece) && !isSensitiveName(piece));
}

/** `place` is the real path of the place, including its glob characters. */
export function meets({ pattern, recursive }: Named, place: string, path: string): boolean {
  if (!pattern) return path === place || path.startsWith(place === "/" ? "/" : `${place}/`);
  return isSpelled(place.split("/"), path.split("/"), recursive === true);
}

/** The same for a link on the way to a file. */
export function leadsThrough(named: Named, place: string, path: string): boolean {
  if (meets(named, place, path)) return true;
  const way = path.split("/");
  return named.pattern === true && isSpelled(place.split("/").slice(0, way.length), way, false);
}

/** Matches segment by segment, as a shell expands a glob. */
function isSpelled(pattern: string[], path: string[], recursive: boolean): boolean {
  if (path.length > pattern.length && !recursive) return false;
  return pattern.every((segment, at) => {
    const name = path[at];
    if (name === undefined || (name.startsWith(".") && !segment.startsWith("."))) return false;
    return fitsMask(segment.replaceAll(/\?|\[[^\]]*\]|\{.*\}/g, "*"), name);
  });
}
