// A cover is a mount on a file, and goes with it: where another program puts a new file, as editors and `git config` do, the kernel takes the
// mount away in the sandbox too, and a command that runs there could read or change what has the name now.
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { SandboxInputs } from "../../../agent/ports/mounts.ts";
import { isBelow } from "./closed-folders.ts";
import { existing } from "./new-entries.ts";

export type Covers = {
  /** Aborts as soon as a look finds something else in the place of one. */
  lost: AbortSignal;
  /** Returns those that have gone without anything in their place: what comes there later is new. */
  look(): string[];
  /** What to say about those that were lost, a sentence each without its full stop. */
  said(): string[];
  /** In which a change may mean that one is lost. */
  folders: string[];
};

/**
 * Of a command that starts now. A file below a covered folder stays covered by that, and what a worker may not change is no secret and does not run.
 * `secrets`: where it can write nothing, so that whatever comes there is the person's; through links.
 */
export function coversOf(exceptions: SandboxInputs["exceptions"], secrets: string[] = []): Covers {
  const covered = exceptions.filter(({ visibility, others }) => visibility !== "normal" && !others);
  const folders = covered.filter(({ kind }) => kind === "folder").map(({ path }) => path);
  const outermost = covered.filter(({ path }) => !isBelow(path, folders));
  const before = new Map(secrets.map((path) => [path, coverOf(endIdentity, path, true)]));
  for (const { path, visibility } of outermost) before.set(path, coverOf(identityOf, path, visibility === "hidden"));
  const lost = new AbortController();
  const gone = new Set<string>();
  const said: string[] = [];
  return {
    lost: lost.signal,
    look() {
      const goneNow: string[] = [];
      for (const [path, { identityAt, identity, isHidden }] of before) {
        const now = identityAt(path);
        if (now === identity || (now === undefined && gone.has(path))) continue;
        if (now === undefined) goneNow.push(path);
        else said.push(identity === undefined ? isNew(path) : gone.has(path) ? isBack(path) : isReplaced(path));
        // A command cannot remove it, and so what comes back is the person's. A protected one is moved away then, a secret would be read.
        if (now === undefined && isHidden) gone.add(path);
        else before.delete(path);
      }
      if (said.length > 0) lost.abort();
      return goneNow;
    },
    said: () => said,
    folders: [...new Set([...outermost.map(({ path }) => path), ...secrets].map(dirname))].slice(0, mostWatched),
  };
}

const coverOf = (identityAt: typeof identityOf, path: string, isHidden: boolean) => ({ identityAt, identity: identityAt(path), isHidden });

const isNew = (path: string) => `${path} came up while a command ran, which could read it: ${wasEnded}`;
const isReplaced = (path: string) =>
  `another program replaced ${path} while a command ran, which could read and change it from then on: ${wasEnded}`;
const isBack = (path: string) =>
  `${path} was removed while a command ran, which could read and change what has that name since: ${wasEnded}`;
const wasEnded = "the command was ended. Look whether it says what it should, then run the command again";

/** Others are looked at when the tree is. */
const mostWatched = 20;

/** A mount covers a file, not a name: a new file under the same name is not covered, even if it has the same inode number. */
export function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

/** Of what is there through links, and of where it is: a link to the same file may be another one. */
const endIdentity = (path: string) => existing(path).map((end) => `${end.path} ${identityOf(end.path)}`)[0];
