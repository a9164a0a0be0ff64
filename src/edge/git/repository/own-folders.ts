// Repositories whose own folder is not called `.git`, as a bare one's is not: what lies in one has its role for git under any name.
import { basename } from "node:path";
import type { FoundOwnFolders } from "../../../agent/ports/own-folders-port.ts";
import { isRepository } from "../places.ts";

/** Of one agent. A repository that a command makes is none to it before it is learned. */
export function ownFolders(): FoundOwnFolders {
  const known = new Set<string>();
  const asKnown = (path: string) => {
    for (const folder of known) {
      if (!path.startsWith(folder)) continue;
      const below = path.slice(folder.length);
      if (below === "" || gitsOwn.test(below)) return `${folder}/.git${below}`;
    }
    return path;
  };
  return {
    asGit(path) {
      const named = asKnown(path);
      return named === path ? asFound(path) : named;
    },
    ownFolders: {
      asGit: asKnown,
      learn(folders) {
        const before = known.size;
        for (const folder of folders) if (!isCalledGit(folder)) known.add(folder);
        return known.size > before;
      },
    },
  };
}

const isCalledGit = (folder: string) => basename(folder).toLowerCase() === ".git";

/** The outermost repository counts that is there now. */
function asFound(path: string): string {
  for (const { index } of path.matchAll(eachOfGits)) {
    const folder = path.slice(0, index);
    if (!isCalledGit(folder) && isRepository(folder)) return `${folder}/.git${path.slice(index)}`;
  }
  return path;
}

/** gitrepository-layout(5). Any other name is as the tree around it: worktrees are often kept in a bare repository. */
const names =
  "HEAD|index|hooks|info|config|config\\.worktree|commondir|objects|refs|logs|lfs|remotes|branches|worktrees|modules|rebase-merge|rebase-apply|sequencer|packed-refs|shallow|[a-z_]+_(?:HEAD|EDITMSG|MSG|MODE)";
const gitsOwn = new RegExp(`^/(?:${names})(?:/|$)`, "i");
const eachOfGits = new RegExp(`/(?:${names})(?=/|$)`, "gi");
