// Lists the files of a tree, without those that .gitignore excludes, if ripgrep is not installed.
import { constants, type Dirent, existsSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Cut } from "../../tools/disk.ts";
import { type Holding, holdFolder, noLinks } from "./held-folder.ts";

/** Compiles an ignore file to a function of paths relative to its folder; the path of a folder ends in a slash. */
export type IgnorePatterns = (text: string) => (path: string) => "ignored" | "kept" | "unsaid";

export type WalkOptions = { ignorePatterns: IgnorePatterns; holding: Holding; signal: AbortSignal };

/** Paths relative to the folder, in no particular order. */
export type Found = { paths: string[]; cut: Cut };

export const walkLimits = { files: 100_000, ms: 10_000, skippedFolders: [".git", "node_modules"] };

/**
 * `folder` is a real path. Links are not followed and not listed. .gitignore files count up to the top of the repository; outside a
 * repository, from the folder down.
 */
export async function walkByHand(folder: string, options: WalkOptions): Promise<Found> {
  const end = performance.now() + walkLimits.ms;
  const paths: string[] = [];
  const open = [{ path: folder, layers: await layersAbove(folder, options) }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (paths.length > walkLimits.files) return { paths: paths.slice(0, walkLimits.files), cut: "limit" };
    if (performance.now() > end || options.signal.aborted) return { paths, cut: "time" };
    const { entries, gitignore } = await entriesOf(next.path, options.holding);
    const layers = gitignore === undefined ? next.layers : [...next.layers, layer(next.path, gitignore, options)];
    for (const entry of entries) {
      if (walkLimits.skippedFolders.includes(entry.name)) continue;
      const path = join(next.path, entry.name);
      if (entry.isDirectory() && !ignored(`${path}/`, layers)) open.push({ path, layers });
      if (entry.isFile() && !ignored(path, layers)) paths.push(relative(folder, path));
    }
  }
  return { paths, cut: "nothing" };
}

export function repositoryTop(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : repositoryTop(dirname(folder));
}

/** The compiled patterns of one .gitignore, and its folder. */
type Layer = { folder: string; judge: ReturnType<IgnorePatterns> };

/** A folder that is itself excluded was named on purpose, so the patterns that exclude it are ignored. */
async function layersAbove(folder: string, options: WalkOptions): Promise<Layer[]> {
  const top = repositoryTop(folder);
  if (!top || top === folder) return [];
  const layers: Layer[] = [];
  for (let above = dirname(folder); ; above = dirname(above)) {
    const { gitignore } = await entriesOf(above, options.holding);
    if (gitignore !== undefined) layers.unshift(layer(above, gitignore, options));
    if (above === top) return ignored(`${folder}/`, layers) ? [] : layers;
  }
}

/** Empty if the folder cannot be read or has moved: a walk shows what it can. */
async function entriesOf(path: string, holding: Holding): Promise<{ entries: Dirent[]; gitignore?: string }> {
  try {
    const folder = holdFolder(path, holding);
    try {
      const entries = await readdir(folder.self, { withFileTypes: true });
      const hasIgnore = entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
      return { entries, ...(hasIgnore && { gitignore: await readBeginning(folder.child(".gitignore")) }) };
    } finally {
      folder.close();
    }
  } catch {
    // Unreadable, or removed during the walk.
    return { entries: [] };
  }
}

async function readBeginning(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | noLinks | constants.O_NONBLOCK);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxIgnoreBytes), 0, maxIgnoreBytes, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await handle.close();
  }
}

const maxIgnoreBytes = 256 * 1024;

/** Patterns with many stars are left out: matching them takes time that grows with each star, and a repository could hang us with one. */
function layer(folder: string, gitignore: string, { ignorePatterns }: WalkOptions): Layer {
  const lines = gitignore.split("\n").filter((line) => (line.match(/\*+/g) ?? []).length <= maxStars);
  return { folder, judge: ignorePatterns(lines.join("\n")) };
}

const maxStars = 4;

/** The deepest file with a matching pattern decides. */
function ignored(path: string, layers: Layer[]): boolean {
  for (const { folder, judge } of layers.toReversed()) {
    const verdict = judge(relative(folder, path) + (path.endsWith("/") ? "/" : ""));
    if (verdict !== "unsaid") return verdict === "ignored";
  }
  return false;
}
