// Which commits words name, of those that the repository has.
import { git } from "../own-git.ts";

/** `commit`: its id, also of what a tag names; undefined for another object. */
export type Present = { commit: string | undefined };

/** Those of the words that name an object which is there. Undefined if git does not say. */
export async function presentIn(top: string, words: readonly string[]): Promise<Map<string, Present> | undefined> {
  if (words.length === 0) return new Map();
  const input = words.map((word) => `${word}\n${word}^{commit}\n`).join("");
  const { code, stdout } = await git(top, ["cat-file", "--batch-check=%(objectname)"], { input });
  if (code !== 0) return undefined;
  const answers = stdout.toString("latin1").split("\n");
  const idAt = (at: number) => (/^[0-9a-f]+$/.test(answers[at] ?? "") ? answers[at] : undefined);
  return new Map(
    words.flatMap((word, at): [string, Present][] => (idAt(2 * at) === undefined ? [] : [[word, { commit: idAt(2 * at + 1) }]])),
  );
}
