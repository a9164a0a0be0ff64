// Files that rules hide, in a repository's history: git prints them from there, whatever covers the file itself. Their names are kept in a
// file of attributes for the git of commands, by which it takes them for binary: it says that they differ and prints nothing of them.
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { HiddenHistory, IsHidden } from "../permissions/hidden-history.ts";
import { git } from "./repository-files.ts";
import { codeOf } from "./system-error.ts";

export type HistoryOptions = {
  /** The file of attributes, made with the first look. */
  file: string;
  /** Its line for a path below the repository's root, whose name is bytes, as in latin1. */
  lineOf: (path: string) => string;
};

export type RepositoryHistory = {
  /**
   * Looks for what is new in the repositories of these folders, and writes the file anew where that counts. `isHidden` is another one where
   * rules have changed, and undefined where none hides anything.
   */
  look(folders: string[], isHidden: IsHidden | undefined): Promise<HiddenHistory>;
  close(): void;
};

/** Longer a first look at a history does not take: what is oldest then is not known. */
const limitMs = 5_000;

type Repository = { top: string; tips: Set<string>; index: string; known: Map<string, boolean>; hidden: Set<string>; ids: Set<string> };

export function repositoryHistory({ file, lineOf }: HistoryOptions): RepositoryHistory {
  const repositories = new Map<string, Repository>();
  let written: string | undefined;
  let own: string | undefined;
  let last: IsHidden | undefined;
  const write = (text: string): boolean => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, Buffer.from(text, "latin1"), { mode: 0o600 }); // in place: inside the sandbox this very file is seen
      written = text;
      return true;
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return false; // a full disk: git prints what it likes, and that is asked about
    }
  };
  return {
    async look(folders, isHidden) {
      const found: HiddenHistory = { paths: [], ids: [], exposed: [] };
      own ??= await personsAttributes(folders[0] ?? "/", file);
      if (isHidden !== last) repositories.clear();
      last = isHidden;
      for (const folder of isHidden ? folders : []) {
        const { code, stdout } = await git(folder, ["rev-parse", "--show-toplevel", "--git-path", "index"]);
        if (code !== 0) continue;
        const [top = "", index = ""] = stdout.toString("utf8").split("\n");
        const fresh = { top, tips: new Set<string>(), index: "", known: new Map(), hidden: new Set<string>(), ids: new Set<string>() };
        const repository = repositories.get(top) ?? fresh;
        repositories.set(top, repository);
        await update(repository, { index: indexMark(resolve(folder, index)), isHidden: isHidden! });
      }
      const all = [...repositories.values()];
      const lines = all.flatMap(({ hidden }) => [...hidden].map(lineOf)).join("");
      const isWritten = `${own}${lines}` === written || write(`${own}${lines}`);
      for (const { top, hidden, ids } of all) {
        found.paths.push(...[...hidden].map((path) => join(top, utf8(path))));
        for (const id of ids) found.ids.push(id);
        found.exposed.push(...(isWritten ? await exposed({ top, hidden }, file) : found.paths));
      }
      return found;
    },
    close() {
      if (written === undefined) return;
      rmSync(file, { force: true });
      try {
        rmdirSync(dirname(file));
      } catch (error) {
        if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error) ?? "")) throw error;
      }
    },
  };
}

/** From what was not there at the last look: of all references, of what they were, and of what is staged. Names are bytes, as in latin1. */
async function update(repository: Repository, { index, isHidden }: { index: string; isHidden: IsHidden }): Promise<void> {
  const { top, tips, known } = repository;
  const listed = await git(top, ["rev-list", "--no-walk=unsorted", "--all", "--reflog"]);
  const now = listed.stdout.toString("latin1").split("\n").filter(Boolean);
  if (index === repository.index && now.every((tip) => tips.has(tip))) return;
  const args = [
    "rev-list",
    "--objects",
    "--in-commit-order",
    "--missing=allow-promisor",
    "--all",
    "--reflog",
    "--indexed-objects",
    "--stdin",
  ];
  const { stdout } = await git(top, args, { input: [...tips].map((tip) => `^${tip}\n`).join(""), limitMs });
  for (const tip of now) tips.add(tip);
  repository.index = index;
  for (const line of stdout.toString("latin1").split("\n")) {
    const space = line.indexOf(" ");
    const path = space === -1 ? "" : line.slice(space + 1);
    if (path === "") continue; // a commit, or the root of one
    const isIt = known.get(path) ?? hides(path, repository, isHidden);
    known.set(path, isIt);
    if (isIt) repository.ids.add(line.slice(0, space));
  }
}

/** Where a folder is hidden, all that it holds is. */
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
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : "none";
}

/** gitattributes(5): ours takes the place of that file, so what it says stays first. */
async function personsAttributes(folder: string, file: string): Promise<string> {
  const { stdout } = await git(folder, ["config", "--type=path", "--get", "core.attributesFile"]);
  const set = stdout.toString("utf8").replace(/\n$/, "");
  const path = set || join(process.env["XDG_CONFIG_HOME"] || join(process.env["HOME"] ?? "/", ".config"), "git/attributes");
  if (path === file) return "";
  try {
    return `${readFileSync(resolve(folder, path), "latin1")}\n`;
  } catch {
    // Most people have none.
    return "";
  }
}

/** A `.gitattributes` of the repository comes before ours, and may have it printed all the same. */
async function exposed({ top, hidden }: { top: string; hidden: Set<string> }, file: string): Promise<string[]> {
  if (hidden.size === 0) return [];
  const paths = [...hidden].map((path) => (path.endsWith("/") ? `${path}x` : path));
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
  const { stdout } = await git(top, ["-c", `core.attributesFile=${file}`, "check-attr", "-z", "--stdin", "diff"], { input });
  const fields = stdout.toString("utf8").split("\0");
  return fields.filter((_, at) => at % 3 === 0 && at + 2 < fields.length && fields[at + 2] !== "unset").map((path) => join(top, path));
}
