// Copies of files as they are before a command runs. A copy is whole under its name or not there, whenever the process is killed.
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CopyOutcome, SeenFile } from "../../agent/ports/at-stake.ts";
import { diskErrorWords, errorText } from "../../wording/error-text.ts";
import { holdFolder, holdingHere, PathMoved } from "../disk/held-folder.ts";
import { openFile } from "../disk/opened-file.ts";
import { rawPath } from "../disk/raw-path.ts";
import { codeOf, ifPossible } from "../system-error.ts";

export function seeFile(path: string): SeenFile | undefined {
  const found = ifPossible(() => lstatSync(rawPath(path), { bigint: true, throwIfNoEntry: false }));
  if (!found?.isFile()) return undefined;
  const { size, mode, ctimeMs, mtimeMs } = found;
  return {
    identity: identityOf(found),
    size: Number(size),
    mode: Number(mode) & 0o7777,
    changedMs: Number(ctimeMs),
    writtenMs: Number(mtimeMs),
  };
}

const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">) =>
  [dev, ino, size, mtimeNs, ctimeNs].join(" ");

/** The thread pool takes longer than copying that much. */
const smallBytes = 256 * 1024;

/** A file system that shares blocks between files copies none. */
export async function copyFileTo(path: string, { identity, size }: Pick<SeenFile, "identity" | "size">, to: string): Promise<CopyOutcome> {
  const temporary = `${to}.${process.pid}${temporaryEnd}`;
  let isCopied = false;
  try {
    const holding = holdingHere();
    const folder = holdFolder(dirname(path), holding);
    try {
      const opened = openFile(folder, path);
      if (opened.kind !== "open") return { kind: "changed" };
      try {
        if (identityOf(opened.stats) !== identity) return { kind: "changed" };
        const from = holding === "descriptor" ? `/proc/self/fd/${opened.fd}` : rawPath(path);
        if (size <= smallBytes) copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
        else await copyFile(from, temporary, constants.COPYFILE_FICLONE);
      } finally {
        closeSync(opened.fd);
      }
    } finally {
      folder.close();
    }
    chmodSync(temporary, 0o600);
    if (seeFile(path)?.identity !== identity) return { kind: "changed" };
    renameSync(temporary, to);
    isCopied = true;
    return { kind: "copied" };
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof PathMoved || code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return { kind: "changed" };
    return { kind: "failed", why: diskErrorWords(code) ?? errorText(error) };
  } finally {
    if (!isCopied) ifPossible(() => unlinkSync(temporary));
  }
}

const temporaryEnd = ".tmp";

/** Removes what killed processes left. Only one process copies into the folder. */
export function sweepCopies(folder: string): void {
  const names = ifPossible(() => readdirSync(folder)) ?? [];
  for (const name of names.filter((one) => one.endsWith(temporaryEnd))) ifPossible(() => rmSync(join(folder, name), { force: true }));
}
