// .toolignore: files that agents neither read nor change. Its patterns mean the same as in a .gitignore at the same place.
import type { At } from "../call.ts";
import { fold } from "./fold.ts";
import { type Glob, meets } from "./glob-meets.ts";
import { type IgnoreFile, type IgnoreLine, ignoreFile, ignoringLines } from "./ignore-patterns.ts";
import { foldPattern, namesFolder, relativeTo } from "./path-rules.ts";

export type ToolIgnore = {
  /** The line that hides this place; undefined if none does. A path that may be a folder is also judged as one. */
  hides(at: At): IgnoreLine | undefined;
  /** Whether a shell's glob could match a hidden file, even one that other lines include again. */
  mayHide(glob: Glob): boolean;
  /** As `namesFolder` of path-rules.ts. */
  namesFolder(path: string): boolean;
  /** The absolute path of the file; undefined if there is none. */
  file: string | undefined;
};

/** Compares as git does, and also as a case-insensitive file system would: a file that either hides is hidden. */
export function toolIgnore(source: { text: string; folder: string } | undefined): ToolIgnore {
  if (!source) return { hides: () => undefined, mayHide: () => false, namesFolder: () => false, file: undefined };
  const { text, folder } = source;
  const plain = ignoreFile(text);
  const folded = ignoreFile(foldPattern(text));
  const ignoring = (said: IgnoreLine | undefined) => (said?.negative ? undefined : said);
  const judge = (decide: IgnoreFile, below: string | undefined, file: boolean) => {
    if (!below) return undefined; // the folder itself is not in it
    return ignoring(decide(below)) ?? (file ? undefined : ignoring(decide(`${below}/`)));
  };
  const hides = (path: string, file: boolean) =>
    judge(plain, relativeTo(folder, path), file) ?? judge(folded, relativeTo(fold(folder), fold(path)), file);
  const patterns = ignoringLines(text).map((line) => ({ ...line, base: folder }));
  const lines = patterns.map((line) => ({ said: line.said, met: meets(line), names: namesFolder(line) }));
  const spelled = (glob: Glob) => lines.findLast(({ met }) => met(glob) === "spelled")?.said;
  return {
    hides: ({ written, real, file = false, glob }) =>
      hides(real, file) ?? (written === real ? undefined : hides(written, file)) ?? (glob && spelled(glob)),
    mayHide: (glob) => lines.some(({ met }) => met(glob) !== undefined),
    namesFolder: (path) => lines.some(({ names }) => names(path)),
    file: `${folder}/.toolignore`,
  };
}
