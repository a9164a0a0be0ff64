// Waking up when something changes in a folder: the system's notices, and a slow poll beneath them for file systems that give none.
import { type FSWatcher, statSync, watch as watchFolder } from "node:fs";
import type { Watch } from "../../board/disk.ts";

/** The folders are watched, never files in them: a watched file is lost when it is replaced by a rename. */
export const watch: Watch = {
  /** Call this before the first look at the folders, or a change between the two waits for the poll. */
  watch: (folders, onChange, { pollMs }) => {
    let scheduled: NodeJS.Immediate | undefined;
    // One change makes several notices, and they come in one batch: whoever is called once after it has seen them all.
    const changed = () => {
      scheduled ??= setImmediate(() => {
        scheduled = undefined;
        onChange();
      });
    };
    const places = folders.map((folder) => place(folder, changed));
    for (const { renew } of places) renew();
    const poll = setInterval(() => {
      for (const { renew } of places) renew();
      changed();
    }, pollMs);
    return () => {
      clearInterval(poll);
      clearImmediate(scheduled);
      for (const { close } of places) close();
    };
  },
};

/** One folder, which may not be there yet, may go, and may be made again. */
function place(folder: string, changed: () => void): { renew: () => void; close: () => void } {
  let watched: { watcher: FSWatcher; identity: string } | undefined;
  const close = () => {
    watched?.watcher.close();
    watched = undefined;
  };
  const renew = () => {
    try {
      const identity = identityOf(folder);
      if (identity === watched?.identity) return;
      close();
      if (identity === undefined) return;
      const watcher = watchFolder(folder, changed);
      watcher.on("error", close);
      watched = { watcher, identity };
    } catch {
      // The folder went in between, or the system has no watch left: the poll continues and tries again.
      close();
    }
  };
  return { renew, close };
}

/** A folder made again may get the same inode number, but not the same birth. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}
