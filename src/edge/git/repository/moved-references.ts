// Which branches, tags and other references a command has moved to new commits, what it has noted for git's next step, and which files of special
// names those bring: a later switch, merge, abort or `stash pop` of the person's puts them into the tree, where they run.
import { join } from "node:path";
import type { Brought, References } from "../../../agent/ports/repository-port.ts";
import { git } from "../own-git.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { blobId } from "./kept-by-git.ts";

const mostBytes = 16 * 1024 * 1024;
const mostFile = 1024 * 1024;
/** Versions of special files that are compared: each name with each file. */
const mostVersions = 20_000;
/** A fetch may bring years of history. */
const limitMs = 10_000;

/** `ref`: or where git has noted it. */
type Moved = { ref: string; id: string };

/**
 * What names commits that nothing named before, with the special files that these bring: those that are in them as they are not in the tree now.
 * `files` is undefined where that could not be found out. A note of git's is left out where a reference brings the same.
 */
export async function broughtBy(before: References, now: References, isSpecial: (path: string) => boolean): Promise<Brought[]> {
  const known = new Set([...namedIn(before).map(({ id }) => id), ...before.noted.keys()]);
  const isNew = ({ id }: Moved) => !known.has(id);
  const named = namedIn(now).filter(isNew);
  const ofNames = new Set(named.map(({ id }) => id));
  const notes = [...now.noted].map(([id, ref]) => ({ ref, id })).filter((moved) => isNew(moved) && !ofNames.has(moved.id));
  const noted = (await inFull(now.top, notes)).filter((moved) => isNew(moved) && !ofNames.has(moved.id));
  const all = [...named, ...noted];
  if (all.length === 0) return [];
  const paths = await pathsOf(before, all);
  const special = paths?.filter((path) => isSpecial(asText(path)));
  if (special?.length === 0) return [];
  const found = special && (await versionsOf(before, all, special));
  if (!found) return (named.length > 0 ? named : noted.slice(0, 1)).map(({ ref, id }) => ({ name: nameOf(ref), id, files: undefined }));
  const said = new Set<string>();
  return all.flatMap(({ ref, id }, at): Brought[] => {
    const versions = found[at]!.filter((version) => at < named.length || !said.has(version.join(" ")));
    for (const version of versions) said.add(version.join(" "));
    return versions.length === 0 ? [] : [{ name: nameOf(ref), id, files: versions.map(([, path]) => path) }];
  });
}

const namedIn = ({ ids, heads }: References): Moved[] => [...ids, ...heads].map(([ref, id]) => ({ ref, id }));

/** Those that are ids of objects, with whole ids. Words of a message may look like one. */
async function inFull(top: string, notes: Moved[]): Promise<Moved[]> {
  const isWhole = ({ id }: Moved) => id.length === 40 || id.length === 64;
  const short = notes.filter((note) => !isWhole(note));
  if (short.length === 0) return notes;
  const input = short.map(({ id }) => `${id}\n`).join("");
  const { stdout } = await git(top, ["cat-file", "--batch-check=%(objectname)"], { input, limitMs });
  const answers = stdout.toString("latin1").split("\n");
  const found = short.flatMap(({ ref }, at) => (/^[0-9a-f]+$/.test(answers[at] ?? "") ? [{ ref, id: answers[at]! }] : []));
  return [...notes.filter(isWhole), ...found];
}

/** Of all files that the new commits change, as bytes; undefined if git failed. */
async function pathsOf(before: References, moved: Moved[]): Promise<string[] | undefined> {
  const earlier = new Set(namedIn(before).map(({ id }) => `^${id}`));
  const input = [...moved.map(({ id }) => id), ...earlier, ""].join("\n");
  const args = ["log", "--stdin", "--ignore-missing", "-c", "--root", "--name-only", "--no-renames", "--format=", "-z"];
  const { code, stdout } = await git(before.top, args, { input, headBytes: mostBytes, limitMs });
  const fields = stdout.toString("latin1").split("\0");
  return code === 0 ? [...new Set(fields.map((path) => path.replace(/^\n/, "")))].filter(Boolean) : undefined;
}

/** For each name, the ids and paths of those files that are in it otherwise than before and than in the tree; undefined if git failed. */
async function versionsOf({ top, ids }: References, moved: Moved[], paths: string[]): Promise<[id: string, path: string][][] | undefined> {
  if (paths.some((path) => path.includes("\n")) || moved.length * paths.length > mostVersions) return undefined; // git takes no such line
  const lines = moved.flatMap(({ ref, id }) => paths.flatMap((path) => [`${id}:${path}`, `${ids.get(ref) ?? id}:${path}`]));
  const input = Buffer.from(`${lines.join("\n")}\n`, "latin1");
  const { code, stdout } = await git(top, ["cat-file", "--batch-check=%(objectname)"], { input, limitMs });
  if (code !== 0) return undefined;
  const answers = stdout.toString("latin1").split("\n");
  return moved.map(({ ref }, at) =>
    paths.map(asText).flatMap((path, index): [string, string][] => {
      const [id = "", old] = answers.slice(2 * (at * paths.length + index));
      const isNew = /^[0-9a-f]+$/.test(id) && !(ids.has(ref) && id === old) && id !== blobOf(join(top, path), id.length);
      return isNew ? [[id, path]] : [];
    }),
  );
}

export const asText = (bytes: string) => Buffer.from(bytes, "latin1").toString("utf8");

const nameOf = (ref: string) => ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");

/** git's name for the content that the file has now. */
export function blobOf(path: string, length: number): string | undefined {
  const file = readUntrusted(path, { most: mostFile });
  return file.kind === "read" ? blobId(file.bytes, length) : undefined;
}
