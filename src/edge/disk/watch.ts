// Wakes up when something changes in a folder: by notifications of the system, and by a slow poll for file systems without them.
import { type FSWatcher, statSync, watch as watchFolder } from "node:fs";
import type { Watch } from "../../board/disk.ts";

/** Watches folders, never files in them: the watch on a file is lost when a rename replaces it. */
export const watch: Watch = {
  /** Call this before the first look at the folders; a change between the two would be noticed only by the poll. */
  watch: (folders, onChange, { pollMs }) => {
    let scheduled: NodeJS.Immediate | undefined;
    // One change causes several notifications in one batch: the callback runs once after all of them.
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

/** One folder, which may not exist yet, may be removed, and may be created again. */
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
      // The folder was removed meanwhile, or the system has no watches left: the poll continues and tries again.
      close();
    }
  };
  return { renew, close };
}

/** A folder that is created again may get the same inode number, but has another birth time. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}
