// Which files below the working directories hold secrets by their names: a search without a rule may not come to them. Each folder is
// read again only where it has changed.
import { standingTree } from "./sandbox/tree.ts";

/** Undefined where there is too much to look through. Packages are passed over: what they bring is public. */
export function sensitiveFiles(roots: string[], isSensitive: (path: string) => boolean): () => string[] | undefined {
  const look = standingTree(roots, {
    packages: false,
    standingOf: ({ path, kind }) => (kind !== "folder" && isSensitive(path) ? { standing: "hidden", rules: false } : undefined),
  });
  return () => {
    const found = look();
    return found.kind === "seen" ? found.entries.map(({ path }) => path).filter((path) => !packages.test(path)) : undefined;
  };
}

const packages = /\/(?:node_modules|site-packages|\.venv|venv|\.tox|vendor|target|\.git)\//;
