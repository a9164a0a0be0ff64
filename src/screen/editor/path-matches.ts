// Finds the paths that match what was typed after an @.
import { isSensitiveName } from "../../permissions/paths/places.ts";

/**
 * Paths and folders that begin with `typed`, then those with a name that begins with it, then those that contain it; short ones first. A file that
 * usually holds secrets is offered only after the beginning of its name has been typed.
 */
export function pathMatches(paths: string[], typed: string, atMost = 50): string[] {
  const wanted = typed.toLowerCase();
  const name = wanted.slice(wanted.lastIndexOf("/") + 1);
  const isOffered = (path: string) => !isSensitiveName(path) || (name.length > 1 && path.toLowerCase().startsWith(wanted));
  const ranked = withFolders(paths).flatMap((path) => {
    if (!isOffered(path)) return [];
    const rank = rankOf(path.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ path, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return ranked.slice(0, atMost).map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0;
  if (path.includes(`/${wanted}`)) return 1;
  return path.includes(wanted) ? 2 : undefined;
}

/** Adds each parent folder once, with a slash at its end. */
function withFolders(paths: string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders, ...paths];
}
