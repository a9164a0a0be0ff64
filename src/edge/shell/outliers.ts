// Which files below the working directories are not like the others for a search or a pattern of names: they hold secrets by their names,
// have names that a shell takes apart, or are links that lead elsewhere. Each folder is read again only where it has changed.
import { realpathSync } from "node:fs";
import type { Outliers } from "../../permissions/outliers.ts";
import type { Entry } from "../../permissions/sandbox-view.ts";
import { classifiedTree } from "./sandbox/tree.ts";

export type OutlierNames = { isSensitive: (path: string) => boolean; isSplit: (path: string) => boolean };

/** Undefined if there is too much to look through. Packages are passed over: what they bring is public. */
export function outliers(roots: string[], { isSensitive, isSplit }: OutlierNames): () => Outliers | undefined {
  const isOutlier = ({ path, kind }: Entry) => kind === "link" || isSplit(path) || (kind !== "folder" && isSensitive(path));
  const look = classifiedTree(roots, {
    packages: false,
    classOf: (entry) => (isOutlier(entry) ? { visibility: "normal", rules: true } : undefined),
  });
  return () => {
    const found = look();
    if (found.kind !== "seen") return undefined;
    const entries = found.entries.filter(({ path }) => !packages.test(path));
    return {
      sensitive: entries.filter(({ path, kind }) => kind !== "folder" && isSensitive(path)).map(({ path }) => path),
      split: entries.filter(({ path }) => isSplit(path)).map(({ path, kind }) => ({ path, kind })),
      links: entries.flatMap(({ path, kind }) => (kind === "link" ? targetOf(path) : [])),
    };
  };
}

/** None if it leads nowhere. */
function targetOf(path: string): Outliers["links"] {
  try {
    return [{ path, target: realpathSync(path) }];
  } catch {
    return [];
  }
}

const packages = /\/(?:node_modules|site-packages|\.venv|venv|\.tox|vendor|target|\.git)\//;
