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

/** `failed`: each a sentence without its full stop. */
export type Interrupted = { moved: { path: string; kept: string }[]; failed: string[] };

export function interruptedNotices({ moved, failed }: Interrupted): string[] {
  return [
    ...moved.map(
      ({ path, kept }) =>
        `A command left ${path} when its session was killed. It was moved to ${kept}: ${whyAside(path, "is executed later or sets rights")}. Look at it before you move it back.`,
    ),
    ...failed.map(
      (why) => `A session was killed while a command ran, and files that it left cannot be found: ${why}. Check with git status.`,
    ),
  ];
}
