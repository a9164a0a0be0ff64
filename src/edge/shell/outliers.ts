// Lists exceptional files below the working directories, which a search or glob must not include unnoticed: files with names of secrets, and
// links that lead elsewhere. A folder is read again only if it has changed.
import { readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Outliers } from "../../permissions/commands/command-decision.ts";
import type { Entry } from "../../permissions/sandbox/sandbox-view.ts";
import { ifPossible } from "../system-error.ts";
import { classifiedTree } from "./sandbox/tree.ts";

/** Undefined if there is too much to search. Folders of installed packages are skipped, because their content is public. */
export function outliers(roots: string[], isSensitive: (path: string) => boolean): () => Outliers | undefined {
  const isOutlier = ({ path, kind }: Entry) => kind === "link" || (kind !== "folder" && isSensitive(path));
  const look = classifiedTree(roots, {
    packages: false,
    classOf: (entry) => (isOutlier(entry) ? { visibility: "normal", rules: true } : undefined),
  });
  return () => {
    const found = look();
    if (found.kind !== "seen") return undefined;
    const entries = found.entries.filter(({ path }) => !packages.test(path));
    const links = found.entries.flatMap(({ path, kind }) => (kind === "link" ? targetOf(path) : []));
    return {
      sensitive: entries.filter(({ path, kind }) => kind !== "folder" && isSensitive(path)).map(({ path }) => path),
      links: links.filter(({ path }) => !packages.test(path)),
      everyLink: links,
    };
  };
}

/** Of a dangling link, the place that a program would create. */
const targetOf = (path: string): Outliers["links"] => {
  const target = ifPossible(() => realpathSync(path)) ?? ifPossible(() => resolve(realpathSync(dirname(path)), readlinkSync(path)));
  return target === undefined ? [] : [{ path, target }];
};

const packages = /\/(?:node_modules|site-packages|\.venv|venv|\.tox|vendor|target|\.git)\//;
