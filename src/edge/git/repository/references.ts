// What git names in a repository: branches, tags and other references, what checkouts are at, and what git has noted of a step that it is at or
// that can be taken back. Git itself says what its references are, and only when a file of them has changed.
import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Noted, References, Step } from "../../../agent/ports/repository-port.ts";
import { rawPath } from "../../disk/raw-path.ts";
import { ifPossible } from "../../system-error.ts";
import { git, repositoryPlace } from "../own-git.ts";
import { entryAt, readUntrusted } from "../untrusted-file.ts";
import { presentIn } from "./present-commits.ts";

/** A repository with more of them, loose, or more checkouts is not looked at, nor one with a larger file of packed ones. */
const mostReferences = 5_000;
const mostPacked = 4 * 1024 * 1024;
/** Of a loose one; git reads whatever is there into memory. */
const mostReference = 1024;
/** Of what git has noted; of a log the end. */
const mostNotes = 4 * 1024 * 1024;

/** What a checkout is at, and what a rebase or merge has put aside of the person's changes until it ends. */
const isAtRest = (path: string) => /^(?:worktrees\/[^/]+\/)?(?:HEAD|MERGE_AUTOSTASH|rebase-(?:merge|apply)\/autostash)$/.test(path);

/** A checkout stands for a branch, and the HEAD of another machine for a branch of that: git makes no others that stand for a reference. */
const isUsual = (from: string, to: string) =>
  /^(?:worktrees\/[^/]+\/)?HEAD$/.test(from) || (/^refs\/remotes\/.+\/HEAD$/.test(from) && to.startsWith(from.slice(0, -"HEAD".length)));

/**
 * Looks at the references of a folder's repository: `last` itself while nothing has changed since. Undefined without a repository, and in one with
 * too many of them or with what git does not make. Never rejects. Several look at the same repository, and git is asked once.
 */
export function openReferences(): (folder: string, last?: References) => Promise<References | undefined> {
  const seen = new Map<string, References>();
  return async (folder, last) => {
    const found = await repositoryPlace(folder);
    if (found.kind !== "found") return undefined;
    const { top, gitDir, commonDir } = found.place;
    const files = ifPossible(() => filesOfReferences(commonDir));
    if (!files) return undefined;
    const known = [last, seen.get(top)].find((one) => one?.top === top && one.mark === files.mark);
    if (known) return known;
    const { code, stdout } = await git(top, ["for-each-ref", "--format=%(HEAD)%(objectname) %(refname) %(symref)"], {
      headBytes: mostListed,
    });
    if (code !== 0 || stdout.length >= mostListed) return undefined;
    const listed = stdout.toString("utf8").split("\n").filter(Boolean);
    const fields = listed.map((line) => line.slice(1).split(" "));
    const ids = new Map(fields.map(([id = "", name = ""]): [string, string] => [name, id]));
    const [branch] = listed.flatMap((line) => (line.startsWith("*") ? [line.slice(1, line.indexOf(" ", 1))] : []));
    const notes = files.notes.map((path): [string, string] => [path, notesIn(commonDir, path)]);
    const heads = notes.flatMap(([path, text]): [string, string][] => {
      const [id] = (isAtRest(path) && /^[0-9a-f]{40,64}(?=\s|$)/i.exec(text)) || [];
      return id === undefined ? [] : [[path, id.toLowerCase()]];
    });
    const words = new Map(
      notes.toReversed().flatMap(([path, text]) => namesOfObjects(path, text).map((id): [string, string] => [id, path])),
    );
    const noted = await notedCommits(top, words, { ids, last: seen.get(top) });
    const head = branch ?? new Map(heads).get(join(relative(commonDir, gitDir), "HEAD"));
    const inNames = fields.flatMap(([, name = "", to = ""]): [string, string][] => (to === "" ? [] : [[name, to]]));
    // git lists none that stands for what is not there yet
    const unlisted = files.loose.filter((path) => !ids.has(path)).map((path): [string, string] => [path, notesIn(commonDir, path)]);
    const inFiles = [...unlisted, ...notes].flatMap(([path, text]): [string, string][] => {
      const to = /^ref:\s*(\S+)/.exec(text)?.[1];
      return to === undefined ? [] : [[path, to]];
    });
    const symbolic = new Map([...inNames, ...inFiles].filter(([from, to]) => !isUsual(from, to)));
    const steps = stepsIn(commonDir, relative(commonDir, gitDir));
    const now = { top, commonDir, mark: files.mark, ids, heads: new Map(heads), head, noted, steps, symbolic };
    seen.set(top, now);
    return now;
  };
}

const mostListed = 16 * 1024 * 1024;

type Known = Pick<References, "ids"> & { last: References | undefined };

/** The commits of the words, and what else has the length of an id in a note that git itself makes. */
async function notedCommits(top: string, words: ReadonlyMap<string, string>, { ids, last }: Known): Promise<References["noted"]> {
  const known = new Set(ids.values());
  const isKnown = (word: string) => known.has(word) || last?.noted.get(word)?.isThere === true;
  const present = await presentIn(
    top,
    [...words.keys()].filter((word) => !isKnown(word)),
  );
  return new Map(
    [...words].flatMap(([word, path]): [string, Noted][] => {
      if (isKnown(word)) return [[word, { path, isThere: true }]];
      const found = present?.get(word);
      if (found) return found.commit === undefined ? [] : [[found.commit, { path, isThere: true }]];
      return (word.length === 40 || word.length === 64) && !isCut(path) ? [[word, { path, isThere: false }]] : [];
    }),
  );
}

/**
 * Also shortened ones, as a list of steps may have them, and what git describe prints. Of the log of a checkout only where it came from counts, to
 * which `git checkout -` goes back. Where there was nothing, a log has zeros.
 */
function namesOfObjects(path: string, text: string): string[] {
  const told = isLogOfHead(path) ? (text.match(/checkout: moving from \S+/g) ?? []).join("\n") : text;
  const ids = told.match(/(?<![0-9a-f])(?!0+(?![0-9a-f]))[0-9a-f]{4,64}(?![0-9a-f])/gi) ?? [];
  return ids.map((id) => id.toLowerCase());
}

const isLogOfHead = (path: string) => path.endsWith("logs/HEAD");

/** `notes`, and `loose` references: relative to the folder. Undefined if they are too many, or one of them is not as git makes it. */
function filesOfReferences(commonDir: string): { mark: string; notes: string[]; loose: string[] } | undefined {
  const references = filesBelow(commonDir, "refs");
  const checkouts = checkoutsIn(commonDir);
  if (!references || checkouts.length > mostReferences) return undefined;
  const notes = checkouts.flatMap((checkout) => notesOf(commonDir, checkout));
  const ofSteps = checkouts.flatMap((checkout) => filesOfStep(commonDir, checkout));
  if (ofSteps.length > mostReferences) return undefined;
  const logs = [...checkouts.map((checkout) => `${checkout}logs/HEAD`), "logs/refs/stash"];
  const limits = [
    ...references.map((path) => ({ path, most: mostReference })),
    ...[...notes, ...logs].map((path) => ({ path, most: isCut(path) ? Number.POSITIVE_INFINITY : mostNotes })),
    ...ofSteps.map((path) => ({ path, most: Number.POSITIVE_INFINITY })),
    { path: "packed-refs", most: mostPacked },
  ];
  const stamps = limits.map(({ path, most }) => stamp(join(commonDir, path), most));
  if (stamps.includes("refused")) return undefined;
  const others = references.map((path) => stamp(join(commonDir, `logs/${path}`), Number.POSITIVE_INFINITY));
  return { mark: [...limits.map(({ path }) => path), ...stamps, ...others].join("\n"), notes: [...notes, ...logs], loose: references };
}

/** Of the loose ones, relative to the folder; undefined if there are too many. */
function filesBelow(commonDir: string, top: string): string[] | undefined {
  const [files, folders]: [string[], string[]] = [[], [top]];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const folder = at;
    for (const entry of entriesOf(commonDir, folder))
      if (!entry.name.endsWith(".lock")) (entry.isDirectory() ? folders : files).push(`${folder}/${entry.name}`);
    if (files.length + folders.length > mostReferences) return undefined;
  }
  return files;
}

/** What git writes of a checkout while it is at a step: ids of where it was and of what comes next. Patches name none that it would take. */
function notesOf(commonDir: string, checkout: string): string[] {
  const names = (folder: string, isNote: (entry: Dirent) => boolean) =>
    entriesOf(commonDir, `${checkout}${folder}`).flatMap((entry) =>
      isNote(entry) && !entry.isDirectory() ? [`${checkout}${folder}${entry.name}`] : [],
    );
  return [
    ...names("", (entry) => !noNotes.test(entry.name) && (entry.isFile() || isGits(entry.name))),
    ...steps.flatMap((folder) => names(folder, ({ name }) => !/^(?:\d+|patch|message.*|author-script|final-commit)$/.test(name))),
  ];
}

const isGits = (name: string) => /^[A-Z][A-Z_]*$/.test(name);

/** Any other file may be taken for a reference, whatever program it is of. */
const noNotes = /^(?:index|sharedindex\.\w+|packed-refs|config|config\.worktree|description|commondir|gitdir|shallow|.*MSG|.*\.lock)$/;

const steps = ["rebase-merge/", "rebase-apply/", "sequencer/"];

/** What is there while a step is under way, in the order in which git status tells of them. */
const kindsOfSteps: readonly [path: string, kind: Step["kind"]][] = [
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["rebase-merge", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["sequencer", "cherry-pick"],
  ["BISECT_START", "bisect"],
  ["BISECT_LOG", "bisect"],
];

/** By the names of the checkouts: empty for `own`, which is its folder of git's. */
function stepsIn(commonDir: string, own: string): Map<string, Step> {
  return new Map(
    checkoutsIn(commonDir).flatMap((checkout): [string, Step][] => {
      const at = join(commonDir, checkout);
      const [, kind] = kindsOfSteps.find(([path]) => entryAt(join(at, path))) ?? [];
      if (kind === undefined) return [];
      const digest = createHash("sha256");
      for (const path of filesOfStep(commonDir, checkout)) digest.update(`${path}\0${contentOf(join(commonDir, path))}\0`);
      const name = checkout === (own && `${own}/`) ? "" : checkout.slice("worktrees/".length, -1) || "main";
      return [[name, { kind, digest: digest.digest("hex") }]];
    }),
  );
}

/** All that decides what git's next step is and where it goes back to. */
function filesOfStep(commonDir: string, checkout: string): string[] {
  const at = entriesOf(commonDir, checkout);
  const appliesPatches = at.some(({ name }) => name === "rebase-apply");
  const isOfStep = (entry: Dirent) => !entry.isDirectory() && (ofSteps.test(entry.name) || (appliesPatches && entry.name === "ORIG_HEAD"));
  const inFolders = steps
    .filter((folder) => at.some(({ name }) => `${name}/` === folder))
    .flatMap((folder) =>
      entriesOf(commonDir, `${checkout}${folder}`).flatMap((entry) => (entry.isDirectory() ? [] : [`${folder}${entry.name}`])),
    );
  return [...at.filter(isOfStep).map(({ name }) => name), ...inFolders].toSorted().map((path) => `${checkout}${path}`);
}

const ofSteps = /^(?:BISECT_.*|(?:MERGE|CHERRY_PICK|REVERT|REBASE)_HEAD|MERGE_(?:MODE|AUTOSTASH))$/;

/** Of a patch, or what is as large, its stamp. */
function contentOf(path: string): string {
  const read = /\/\d+$/.test(path) ? undefined : readUntrusted(path, { most: mostOfStep });
  return read?.kind === "read" ? read.bytes.toString("latin1") : stamp(path, Number.POSITIVE_INFINITY);
}

const mostOfStep = 64 * 1024;

/** As a path in git's folder begins that is of one of them. */
const checkoutsIn = (commonDir: string): string[] => ["", ...worktreesIn(commonDir).map((name) => `worktrees/${name}/`)];

/** The names of git's folders of other checkouts. */
export const worktreesIn = (commonDir: string): string[] =>
  entriesOf(commonDir, "worktrees").flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const entriesOf = (commonDir: string, folder: string): Dirent[] =>
  ifPossible(() => readdirSync(join(commonDir, folder), { withFileTypes: true })) ?? [];

/** Of a log the end counts, and of a reference the beginning. */
const isLog = (path: string) => /^logs\/|\/logs\//.test(path);
const isCut = (path: string) => isLog(path) || /^(?:worktrees\/[^/]+\/)?[^A-Z/][^/]*$/.test(path);

function notesIn(commonDir: string, path: string): string {
  const size = ifPossible(() => lstatSync(join(commonDir, path)).size) ?? 0;
  const part = isLog(path) ? { most: mostNotes, from: Math.max(0, size - mostNotes) } : { most: mostNotes, head: mostReference };
  const read = readUntrusted(join(commonDir, path), part);
  return read.kind === "read" ? read.bytes.toString("latin1") : "";
}

/** Another one after each change, also of the content alone. `refused`: no plain file, or a larger one. */
export function stamp(path: string, most: number): string {
  const stats = ifPossible(() => lstatSync(rawPath(path), { throwIfNoEntry: false, bigint: true }));
  if (stats && (!stats.isFile() || stats.size > most)) return "refused";
  return `${stats?.ino} ${stats?.size} ${stats?.ctimeNs}`;
}
