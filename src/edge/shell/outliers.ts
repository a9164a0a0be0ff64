// Lists exceptional files below the working directories, which a search or glob must not include unnoticed: files with names of secrets, and
// links that lead elsewhere. A folder is read again only if it has changed.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
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
    const isPackages = holdingPackages();
    return {
      sensitive: found.entries.filter(({ path, kind }) => kind !== "folder" && isSensitive(path)).map(({ path }) => path),
      links: found.entries.flatMap(({ path, kind }) => (kind === "link" ? targetOf(path) : [])),
      packages(path) {
        const root = roots.find((each) => path.startsWith(`${each}/`)) ?? ""; // which may itself be in such a folder
        const rest = path.slice(root.length);
        const folders = rest.split("/").flatMap((_, at, names) => (at > 1 ? root + names.slice(0, at).join("/") : []));
        return rest.includes("/node_modules/") ? "unread" : folders.some(isPackages) ? "read" : undefined;
      },
    };
  };
}

/** Of a dangling link, the place that a program would create. */
const targetOf = (path: string): Outliers["links"] => {
  const target = ifPossible(() => realpathSync(path)) ?? ifPossible(() => resolve(realpathSync(dirname(path)), readlinkSync(path)));
  return target === undefined ? [] : [{ path, target }];
};

/** Names of folders of installed packages, and of the files one of which shows it: a project may have a folder of its own with such a name. */
const shownBy: Record<string, string[]> = {
  "site-packages": ["."],
  ".tox": ["."],
  ".git": ["."],
  ".venv": ["pyvenv.cfg"],
  venv: ["pyvenv.cfg"],
  vendor: ["../go.mod", "../composer.json", "../Gemfile", "../Cargo.toml"],
  target: ["../Cargo.toml", "../pom.xml", "../build.sbt"],
};

/** Looks once for each folder. */
function holdingPackages(): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  return (folder) => {
    const isThere = (name: string) => ifPossible(() => lstatSync(join(folder, name))) !== undefined;
    const isIt = known.get(folder) ?? (Object.hasOwn(shownBy, basename(folder)) && shownBy[basename(folder)]!.some(isThere));
    known.set(folder, isIt);
    return isIt;
  };
}
