// Lists exceptional files below the working directories, which a search or glob must not include unnoticed: files with names of secrets, and
// links that lead elsewhere. A folder is read again only if it has changed.
import { readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Outliers } from "../../permissions/commands/command-decision.ts";
import type { Entry } from "../../permissions/sandbox/sandbox-view.ts";
import { ifPossible } from "../system-error.ts";
import { classifiedTree } from "./sandbox/tree.ts";

/** Undefined if there is too much to search. What is in folders of installed packages is public, so that a search from above need not ask. */
export function outliers(roots: string[], isSensitive: (path: string) => boolean): () => Outliers | undefined {
  const isOutlier = ({ path, kind }: Entry) => kind === "link" || (kind !== "folder" && isSensitive(path));
  const look = classifiedTree(roots, {
    packages: false,
    classOf: (entry) => (isOutlier(entry) ? { visibility: "normal", rules: true } : undefined),
  });
  return () => {
    const found = look();
    if (found.kind !== "seen") return undefined;
    return {
      sensitive: found.entries.filter(({ path, kind }) => kind !== "folder" && isSensitive(path)).map(({ path }) => path),
      links: found.entries.flatMap(({ path, kind }) => (kind === "link" ? targetOf(path) : [])),
      packages(path) {
        const root = roots.find((each) => path.startsWith(`${each}/`)) ?? ""; // which may itself be in such a folder
        const rest = path.slice(root.length);
        return rest.includes("/node_modules/") ? "unread" : packages.test(rest) ? "read" : undefined;
      },
    };
  };
}

/** Of a dangling link, the place that a program would create. */
const targetOf = (path: string): Outliers["links"] => {
  const target = ifPossible(() => realpathSync(path)) ?? ifPossible(() => resolve(realpathSync(dirname(path)), readlinkSync(path)));
  return target === undefined ? [] : [{ path, target }];
};

const packages = /\/(?:node_modules|site-packages|\.venv|venv|\.tox|vendor|target|\.git)\//;
