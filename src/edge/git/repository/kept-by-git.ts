// Whether git has stored the current version of a file, or of everything in a folder, so that removing it loses nothing. Asks git only for
// its index, which starts no program of a repository; contents are compared here.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { KeptByGit } from "../../../permissions/commands/kept-files.ts";
import { unless } from "../../system-error.ts";
import { git } from "../own-git.ts";
import { readUntrusted } from "../untrusted-file.ts";

const mostFiles = 5_000;
const mostBytes = 64 * 1024 * 1024;

/** Links are not followed. False for what cannot be read or is too much to compare. */
export const keptByGit: KeptByGit = async (path, { isOurs = () => false, ignored = false } = {}) => {
  try {
    if (!unless("ENOTDIR", () => lstatSync(path, { throwIfNoEntry: false }), undefined)) return true;
    const files = filesBelow(path)?.filter(({ file }) => !isOurs(file));
    if (!files) return false;
    if (files.length === 0) return true;
    const index = await indexed(path);
    const isStored = files.every(({ file, bytes }) => {
      const id = index.get(file);
      const now = id === undefined ? undefined : bytes();
      return now !== undefined && id === blobId(now, id!.length);
    });
    return isStored || (ignored && (await isIgnored(path)));
  } catch {
    return false; // removed or changed meanwhile, or not readable
  }
};

/** `bytes`: undefined if another file is there by then. */
type Content = { file: string; bytes: () => Buffer | undefined };

/** Undefined if it contains special files or another repository, or is too much. */
function filesBelow(top: string): Content[] | undefined {
  const found: Content[] = [];
  let size = 0;
  const open = [top];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = path;
    const stats = lstatSync(file);
    if (/\/\.git$/i.test(file)) return undefined;
    if (stats.isDirectory()) open.push(...readdirSync(file).map((name) => join(file, name)));
    else if (stats.isSymbolicLink()) found.push({ file, bytes: () => readlinkSync(file, "buffer") });
    else if (stats.isFile()) {
      size += stats.size;
      found.push({ file, bytes: () => bytesOf(file, stats.size) });
    } else return undefined;
    if (found.length > mostFiles || size > mostBytes) return undefined;
  }
  return found;
}

function bytesOf(file: string, most: number): Buffer | undefined {
  const found = readUntrusted(file, { most });
  return found.kind === "read" ? found.bytes : undefined;
}

/** The object ids of each file at or below the path, from the index. A file with a merge conflict has several. */
async function indexed(path: string): Promise<Map<string, string>> {
  const folder = dirname(path);
  const { code, stdout } = await git(folder, ["--literal-pathspecs", "ls-files", "--stage", "-z", "--", basename(path)]);
  const entries = code === 0 ? stdout.toString("utf8").split("\0").filter(Boolean) : [];
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      const [, mode, id = "", name = ""] = /^(\d+) ([0-9a-f]+) 0\t(.*)$/s.exec(entry) ?? [];
      return mode === undefined || mode === "160000" ? [] : [[join(folder, name), id]];
    }),
  );
}

async function isIgnored(path: string): Promise<boolean> {
  const { code } = await git(dirname(path), ["check-ignore", "-q", "--", basename(path)]);
  return code === 0;
}

export function blobId(bytes: Buffer, length: number): string {
  return createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}
