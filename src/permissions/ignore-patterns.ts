// Patterns of ignore files, with git's meaning.
import ignore from "ignore";

/** Compiles the text of one ignore file. Paths are relative to its folder; a folder's path ends in a slash. */
export function ignorePatterns(text: string): (path: string) => "ignored" | "kept" | "unsaid" {
  const patterns = ignore().add(text);
  return (path) => {
    const { ignored, unignored } = patterns.test(path);
    return ignored ? "ignored" : unignored ? "kept" : "unsaid";
  };
}
