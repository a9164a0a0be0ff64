// Files left by commands whose process was killed: where to look for them, and what the user is told.

import type { Entry, PathClass } from "../../permissions/sandbox/sandbox-view.ts";
import { whyAside } from "../../wording/why-aside.ts";
import type { OwnFolders } from "../ports/own-folders-port.ts";

export type LeftPlaces = {
  /** Folders that commands of this session may change. */
  writable: string[];
  classOf: (entry: Entry) => PathClass | undefined;
  /** Whether folders of installed packages are searched too. */
  packages: boolean;
  ownFolders?: OwnFolders | undefined;
};

/**
 * `failed`: each a sentence without its full stop. `back`: links that are where they were again. `away`: links that are not, what they
 * covered, and the folder that has that on record.
 */
export type Interrupted = {
  moved: { path: string; kept: string }[];
  failed: string[];
  back: string[];
  away: { link: string; place: string; record: string }[];
};

export function interruptedNotices({ moved, failed, back, away }: Interrupted): string[] {
  return [
    ...moved.map(
      ({ path, kept }) =>
        `A command left ${path} when its session was killed. It was moved to ${kept}: ${whyAside(path, "is executed later or sets rights")}. Look at it before you move it back.`,
    ),
    ...failed.map(
      (why) => `A session was killed while a command ran, and files that it left cannot be found: ${why}. Check with git status.`,
    ),
    ...back.map(
      (path) => `A command of an earlier session had moved ${path}, a link that protects or hides what it leads to. It has been put back.`,
    ),
    ...away.map(
      ({ link, place, record }) =>
        `A command of an earlier session has taken away the link ${link}. What it led to stays protected from commands: ${place}. Put the link back or, if it is to be gone, remove ${record} when no session runs.`,
    ),
  ];
}
