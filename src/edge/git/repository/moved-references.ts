// Which branches, tags and other references a command has moved to new commits, what it has noted for git's next step, and which files of special
// names those bring: a later switch, merge, abort or `stash pop` of the person's puts them into the tree, where they run.
import { join } from "node:path";
import type { Brought, References } from "../../../agent/ports/repository-port.ts";
import { git } from "../own-git.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { blobId } from "./kept-by-git.ts";
import { presentIn } from "./present-commits.ts";

const mostBytes = 16 * 1024 * 1024;
const mostFile = 1024 * 1024;
/** A fetch may bring years of history. */
const limitMs = 10_000;

/** `ref`: or where git has noted it. */
type Moved = { ref: string; id: string };

/**
 * What names commits that nothing named before, with the special files that these bring: those that are in them as they are not in the tree now.
 * `files` is undefined where that could not be found out, and where a commit is not there that may still come. A note of git's is left out where a
 * reference brings the same.
 */
export async function broughtBy(before: References, now: References, isSpecial: (path: string) => boolean): Promise<Brought[]> {
  const notedBefore = [...before.noted].flatMap(([id, { isThere }]) => (isThere ? [id] : []));
  const known = new Set([...namedIn(before).map(({ id }) => id), ...notedBefore]);
  const named = namedIn(now).filter(({ id }) => !known.has(id));
  const ofNames = new Set(named.map(({ id }) => id));
  const notes = [...now.noted].filter(([id]) => !known.has(id) && !ofNames.has(id) && !before.noted.has(id));
  const absentNotes = notes.flatMap(([id, { path, isThere }]) => (isThere ? [] : [unseen({ ref: path, id })]));
  const noted = notes.flatMap(([id, { path, isThere }]) => (isThere ? [{ ref: path, id }] : []));
  if (named.length === 0 && noted.length === 0) return absentNotes;
  const present = await presentIn(now.top, [...ofNames]);
  const absent = [...named.filter(({ id }) => !present?.has(id)).map(unseen), ...absentNotes];
  const ofCommits = named.flatMap(({ ref, id }) => ({ ref, id: present?.get(id)?.commit ?? "" })).filter(({ id }) => id !== "");
  const all = [...ofCommits, ...noted];
  const paths = all.length === 0 ? [] : await pathsOf(before, all);
  const special = paths && new Set(paths.filter((path) => isSpecial(asText(path))));
  if (special?.size === 0) return absent;
  const found = special && (await versionsOf(before, all, special));
  if (!found) return [...(ofCommits.length > 0 ? ofCommits : noted.slice(0, 1)).map(unseen), ...absent];
  const said = new Set<string>();
  const brought = all.flatMap(({ ref, id }, at): Brought[] => {
    const versions = (found.get(id) ?? []).filter((version) => at < ofCommits.length || !said.has(version.join(" ")));
    for (const version of versions) said.add(version.join(" "));
    return versions.length === 0 ? [] : [{ name: nameOf(ref), id, files: versions.map(([, path]) => path) }];
  });
  return [...brought, ...absent];
}

const unseen = ({ ref, id }: Moved): Brought => ({ name: nameOf(ref), id, files: undefined });

const namedIn = ({ ids, heads }: References): Moved[] => [...ids, ...heads].map(([ref, id]) => ({ ref, id }));

/** Of all files that the new commits change, as bytes; undefined if git failed. */
async function pathsOf(before: References, moved: Moved[]): Promise<string[] | undefined> {
  const earlier = new Set(namedIn(before).map(({ id }) => `^${id}`));
  const input = [...moved.map(({ id }) => id), ...earlier, ""].join("\n");
  const args = ["log", "--stdin", "--ignore-missing", "-c", "--root", "--name-only", "--no-renames", "--format=", "-z"];
  const { code, stdout } = await git(before.top, args, { input, headBytes: mostBytes, limitMs });
  const fields = stdout.toString("latin1").split("\0");
  return code === 0 ? [...new Set(fields.map((path) => path.replace(/^\n/, "")))].filter(Boolean) : undefined;
}

type Version = [id: string, path: string];

/**
 * For each commit, the ids and paths of those special files that are in it otherwise than in what the name was at before, or else in HEAD then, and than in
 * the tree; undefined if git failed. Of trees alone, since the contents may come later.
 */
async function versionsOf(
  { top, ids, head = "" }: References,
  moved: Moved[],
  special: ReadonlySet<string>,
): Promise<Map<string, Version[]> | undefined> {
  const input = moved
    .map(({ ref, id }) => `${id} ${(ref.startsWith("refs/tags/") ? undefined : ids.get(ref)) ?? head}`.trimEnd())
    .join("\n");
  const args = ["diff-tree", "--stdin", "-r", "-z", "--root", "--raw", "--no-abbrev", "--no-renames"];
  const { code, stdout } = await git(top, args, { input: `${input}\n`, headBytes: mostBytes, limitMs });
  if (code !== 0 || stdout.length >= mostBytes) return undefined;
  const found = new Map<string, Version[]>();
  let commit: Version[] = [];
  let entry: string | undefined;
  for (const field of stdout.toString("latin1").split("\0")) {
    if (entry !== undefined) {
      const [, , , id = "", status] = entry.split(" ");
      const path = asText(field);
      if (status !== "D" && special.has(field) && id !== blobOf(join(top, path), id.length)) commit.push([id, path]);
      entry = undefined;
    } else if (field.startsWith(":")) entry = field;
    else {
      commit = found.get(field) ?? [];
      found.set(field, commit);
    }
  }
  return found;
}

export const asText = (bytes: string) => (/[^\0-~]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes);

const nameOf = (ref: string) => ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");

/** git's name for the content that the file has now. */
export function blobOf(path: string, length: number): string | undefined {
  const file = readUntrusted(path, { most: mostFile });
  return file.kind === "read" ? blobId(file.bytes, length) : undefined;
}
