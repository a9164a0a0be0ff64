// Resolves a word to the paths that it names, relative to the folders where the command may run.
import { posix } from "node:path";
import type { FileUse, Named, Word } from "./analysis.ts";
import { madeFolder } from "./literal.ts";

/** A use of the file at a path. All uses have the same fields in the same order, because there are many. */
export function useOf(
  { path, pattern }: Named,
  { access, recursive, mention, purpose, emptied }: Omit<FileUse, "path" | "pattern">,
): FileUse {
  return { access, path, pattern, recursive, mention, purpose, emptied };
}

export function placesOf({ choices, pattern, home }: Pick<Word, "choices" | "pattern" | "home">, folders: (string | undefined)[]): Named[] {
  if (!choices) return [{}];
  if (choices.length === 1 && folders.length === 1 && !pattern) return [from(folders[0], choices[0]!, home)];
  const places = choices.flatMap((value) => folders.map((folder) => from(folder, value, home)));
  if (!pattern) return places;
  return places.flatMap((place) => [{ ...place, pattern }, ...(leavesByName.test(place.path ?? "") ? [{}] : [])]);
}

/** `..` behind a part of a pattern, which may match a link; or a part that matches `..` in shells before bash 5.2. */
const leavesByName = /^[^*?[]*[*?[].*\/\.\.(?:\/|$)|(?:^|\/)(?!\.\.(?:\/|$))(?:\.|\[[^/]*\])(?:\*+|\**(?:[.?]|\[[^/]*\])\**)(?:\/|$)/s;

/** The folder at the top of the repository that the start is in: git works there as at the start, but which paths are there is not known. */
export const topFolder = "\0top";

function from(folder: string | undefined, path: string, home: boolean | undefined): Named {
  if (home || path.startsWith("/")) return { path };
  const own = path.startsWith("~") ? `./${path}` : path;
  if (folder === undefined || folder === topFolder) return {};
  if (folder === "") return { path: own };
  return { path: `${folder === "/" ? "" : folder}/${own}` };
}

/** The folder after a `cd` that succeeds. It removes `..` by name before it follows links; where there is no such folder, it is the path as written. */
export function moved(folder: string | undefined, word: Word | undefined): (string | undefined)[] {
  if (!word) return ["~"];
  if (!word.choices || word.pattern) return [undefined];
  return word.choices.flatMap((value) => {
    const { path } = /^(?:-|$)/.test(value) || value === madeFolder ? {} : from(folder, value, word.home);
    if (path === undefined || /^~.*\.\./.test(path) || path.split("/").length > mostDeep) return undefined;
    const plain = posix.normalize(path).replace(/(.)\/$/, "$1");
    // What is only above a folder that was reached by its names is there.
    const isThere = /^(?:\.\.?(?:\/+|$))+$/.test(value) && !climbs.test(folder ?? "");
    return [plain === "." ? "" : plain, ...(climbs.test(path) && !isThere ? [path] : [])];
  });
}

/** Deeper folders are not followed: each path on the way would be looked up, name by name. */
const mostDeep = 64;

/** A `..` behind a name. */
export const climbs = /(?:^|\/)(?!\.\.?\/)[^/]+\/(?:.*\/)?\.\.(?:\/|$)/s;

/** Files without contents. */
export const harmlessDevice = /^\/dev\/(null|zero|tty|full|u?random)$/;

/** Whatever is open there: Linux opens it anew, so that what a redirection opened to be read may be written. */
export const openFile = /^\/dev\/(stdin|stdout|stderr|fd\/\d+)$/;
