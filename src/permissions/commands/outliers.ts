// Exceptional files that a search or a glob reaches although its text does not say so: files with secrets, and links that lead elsewhere. The
// disk says which exist.
import { join } from "node:path";
import type { FileUse } from "../../shell/words/analysis.ts";
import { readGlob, standsFor } from "../paths/glob-meets.ts";

/** Real paths below the working directories. */
export type Outliers = {
  sensitive: string[];
  links: Link[];
  /** Those too that are where nobody searches, as in `vendor`. */
  everyLink: Link[];
};

type Link = { path: string; target: string };

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
  return standsFor(readGlob(place), path, { deeper: recursive !== undefined });
}

/** The same for a link on the way to a file. */
const leadsThrough = (reach: Reach, place: string, path: string): boolean =>
  meets(reach, place, path) || standsFor(readGlob(place).slice(0, path.split("/").length - 1), path, { deeper: false });

/** What the glob says of the way behind the link. */
const behind = (place: string, link: string) => place.split("/").slice(link.split("/").length).join("/");
