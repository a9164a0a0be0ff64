// Hidden files in a repository's history, which git could print even if rules hide the file itself. Their names are kept in an attributes
// file for agents' git, which marks them as binary: git then says that they differ, without printing them.
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { HistoryOptions, RepositoryHistory, TrackedFile } from "../../../agent/ports/repository-port.ts";
import type { IsHidden } from "../../../permissions/paths/hidden.ts";
import { codeOf, ifPossible } from "../../system-error.ts";
import { git, repositoryPlace } from "../own-git.ts";
import { personsGitFile } from "../persons-git-file.ts";
import { trackedHidden, unlikeIndex } from "./tracked-hidden.ts";

/** Limit for the first scan of a history; older commits are not covered. */
const limitMs = 5_000;

type Repository = {
  top: string;
  info: string;
  tips: Set<string>;
  indexFile: string;
  index: string;
  tracked: TrackedFile[];
  known: Map<string, boolean>;
  hidden: Set<string>;
};

export function repositoryHistory({ file, list }: HistoryOptions): RepositoryHistory {
  const repositories = new Map<string, Repository>();
  let written: string | undefined;
  let own: string | undefined;
  let last: IsHidden | undefined;
  let listed: string | undefined;
  let tracked: TrackedFile[] = [];
  let first: ReadonlyMap<string, string> = new Map();
  const write = (text: string, names: string): void => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, Buffer.from(text, "latin1"), { mode: 0o600 }); // written in place: the sandbox shows this very file
      writeFileSync(list, names, { mode: 0o600 });
      written = text;
      listed = names;
    } catch (error) {
      if (codeOf(error) === undefined) throw error; // the disk is full: it is written with the next command
    }
  };
  return {
    async survey(folders, isHidden) {
      own ??= await personsGitFile(folders[0] ?? "/", "attributes", file);
      if (isHidden !== last) repositories.clear();
      last = isHidden;
      for (const folder of isHidden ? folders : []) {
        const { code, stdout } = await git(folder, ["rev-parse", "--show-toplevel", "--git-path", "index"]);
        if (code !== 0) continue;
        const [top = "", index = ""] = stdout.toString("utf8").split("\n");
        const found = await repositoryPlace(folder);
        if (found.kind !== "found") continue;
        const fresh = newRepository(top, { index: resolve(folder, index), info: join(found.place.commonDir, "info") });
        const repository = repositories.get(top) ?? fresh;
        repositories.set(top, repository);
        await update(repository, isHidden!);
      }
      const all = [...repositories.values()];
      first = new Map(
        all.flatMap(({ info, hidden }) => (hidden.size > 0 ? [[info, [...hidden].map(attributeLine).join("")] as const] : [])),
      );
      for (const info of first.keys()) ifPossible(() => mkdirSync(info)); // git init makes it too; the sandbox covers what is there
      const lines = all.flatMap(({ hidden }) => [...hidden].map(attributeLine)).join("");
      const names = JSON.stringify(all.map(({ top, hidden }) => [top, [...hidden].map(utf8)]));
      if (`${own}${lines}` !== written || names !== listed) write(`${own}${lines}`, names);
      const now = all.flatMap((repository) => repository.tracked);
      if (JSON.stringify(now) !== JSON.stringify(tracked)) tracked = now;
    },
    tracked: () => tracked,
    first: () => first,
    async showsHidden() {
      for (const repository of repositories.values()) if (await showsSome(repository, file)) return true;
      return false;
    },
    async leftBehind(before) {
      if (before === tracked) return [];
      const now = new Map(tracked.map(({ path, id }) => [path, id]));
      const other = before.flatMap(({ path, id }) => (now.get(path) !== id && existsSync(path) ? [path] : []));
      if (other.length === 0) return [];
      const unlike = await Promise.all([...repositories.values()].map(({ top }) => unlikeIndex(top)));
      return other.filter((path) => !now.has(path) || unlike.some((paths) => paths.has(path)));
    },
    isStale: () => [...repositories.values()].some(({ indexFile, index }) => indexMark(indexFile) !== index),
    close() {
      if (written === undefined) return;
      // A session must not fail because of its own cleaning up: what is left goes with the folder of its sandbox at a later start.
      for (const each of [file, list]) ifPossible(() => rmSync(each, { force: true }));
      ifPossible(() => rmdirSync(dirname(file)));
    },
  };
}

/** Whether agents' git would show a hidden file of the repositories around these folders; undefined if they hold none. */
export async function showsHiddenIn(folders: string[], isHidden: IsHidden): Promise<boolean | undefined> {
  const own = mkdtempSync(join(tmpdir(), "tool-check-"));
  const history = repositoryHistory({ file: join(own, "attributes"), list: join(own, "hidden.json") });
  try {
    await history.survey(folders, isHidden);
    return history.first().size > 0 ? await history.showsHidden() : undefined;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Whether agents' git, with this file of attributes, would show one: other attributes may say more, or that nothing is said. In doubt, true. */
async function showsSome({ top, hidden, known }: Repository, file: string): Promise<boolean> {
  const paths = [...known].flatMap(([path, isHidden]) => (isHidden && !path.endsWith("/") ? [path] : []));
  if (hidden.size === 0 || paths.length === 0) return false;
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
  const { code, stdout } = await git(top, ["-c", `core.attributesFile=${file}`, "check-attr", "-z", "--stdin", "diff"], { input });
  const said = stdout.toString("latin1").split("\0");
  return code !== 0 || said.length <= 3 * paths.length - 1 || said.some((value, at) => at % 3 === 2 && value !== "unset");
}

const newRepository = (top: string, { index, info }: { index: string; info: string }): Repository => ({
  top,
  info,
  tips: new Set(),
  indexFile: index,
  index: "",
  tracked: [],
  known: new Map(),
  hidden: new Set(),
});

/** Scans everything since the last scan: the references, their previous values, and the index. Names are bytes as latin1. */
async function update(repository: Repository, isHidden: IsHidden): Promise<void> {
  const { top, tips, known, indexFile } = repository;
  const isIndexed = (path: string) => {
    const isIt = known.get(path) ?? hides(path, repository, isHidden);
    known.set(path, isIt);
    return isIt;
  };
  const isNewIndex = indexMark(indexFile) !== repository.index;
  if (isNewIndex) repository.tracked = await trackedHidden({ top, index: indexFile, isHidden: isIndexed });
  repository.index = indexMark(indexFile); // it may have been refreshed
  const listed = await git(top, ["rev-list", "--no-walk=unsorted", "--all", "--reflog"]);
  const now = listed.stdout.toString("latin1").split("\n").filter(Boolean);
  if (!isNewIndex && now.every((tip) => tips.has(tip))) return;
  const input = [...tips].map((tip) => `^${tip}\n`).join("");
  const from = ["--all", "--reflog", "--stdin"];
  // git lists each object with one path, though files of others may have the same content; those are in what commits change.
  const [changed, objects] = await Promise.all([
    git(top, ["log", "--format=", "--name-only", "-z", "--no-renames", "-c", "--root", ...from], { input, limitMs }),
    git(top, ["rev-list", "--objects", "--in-commit-order", "--missing=allow-promisor", "--indexed-objects", ...from], { input, limitMs }),
  ]);
  for (const tip of now) tips.add(tip);
  for (const path of changed.stdout.toString("latin1").split("\0")) if (path !== "") isIndexed(path);
  for (const line of objects.stdout.toString("latin1").split("\n")) {
    const space = line.indexOf(" ");
    const path = space === -1 ? "" : line.slice(space + 1);
    if (path !== "") isIndexed(path); // otherwise a commit, or its root tree
  }
}

/** In a hidden folder, everything is hidden. */
function hides(path: string, { top, hidden, known }: Repository, isHidden: IsHidden): boolean {
  const names = path.split("/");
  for (let depth = 1; depth < names.length; depth++) {
    const folder = `${names.slice(0, depth).join("/")}/`;
    const isIt = known.get(folder) ?? isHidden(join(top, utf8(folder.slice(0, -1))), "folder");
    known.set(folder, isIt);
    if (isIt) {
      hidden.add(folder);
      return true;
    }
  }
  const isIt = isHidden(join(top, utf8(path)), "file");
  if (isIt) hidden.add(path);
  return isIt;
}

const utf8 = (bytes: string) => Buffer.from(bytes, "latin1").toString("utf8");

function indexMark(path: string): string {
  const stats = ifPossible(() => statSync(path, { bigint: true }));
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : "none";
}

/** gitattributes(5): a line for a path relative to the repository's root, in bytes. git does not print the file's differences or archive it. */
function attributeLine(path: string): string {
  const pattern = `/${path.replaceAll(/[*?[\]\\]/g, "\\$&")}${path.endsWith("/") ? "**" : ""}`;
  return `"${pattern.replaceAll(/["\\]/g, "\\$&")}" -diff export-ignore\n`;
}
