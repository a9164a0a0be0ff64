// Moves files that appeared during a command, and could run later or change an agent's rights, out of the tree at once, and back if the
// user allows it. Commands may change the tree meanwhile: a link that they put into a path redirects neither move.

import { lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { PutAside } from "../../agent/ports/sandbox-port.ts";
import { type HeldFolder, holdFolder, holdingHere, holdNewFolder, PathMoved } from "../disk/held-folder.ts";
import { rawPath, textOf } from "../disk/raw-path.ts";
import { removeFolder } from "../disk/remove-folder.ts";
import { isIndexName } from "../git/repository/gitlinks.ts";
import { readUntrusted } from "../git/untrusted-file.ts";
import { codeOf, ifPossible } from "../system-error.ts";
import { carry, carryMissing } from "./carry.ts";
import { type PutAsideContent, putAsideContent } from "./put-aside-content.ts";
import { giveRights } from "./sandbox/closed-folders.ts";
import { isPacked } from "./sandbox/tree.ts";

type Options = {
  /** Belongs to this session and is created on first use, 0700; earlier contents stay. */
  folder: string;
  /** Called just before it is moved. */
  note: (aside: PutAside) => void;
};

/** `path` has no links. Undefined if it is gone, or moved elsewhere: then the next look finds it there. */
export function putAside(path: string, { folder, note }: Options): PutAside | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const last = Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0));
  const aside = { path, kept: join(folder, `${last + 1}-${basename(path).slice(0, 60).toWellFormed()}`) };
  try {
    return unpacked(aside, note) ?? moveAside(aside, note);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    // Moving it out requires that its folder is writable, even if the command has removed that right.
    return unlessGone(() => giveRights(dirname(path), 0o700)) ? moveAside(aside, note) : undefined;
  }
}

/**
 * Of packed references only those go that replace objects, as the loose ones that they stand for: a repository needs the others. Undefined if it
 * is no such file. Throws while another git holds its lock.
 */
function unpacked({ path, kept }: PutAside, note: Options["note"]): PutAside | undefined {
  const read = isPacked(path) ? readUntrusted(path, { most: mostPacked }) : undefined;
  if (read?.kind !== "read") return undefined;
  const text = read.bytes.toString("latin1");
  const aside = { path: join(dirname(path), "refs/replace"), kept };
  note(aside);
  mkdirSync(kept, { mode: 0o700 });
  for (const [, id = "", name = ""] of text.matchAll(/^([0-9a-f]+) refs\/replace\/([0-9a-f]+)$/gm))
    writeFileSync(join(kept, name), `${id}\n`);
  const folder = holdFolder(dirname(path), holdingHere());
  try {
    const lock = folder.child("packed-refs.lock");
    const rest = text.replaceAll(/^\S+ refs\/replace\/.*\n?(?:\^.*\n?)?/gm, ""); // with what a tag leads to
    writeFileSync(rawPath(lock), rest, { encoding: "latin1", flag: "wx" });
    renameSync(rawPath(lock), rawPath(folder.child(basename(path))));
  } finally {
    folder.close();
  }
  return aside;
}

const mostPacked = 256 * 1024 * 1024;

function moveAside(aside: PutAside, note: Options["note"]): PutAside | undefined {
  const parent = unlessGone(() => holdFolder(dirname(aside.path), holdingHere()));
  if (!parent) return undefined;
  const from = parent.child(basename(aside.path));
  try {
    if (!isThere(from)) return undefined;
    note(aside);
    if (move(from, aside.kept, mostCopied)) return aside;
    const name = nameBeside(parent, basename(aside.path));
    const beside = { ...aside, kept: join(dirname(aside.path), name) };
    note(beside);
    renameSync(rawPath(from), rawPath(parent.child(name)));
    return beside;
  } catch (error) {
    if (isThere(from)) throw error;
    return undefined;
  } finally {
    parent.close();
  }
}

function unlessGone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PathMoved || ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/**
 * As a copy, if that says what a person has been `shown`: a command may have given the file itself another name before, or hold it open, and
 * change it while the person reads. Throws if something else has its name by now.
 */
export function putBack({ path, kept }: PutAside, shown: PutAsideContent): void {
  const parent = holdNewFolder(dirname(path), holdingHere());
  try {
    const to = parent.child(basename(path));
    if (isThere(to)) throw new Error("something else is there by now");
    const copy = `${kept}.copy`;
    carry(kept, copy);
    const isShown = isDeepStrictEqual(putAsideContent(copy), shown);
    renameSync(copy, isShown ? kept : `${kept}.changed`);
    if (!isShown) throw new Error(`it was changed after it had been shown, and is now ${kept}.changed`);
    move(kept, to, Number.POSITIVE_INFINITY);
  } finally {
    parent.close();
  }
}

const isThere = (path: string) => lstatSync(rawPath(path), { throwIfNoEntry: false }) !== undefined;

/**
 * If the same path appears several times while a command runs, it is asked about once, as the newest. Nothing is lost: folders that agree
 * become one, and what does not agree is kept beside it, since it may be the person's.
 */
export function joined(first: PutAside, next: PutAside): PutAside {
  const isOne = ifPossible(() => {
    if (!agree(first.kept, next.kept)) return false;
    if (lstatSync(first.kept).isDirectory()) carryMissing(next.kept, first.kept);
    return true;
  });
  if (!isOne) return { ...next, earlier: [...(first.earlier ?? []), first.kept] };
  removeFolder(next.kept);
  return first;
}

/** Whether they are the same, or folders of which neither has a file that the other has differently. */
function agree(one: string, other: string): boolean {
  const [a, b] = [lstatSync(one), lstatSync(other)];
  if (a.isDirectory() && b.isDirectory()) {
    const names = new Set(readdirSync(one));
    return readdirSync(other).every((name) => !names.has(name) || agree(join(one, name), join(other, name)));
  }
  if (a.isSymbolicLink() && b.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other);
  if (!a.isFile() || !b.isFile() || a.size !== b.size) return false;
  const [said, says] = [one, other].map((path) => readUntrusted(path, { most: mostCompared })); // it may be a pipe by now
  return said?.kind === "read" && says?.kind === "read" && said.bytes.equals(says.bytes);
}

const mostCompared = 16 * 1024 * 1024;

/** False if it would have to be copied to another file system, and has more than `most` bytes. */
function move(from: string, to: string, most: number): boolean {
  try {
    renameSync(rawPath(from), rawPath(to));
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    if (bytesIn(from, most) > most) return false;
    carry(from, to);
  }
  return true;
}

/** A command may make a file of any size, holes or not, on which a copy would spend time and room. */
const mostCopied = 64 * 1024 * 1024;

/** With all that is in it, each as at least a block; no more is counted than up to `most`. */
function bytesIn(path: string, most: number): number {
  const stats = lstatSync(rawPath(path));
  let bytes = Math.max(4096, stats.size);
  if (!stats.isDirectory()) return bytes;
  for (const name of readdirSync(rawPath(path), "buffer")) {
    if (bytes > most) break;
    bytes += bytesIn(join(path, textOf(name)), most - bytes);
  }
  return bytes;
}

/** What counts by its name does not count by this one: git reads an index by its own alone, and so do programs their settings. */
function nameBeside(folder: HeldFolder, name: string): string {
  const names = new Set(readdirSync(folder.self));
  const first = isIndexName(name)
    ? "index"
    : name
        .replace(/\.\d+\.aside$/, "")
        .slice(0, 60)
        .toWellFormed();
  for (let n = 1; ; n++) if (!names.has(`${first}.${n}.aside`)) return `${first}.${n}.aside`;
}
