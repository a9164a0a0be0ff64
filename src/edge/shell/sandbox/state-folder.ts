// What the sandbox of an agent keeps on the disk, with a record of the process that it belongs to: what a killed one left goes at the next start.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { ProcessIdentity } from "../../../board/disk.ts";
import { removeEmptyFolder } from "../../disk/disk.ts";
import { writeNamed } from "../../disk/durable.ts";
import { removeFolder } from "../../disk/remove-folder.ts";
import { processes } from "../../processes/processes.ts";
import { ifPossible } from "../../system-error.ts";

/** Holds what commands left that runs later: it stays until the person looks at it. */
export const putAsideName = "put-aside";
/** The record of a command, while it runs. */
export const commandFile = "running.json";
const ownerName = "owner.json";
const blanks = { "": "", ".json": "{}\n", ".xml": "<settings/>\n" };

/** Of all sandboxes: what commands may take away, which links/taken-file.ts writes. The name of an agent's folder has a hyphen. */
export const linksFolder = (sandboxes: string) => join(sandboxes, "links");

/** Named by `temporaryIn` in agent/ports/mounts.ts. */
export const inPlan = (temporary: string) => `${temporary}-plan`;

/**
 * The folder that commands have for /tmp, beside which those of the mode plan have theirs. It is the same one when the agent's process was
 * killed and is restarted.
 */
export function ownTemporary(stateFolder: string): string {
  const path = join(stateFolder, "tmp");
  for (const folder of [path, inPlan(path)]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }
  const written = join(stateFolder, "owner.tmp");
  writeNamed(written, JSON.stringify(processes().self()));
  renameSync(written, join(stateFolder, ownerName));
  return realpathSync(path);
}

/**
 * A file that says nothing, to stand for one of that name: some programs give up where their settings cannot be read, Yarn and Maven among them. It is
 * there as long as the folder for temporary files is.
 */
export function blankFor(name: string, stateFolder: string): string {
  const blank = extname(name) in blanks ? (extname(name) as keyof typeof blanks) : "";
  const path = join(stateFolder, `blank${blank}`);
  if (!existsSync(path)) writeFileSync(path, blanks[blank], { mode: 0o444 });
  return path;
}

/** At the agent's end. What was put aside stays; what the disk refuses to remove, a later start removes. */
export function removeState(stateFolder: string, temporary: string): void {
  ifPossible(() => {
    for (const folder of [temporary, inPlan(temporary)]) removeFolder(folder);
    for (const name of [...Object.keys(blanks).map((name) => `blank${name}`), ownerName]) rmSync(join(stateFolder, name), { force: true });
    removeEmptyFolder(stateFolder);
  });
}

/**
 * Removes what processes left in `folder` that were killed, but for those that `isKept`: their agents may be restarted. A record of a command
 * that was interrupted is first for the session whose files it is about.
 */
export function sweepStateFolders(folder: string, isKept: (name: string) => boolean): void {
  const table = processes();
  for (const stateFolder of foldersIn(folder)) {
    const owner = isKept(basename(stateFolder)) ? undefined : ownerOf(stateFolder);
    if (!owner || table.liveness(owner).kind !== "gone" || existsSync(join(stateFolder, commandFile))) continue;
    ifPossible(() => sweepStateFolder(stateFolder)); // no start fails because of it; a later one sweeps on
  }
}

/** The record of the owner is removed last: should this process be killed too, the next one sweeps on. */
function sweepStateFolder(stateFolder: string): void {
  const names = readdirSync(stateFolder).filter((name) => name !== putAsideName && name !== ownerName);
  for (const name of names) removeFolder(join(stateFolder, name));
  rmSync(join(stateFolder, ownerName), { force: true });
  removeEmptyFolder(stateFolder);
}

/** Empty if no command has run yet. */
export const foldersIn = (folder: string) => ifPossible(() => readdirSync(folder).map((name) => join(folder, name))) ?? [];

const ownerOf = (stateFolder: string) =>
  ifPossible(() => JSON.parse(readFileSync(join(stateFolder, ownerName), "utf8")) as ProcessIdentity);
