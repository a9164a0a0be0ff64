// What a search, a pattern or a list of names comes to that its own text does not say: files with secrets, links that lead elsewhere, and
// names that a shell takes apart. Which there are is for the disk to know.
import { fitsMask } from "../shell/judge/mask.ts";
import type { Named } from "../shell/words/analysis.ts";
import { isSensitiveName } from "./paths/places.ts";
import type { Entry } from "./sandbox-view.ts";

/** Real paths below the working directories. */
export type Outliers = {
  /** They hold secrets by their names. */
  sensitive: string[];
  /** Their names have blanks, quotes or signs of patterns in them. */
  split: Entry[];
  links: { path: string; target: string }[];
};

/** Whether a shell without quotes, or xargs, makes anything else of the name than itself. */
export const isSplitName = (path: string) => /[\s*?[\]\\'"]/.test(path.slice(path.lastIndexOf("/") + 1));

/** Whether each piece of a split name is a plain name in the same place, as in `My notes.md`: what it names then lies inside as well. */
export function splitsInside({ path, kind }: Entry): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return kind === "file" && name.split(/\s/).every((piece) => /^\w[\w.,()&+@!-]*$/.test(piece) && !isSensitiveName(piece));
}

/** `place` is the real path of what is named, with the signs of its pattern. */
export function meets({ pattern, recursive }: Named, place: string, path: string): boolean {
  if (!pattern) return path === place || path.startsWith(place === "/" ? "/" : `${place}/`);
  return isSpelled(place.split("/"), path.split("/"), recursive === true);
}

/** The same, of what the way to a file leads through. */
export function leadsThrough(named: Named, place: string, path: string): boolean {
  if (meets(named, place, path)) return true;
  const way = path.split("/");
  return named.pattern === true && isSpelled(place.split("/").slice(0, way.length), way, false);
}

/** Segment by segment, as a shell finds names by a pattern. */
function isSpelled(pattern: string[], path: string[], recursive: boolean): boolean {
  if (path.length > pattern.length && !recursive) return false;
  return pattern.every((segment, at) => {
    const name = path[at];
    if (name === undefined || (name.startsWith(".") && !segment.startsWith("."))) return false;
    return fitsMask(segment.replaceAll(/\?|\[[^\]]*\]|\{.*\}/g, "*"), name);
  });
}
