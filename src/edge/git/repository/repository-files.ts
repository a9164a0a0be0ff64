// Files of a repository as git knows them: staged, changed, tracked.
import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { IgnoredPath, ScannedFile, UnreadPath } from "../../../secrets/scan-files.ts";
import { diskErrorWords } from "../../../wording/error-text.ts";
import { unless } from "../../system-error.ts";
import { git } from "../own-git.ts";
import { readUntrusted } from "../untrusted-file.ts";

/** Of larger files only the beginning is read: no key is that long, and a scan must end. */
const largestBytes = 20 * 1024 * 1024;
const headBytes = 8192;

/**
 * Files whose staged content differs from the last commit; paths are relative to the repository's root. Throws if there is no repository.
 */
export async function stagedFiles(folder: string): Promise<ScannedFile[]> {
  const { code, stderr } = await git(folder, ["rev-parse", "--git-dir"]);
  if (code !== 0) throw Object.assign(new Error(stderr.trim().replace(/^fatal: /, "")), { code: "ENOTREPOSITORY" });
  const raw = await git(folder, ["diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff"]);
  if (raw.code !== 0) return [];
  const fields = raw.stdout.toString("utf8").split("\0");
  const entries: { path: string; id: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode, , id = ""] = fields[at]!.split(" ");
    entries.push({ path: fields[at + 1]!, id: mode === "160000" ? "" : id }); // the commit of a submodule is not content of this repository
  }
  const { kept, large } = await bySize(folder, entries);
  const heads = large.map(async ({ path, id }) => cut(path, (await git(folder, ["cat-file", "blob", id], { headBytes })).stdout));
  return [...(await contentsOf(folder, kept)), ...(await Promise.all(heads))];
}

type Wanted = { path: string; id: string };

/** Contents by object id. Missing objects, other types and large files are left out. Throws if git fails. */
export async function blobs(folder: string, wanted: Wanted[]): Promise<ScannedFile[]> {
  return contentsOf(folder, (await bySize(folder, wanted)).kept);
}

async function bySize(folder: string, wanted: Wanted[]): Promise<{ kept: Wanted[]; large: Wanted[] }> {
  const named = wanted.filter(({ id }) => /[1-9a-f]/.test(id) && !id.includes("\n"));
  if (named.length === 0) return { kept: [], large: [] };
  const sizes = await git(folder, ["cat-file", "--batch-check=%(objecttype) %(objectsize)"], { input: lines(named) });
  if (sizes.code !== 0) throw new Error(`Cannot read what is in the repository: ${sizes.stderr.trim()}`);
  const answers = sizes.stdout.toString("utf8").split("\n");
  const sizeOf = (at: number) => Number(/^(?:blob|commit) (\d+)$/.exec(answers[at] ?? "")?.[1]);
  return { kept: named.filter((_, at) => sizeOf(at) <= largestBytes), large: named.filter((_, at) => sizeOf(at) > largestBytes) };
}

const lines = (some: Wanted[]) => `${some.map(({ id }) => id).join("\n")}\n`;

async function contentsOf(folder: string, kept: Wanted[]): Promise<ScannedFile[]> {
  if (kept.length === 0) return [];
  const read = await git(folder, ["cat-file", "--batch"], { input: lines(kept) });
  if (read.code !== 0) throw new Error(`Cannot read what is in the repository: ${read.stderr.trim()}`);
  const contents = parseBatch(read.stdout);
  return kept.flatMap(({ path }, at) => (contents[at] ? [{ path, bytes: contents[at] }] : []));
}

/** `<id> <type> <size>\n<content>\n`, repeated. */
export function parseBatch(output: Buffer): (Buffer | undefined)[] {
  const contents: (Buffer | undefined)[] = [];
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf(10, at);
    if (lineEnd === -1) break;
    const size = /^\S+ \w+ (\d+)$/.exec(output.toString("utf8", at, lineEnd))?.[1];
    at = lineEnd + 1;
    contents.push(size === undefined ? undefined : output.subarray(at, at + Number(size)));
    if (size !== undefined) at += Number(size) + 1;
  }
  return contents;
}

/** The files at these paths: a file itself; in a folder, those that git does not ignore and the names of the others, or all of them outside a repository. */
export async function* filesBelow(cwd: string, paths: string[]): AsyncGenerator<ScannedFile | UnreadPath | IgnoredPath> {
  for (const path of paths) {
    const absolute = join(path.startsWith("/") ? "/" : cwd, path);
    if (!lstatSync(absolute).isDirectory()) {
      yield* fileAt(cwd, path.startsWith("/") ? path : relative(cwd, absolute));
      continue;
    }
    const listed = await git(absolute, ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z"]);
    // An ignored folder that is named explicitly is meant with its contents.
    const isIgnored = listed.stdout.length === 0 && (await git(absolute, ["check-ignore", "--quiet", "."])).code === 0;
    const closed = unopened(listed.stderr);
    const below = listed.code === 0 && !isIgnored ? names(listed.stdout) : [...walk(absolute, "", closed)];
    for (const name of below) for (const file of fileAt(absolute, name)) yield { ...file, path: join(path, name) };
    if (listed.code === 0 && !isIgnored) for (const name of await ignoredBelow(absolute)) yield { path: join(path, name), ignored: true };
    for (const folder of new Set(closed)) yield { path: join(path, folder), why: denied };
  }
}

/** A folder of which git ignores everything is one name. */
async function ignoredBelow(folder: string): Promise<string[]> {
  const listed = await git(folder, ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]);
  return listed.code === 0 ? names(listed.stdout) : [];
}

const denied = diskErrorWords("EACCES")!;

/** The folders that git passed over because it may not read them: git only warns about them. */
export function unopened(stderr: string): string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.+)': Permission denied$/gm)].map(([, folder]) => folder!);
}

/** Folders that may not be read are added to `closed`. */
function* walk(folder: string, below: string, closed: string[]): Generator<string> {
  const entries = unlessDenied(() => readdirSync(join(folder, below), { withFileTypes: true }));
  if (entries === undefined) closed.push(below);
  for (const entry of entries ?? []) {
    const path = join(below, entry.name);
    if (entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules") yield* walk(folder, path, closed);
    else if (entry.isFile()) yield path;
  }
}

/** Empty if it is missing or not a regular file. */
function fileAt(folder: string, path: string): (ScannedFile | UnreadPath)[] {
  const absolute = path.startsWith("/") ? path : join(folder, path);
  const found = readUntrusted(absolute, { most: largestBytes, head: headBytes });
  if (found.kind === "read") return [found.isCut ? cut(path, found.bytes) : { path, bytes: found.bytes }];
  return found.kind === "refused" && found.code === "EACCES" ? [{ path, why: denied }] : [];
}

const cut = (path: string, bytes: Buffer): ScannedFile => ({ path, bytes, isCut: true });

/** Undefined if the system denies it. */
const unlessDenied = <T>(work: () => T): T | undefined => unless("EACCES", work, undefined);

const names = (output: Buffer) => output.toString("utf8").split("\0").filter(Boolean);
