// Which branches, tags and other references a command has moved to new commits, and which files of special names those bring: a later switch,
// merge or `stash pop` of the person's puts them into the tree, where they run. References are read as data; git runs only where they have moved
// to something new.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Brought, References } from "../../../agent/ports/repository-port.ts";
import { rawPath } from "../../disk/raw-path.ts";
import { ifPossible } from "../../system-error.ts";
import { git, repositoryPlace } from "../own-git.ts";
import { readUntrusted, untrustedText, whyUnread } from "../untrusted-file.ts";

/** A repository with more of them, or a larger file of packed ones, is not looked at. */
const mostReferences = 5_000;
const mostPacked = 4 * 1024 * 1024;
/** Of a loose one; git reads whatever is there into memory. */
const mostReference = 1024;

const stashLog = "logs/refs/stash";

/** What a checkout is at, and what a rebase or merge has put aside of the person's changes until it ends. */
const atRest = ["HEAD", "MERGE_AUTOSTASH", "rebase-merge/autostash", "rebase-apply/autostash"];

/** `last` itself while nothing has changed since. Undefined without a repository, and in one with too many references or others than git's. */
export async function references(folder: string, last?: References): Promise<References | undefined> {
  const found = await repositoryPlace(folder);
  if (found.kind !== "found") return undefined;
  const { top, commonDir } = found.place;
  const files = referenceFiles(commonDir);
  const packed = join(commonDir, "packed-refs");
  if (!files || (lstatSync(packed, { throwIfNoEntry: false })?.size ?? 0) > mostPacked) return undefined;
  const worktrees = (ifPossible(() => readdirSync(join(commonDir, "worktrees"))) ?? []).map((name) => `worktrees/${name}/`);
  const checkouts = ["", ...worktrees].flatMap((folder) => atRest.map((name) => folder + name));
  if (whyUnread(lstatSync(join(commonDir, stashLog), { throwIfNoEntry: false }), "file") === "is no file") return undefined;
  const logs = [...checkouts, ...files].map((path) => path.replace(/^(?:worktrees\/[^/]+\/)?/, "$&logs/"));
  const stamped = [packed, ...[stashLog, ...checkouts, ...files, ...logs].map((path) => join(commonDir, path))];
  const mark = stamped.map(stamp).join("\n");
  if (last?.mark === mark && last.top === top) return last;
  const ids = new Map<string, string>();
  for (const [, id, ref] of (untrustedText(packed, mostPacked) ?? "").matchAll(/^([0-9a-f]{40,64}) (refs\/.+)$/gm)) ids.set(ref!, id!);
  const symbolic: [ref: string, target: string][] = [];
  for (const ref of files) {
    const read = readUntrusted(join(commonDir, ref), { most: mostReference });
    if (read.kind === "refused") return undefined; // a pipe, for which git would wait, or a file without an end
    const text = read.kind === "read" ? read.bytes.toString("utf8") : "";
    const [, id, target] = /^(?:([0-9a-f]{40,64})|ref: *(\S+))\n?$/.exec(text) ?? [];
    if (target !== undefined) symbolic.push([ref, target]);
    else if (text !== "") ids.set(ref, id ?? notAnId(ref, text));
  }
  const isThere = new Set(files);
  for (const [ref, target] of symbolic) {
    const id = ids.get(target);
    // A branch without commits, unless git follows further than we do.
    if (id !== undefined || isThere.has(target) || !target.startsWith("refs/")) ids.set(ref, id ?? notAnId(ref, target));
  }
  const heads = checkouts.flatMap((path): [string, string][] => {
    const [id] = /^[0-9a-f]{40,64}(?=\n?$)/.exec(untrustedText(join(commonDir, path), mostReference) ?? "") ?? [];
    return id === undefined ? [] : [[path, id]];
  });
  return { top, mark, ids, heads: new Map(heads) };
}

const notAnId = (ref: string, text: string) => `${ref}\n${text}`;
const isId = (id: string) => /^[0-9a-f]+$/.test(id);

/** Of loose references, relative to the folder; undefined if there are too many. */
function referenceFiles(commonDir: string): string[] | undefined {
  const [files, folders]: [string[], string[]] = [[], ["refs"]];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const folder = at;
    for (const entry of ifPossible(() => readdirSync(join(commonDir, folder), { withFileTypes: true })) ?? [])
      if (!entry.name.endsWith(".lock")) (entry.isDirectory() ? folders : files).push(`${folder}/${entry.name}`);
    if (files.length + folders.length > mostReferences) return undefined;
  }
  return files;
}

/** Another one after each change, also of the content alone. */
function stamp(path: string): string {
  const stats = lstatSync(rawPath(path), { throwIfNoEntry: false, bigint: true });
  return `${path} ${stats?.ino} ${stats?.size} ${stats?.ctimeNs}`;
}

/** More of them in one command are named without being looked at. */
const mostMoved = 20;
const mostBytes = 16 * 1024 * 1024;
const mostFile = 1024 * 1024;

type Moved = { ref: string; id: string };

/**
 * References that name commits which none named before, with the special files that these bring: those that are in them as they are not in the
 * tree now. `files` is undefined where that could not be found out. What other machines have sent counts once a branch names it.
 */
export async function broughtBy(before: References, now: References, isSpecial: (path: string) => boolean): Promise<Brought[]> {
  const known = new Set(ownOf(before).map(({ id }) => id));
  const all = ownOf(now).filter(({ id }) => !known.has(id));
  const looked = all.filter(({ id }) => isId(id)).slice(0, mostMoved);
  const others = all.filter((moved) => !looked.includes(moved));
  const paths = looked.length > 0 ? await pathsOf(before, looked) : [];
  const special = paths?.filter((path) => isSpecial(asText(path)));
  if (special?.length === 0 && others.length === 0) return [];
  const found = special && (await filesOf(before, looked, special));
  const brought = looked.map(({ ref, id }, at): Brought => ({ name: nameOf(ref), id, files: found?.[at] }));
  const unread = others.map(({ ref, id }): Brought => ({ name: nameOf(ref), id: isId(id) ? id : undefined, files: undefined }));
  return [...brought.filter(({ files }) => files?.length !== 0), ...unread];
}

const ownOf = ({ ids }: References): Moved[] => [...ids].flatMap(([ref, id]) => (ref.startsWith("refs/remotes/") ? [] : [{ ref, id }]));

/** Of all files that the new commits change, as bytes; undefined if git failed. */
async function pathsOf(before: References, moved: Moved[]): Promise<string[] | undefined> {
  const earlier = new Set(ownOf(before).flatMap(({ id }) => (isId(id) ? `^${id}` : [])));
  const input = [...moved.map(({ id }) => id), ...earlier, ""].join("\n");
  const args = ["log", "--stdin", "--ignore-missing", "-c", "--root", "--name-only", "--no-renames", "--format=", "-z"];
  const { code, stdout } = await git(before.top, args, { input, headBytes: mostBytes });
  const fields = stdout.toString("latin1").split("\0");
  return code === 0 ? [...new Set(fields.map((path) => path.replace(/^\n/, "")))].filter(Boolean) : undefined;
}

/** For each reference, those of the files that are in it, otherwise than before and than in the tree; undefined if git failed. */
async function filesOf({ top, ids }: References, moved: Moved[], paths: string[]): Promise<string[][] | undefined> {
  if (paths.some((path) => path.includes("\n"))) return undefined; // git takes no such line
  const lines = moved.flatMap(({ ref, id }) => paths.flatMap((path) => [`${id}:${path}`, `${ids.get(ref) ?? id}:${path}`]));
  const input = Buffer.from(`${lines.join("\n")}\n`, "latin1");
  const { code, stdout } = await git(top, ["cat-file", "--batch-check=%(objectname)"], { input });
  if (code !== 0) return undefined;
  const answers = stdout.toString("latin1").split("\n");
  return moved.map(({ ref }, at) =>
    paths.map(asText).filter((path, index) => {
      const [id = "", old] = answers.slice(2 * (at * paths.length + index));
      return /^[0-9a-f]+$/.test(id) && !(ids.has(ref) && id === old) && id !== blobOf(join(top, path), id.length);
    }),
  );
}

const asText = (bytes: string) => Buffer.from(bytes, "latin1").toString("utf8");

const nameOf = (ref: string) => ref.replace(/^refs\/(?:heads|tags)\//, "");

/** git's name for the content that the file has now. */
function blobOf(path: string, length: number): string | undefined {
  const file = readUntrusted(path, { most: mostFile });
  if (file.kind !== "read") return undefined;
  return createHash(length === 40 ? "sha1" : "sha256")
    .update(`blob ${file.bytes.length}\0`)
    .update(file.bytes)
    .digest("hex");
}
