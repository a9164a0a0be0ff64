// Exceptional files that a search or a glob reaches although its text does not say so: files with secrets, and links that lead elsewhere. The
// disk says which exist.
import { join } from "node:path";
import { fitsMask } from "../../shell/judge/mask.ts";
import type { FileUse } from "../../shell/words/analysis.ts";

/** Real paths below the working directories. */
export type Outliers = {
  /** Files with names of secrets. */
  sensitive: string[];
  links: { path: string; target: string }[];
};

type Reach = Pick<FileUse, "access" | "pattern" | "recursive">;

/** Says that a search or a glob at this real path would come to a file that needs a question to be so used; undefined if it does not. */
export function reachedBelow(
  use: Reach,
  place: string,
  outliers: (() => Outliers | undefined) | undefined,
  isAsked: (path: string) => boolean,
): string | undefined {
  if (!outliers) return undefined;
  const found = outliers();
  if (!found) return `It may ${use.access} any file below ${place}, and there are too many to look through`;
  const file = found.sensitive.find((path) => meets(use, place, path) && isAsked(path));
  if (file !== undefined) return `It may ${use.access} ${file}, which needs permission`;
  const link = found.links.find(
    ({ path, target }) =>
      (use.pattern || use.recursive === "through links") && leadsThrough(use, place, path) && isAsked(join(target, behind(place, path))),
  );
  return link && `It may go through ${link.path}, which leads to ${link.target}`;
}

/** `place` includes its glob characters. */
function meets({ pattern, recursive }: Reach, place: string, path: string): boolean {
  if (!pattern) return path === place || path.startsWith(place === "/" ? "/" : `${place}/`);
  return isSpelled(place.split("/"), path.split("/"), recursive !== undefined);
}

/** The same for a link on the way to a file. */
function leadsThrough(reach: Reach, place: string, path: string): boolean {
  const way = path.split("/");
  return meets(reach, place, path) || isSpelled(place.split("/").slice(0, way.length), way, false);
}

/** What the glob says of the way behind the link. */
const behind = (place: string, link: string) => place.split("/").slice(link.split("/").length).join("/");

/** Matches segment by segment, as a shell expands a glob. */
function isSpelled(pattern: string[], path: string[], recursive: boolean): boolean {
  if (path.length > pattern.length && !recursive) return false;
  return pattern.every((segment, at) => {
    const name = path[at];
    if (name === undefined || (name.startsWith(".") && !segment.startsWith("."))) return false;
    return fitsMask(segment.replaceAll(/\?|\[[^\]]*\]|\{.*\}/g, "*"), name);
  });
}
