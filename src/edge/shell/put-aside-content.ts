// Shows the user what is in a file or folder that a command left and that was put aside. Links are not followed, and endless files are not
// read to their end.

import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { plural } from "../../wording/figures.ts";
import { ifPossible } from "../system-error.ts";

/** Lines in the form of a diff: `+` before a line of a file. `more`: how many lines are left out. */
export type PutAsideContent = { lines: string[]; more: number };

/** Never throws: what cannot be read is reported as such. */
export function putAsideContent(path: string): PutAsideContent {
  const stat = statOf(path);
  if (!stat?.isDirectory()) return entryLines(path, { stat, most: mostLines });
  const { files, unseen } = filesIn(path);
  const lines = files.flatMap((name) => {
    const at = join(path, name);
    const entry = entryLines(at, { stat: statOf(at), most: mostLinesOfEach });
    const rest = entry.more > 0 ? [`  ${plural(entry.more, "more line")}`] : [];
    return [`${name}:`, ...entry.lines, ...rest];
  });
  const all = [...(files.length === 0 ? ["(an empty folder)"] : lines), ...(unseen ? ["(there are more files than are listed here)"] : [])];
  return { lines: all.slice(0, mostLines), more: Math.max(0, all.length - mostLines) };
}

const mostLines = 400;
/** Limit for each file in a folder. */
const mostLinesOfEach = 20;
const mostFiles = 200;
/** Files and folders together: there may be any number of empty ones. */
const mostLookedAt = 2_000;
const mostBytes = 256 * 1024;

function entryLines(path: string, { stat, most }: { stat: Stats | undefined; most: number }): PutAsideContent {
  const only = (line: string) => ({ lines: [line], more: 0 });
  if (!stat) return only("(it cannot be read)");
  if (stat.isSymbolicLink()) return only(`(a link to ${ifPossible(() => readlinkSync(path)) ?? "what cannot be read"})`);
  if (!stat.isFile())
    return only(stat.isDirectory() ? "(a folder that cannot be read)" : "(not a regular file: a pipe, a socket or a device)");
  if (stat.size === 0) return only("(an empty file)");
  const bytes = ifPossible(() => firstBytes(path));
  if (bytes === undefined) return only("(it cannot be read)");
  if (bytes.includes(0)) return only(`(${plural(stat.size, "byte")} that are not text)`);
  const lines = bytes.toString("utf8").replace(/\n$/, "").split("\n");
  const cut = stat.size > bytes.length ? [`(${plural(stat.size - bytes.length, "more byte")})`] : [];
  const shown = lines.slice(0, most).map((line) => `+ ${line}`);
  return { lines: [...shown, ...(shown.length < lines.length ? [] : cut)], more: lines.length - shown.length };
}

function filesIn(folder: string): { files: string[]; unseen: boolean } {
  const files: string[] = [];
  let looked = 0;
  const walk = (inside: string): boolean => {
    for (const entry of entriesOf(join(folder, inside))) {
      if (files.length === mostFiles || ++looked > mostLookedAt) return false;
      const name = join(inside, entry.name);
      if (!entry.isDirectory()) files.push(name);
      else if (!walk(name)) return false;
    }
    return true;
  };
  return { unseen: !walk(""), files };
}

/** A command may leave an unreadable folder. */
function entriesOf(folder: string) {
  const entries = ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const statOf = (path: string) => ifPossible(() => lstatSync(path));

function firstBytes(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(Math.min(mostBytes, fstatSync(fd).size));
    return buffer.subarray(0, readSync(fd, buffer));
  } finally {
    closeSync(fd);
  }
}
