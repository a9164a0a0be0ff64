// Exceptional entries below the folders that a command may change: the sandbox hides or protects them, and new ones are put aside
// afterwards.
import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Entry, PathClass } from "../../../permissions/sandbox/sandbox-view.ts";
import { withRetry } from "../../disk/disk.ts";
import { rawPath, textOf } from "../../disk/raw-path.ts";
import { readUntrusted } from "../../git/untrusted-file.ts";
import { codeOf, ifPossible } from "../../system-error.ts";
import { isBelow } from "./closed-folders.ts";
import { type LinkedRepository, UnreadIndex } from "./linked-repositories.ts";
import { identityOfLink, leadsAside, leadsOut, type Through, throughLink, together, whereTo } from "./links/ways-aside.ts";

/**
 * `identity` changes if something else gets the name, as far as that is possible inside the sandbox. `linkedBy`: git looks into it from this
 * repository, named by its `.git`. `end`: of a link, the real path of what is there. `through`: what it counts as, by links.
 */
export type Found = Entry & PathClass & { identity: string; linkedBy?: string; end?: string; through?: Through | undefined };

/** `closed`: folders that hold what cannot be listed. `bare`: repositories that are not in one called `.git`. `unread`: why the repositories that are linked are not all known. */
export type TreeLook =
  | { kind: "seen"; entries: Found[]; closed: string[]; bare: string[]; unread?: UnreadIndex }
  /** Only these were looked into. */
  | { kind: "too_large"; folders: number; seen: string[] };

/** Asked about a folder that cannot be listed: true if it can be by now. */
export type Opening = (path: string) => boolean;

export type TreeOptions = {
  classOf: (entry: Entry) => PathClass | undefined;
  /** Whether folders of installed packages are searched too: only useful if rules hide names in them. */
  packages: boolean;
  /** Only the roots, and folders below them that count themselves. */
  near?: true;
  maxFolders?: number;
  /** Repositories that git finds by a link of one that was found, which are looked for wherever they lie. */
  linked?: (repositories: string[]) => LinkedRepository[];
};

/**
 * Each look visits every folder with one lstat, but reads only those that changed since the previous look. Names are classified once. Links
 * are listed, and followed only to where no look would come otherwise, and where names count that are below the link. Throws if a folder cannot
 * be read for a moment: its entries would later pass for new ones, and be moved away. A folder that is closed to us is not left out: what it
 * holds is unknown, and it is named.
 */
export function classifiedTree(
  roots: string[],
  { classOf, packages, near, maxFolders = 20_000, linked }: TreeOptions,
): (opening?: Opening, most?: number) => TreeLook {
  let known = new Map<string, Folder>();
  const lookAt = lookingAt({ classOf, roots, packages, near });
  /** A command could not put anything into such a folder. */
  const isCovered = (path: string) => (classOf({ path, kind: "folder" })?.visibility ?? "normal") !== "normal";
  return (opening, most = maxFolders) => {
    const seen = new Map<string, Folder>();
    const entries: Found[] = [];
    const closed: string[] = [];
    const bare: string[] = [];
    let unread: UnreadIndex | undefined;
    const next = () =>
      nextLinked(entries, {
        bare,
        linked,
        classOf: (entry) => (isBelow(entry.path, roots) ? classOf(entry) : undefined),
        onUnread: (why) => {
          unread = why;
        },
      });
    const open: Place[] = roots.map((path) => ({ path, hidden: false }));
    for (let place = open.pop() ?? next(); place !== undefined; place = open.pop() ?? next()) {
      const { path } = place;
      const key = keyOf(place);
      if (seen.has(key)) continue;
      if (seen.size >= most) return { kind: "too_large", folders: most, seen: [...seen.keys()] };
      const before = known.get(key);
      let folder = isTooLong(path) ? "closed" : lookAt(place, before);
      if (folder === "closed" && !isTooLong(path) && opening?.(path)) folder = lookAt(place, before);
      if (folder === "closed") closed.push(path);
      if (folder === "closed" && isTooLong(path))
        entries.push(...withIdentity({ path, kind: "folder", visibility: "normal", rules: true }, roots));
      if (folder === "closed" || !folder) continue;
      seen.set(key, folder);
      if (folder.bare) bare.push(path);
      for (const entry of folder.exceptions) entries.push(...withIdentity(entry, roots));
      open.push(...folder.folders, ...folder.aside.flatMap((link) => whereTo(link, roots, isCovered)));
    }
    const through = belowLinks({ roots, maxFolders, lookAt }, { seen, known, most });
    known = seen;
    if (!through) return { kind: "too_large", folders: most, seen: [...seen.keys()] };
    return { kind: "seen", entries: together(entries, through), closed, bare, ...(unread !== undefined && { unread }) };
  };
}

/** Reads a folder; undefined if it was removed meanwhile. */
type LookAt = (place: Place, before: Folder | undefined) => Folder | "closed" | undefined;

const lookingAt =
  ({ classOf, roots, packages, near }: Omit<Sorting, "known">): LookAt =>
  (place, before) => {
    const { path } = place;
    try {
      const now = lstatSync(rawPath(path), { bigint: true });
      if (!now.isDirectory()) return undefined;
      const stamp = stampOf(now);
      if (before?.stamp === stamp) return before;
      // A change within the same clock tick of the file system would not be visible: such a folder is read again next time.
      const settled = Number(now.ctimeNs / 1_000_000n) < Date.now() - 1000;
      const names = sorted(place, namesIn(path), { classOf, roots, packages, near, known: before?.meanings });
      lstatSync(rawPath(`${path}/.`)); // a folder may be listed, and what is in it not be looked at
      return settled ? { ...names, stamp, meanings: undefined } : { ...names, stamp: "" };
    } catch (error) {
      const code = codeOf(error) ?? "";
      if (["ENOENT", "ENOTDIR"].includes(code)) return undefined;
      if (["EACCES", "EPERM", "ENAMETOOLONG", "ELOOP"].includes(code)) return "closed";
      throw error;
    }
  };

type Looking = { roots: string[]; maxFolders: number; lookAt: LookAt };

/**
 * What is at the ends of links, once for each link, by the names that it has below them. Undefined if that is too much. However much a command
 * made, links that were there before come first.
 */
function belowLinks(
  { roots, maxFolders, lookAt }: Looking,
  { seen, known, most }: { seen: Map<string, Folder>; known: Map<string, Folder>; most: number },
): Found[] | undefined {
  const found: Found[] = [];
  const met = new Set<string>();
  let outside = 0;
  const links = [...seen.values()].flatMap((folder) => folder.through.flatMap(throughLink));
  const open = links.toSorted((a, b) => Number(known.has(keyOf(b))) - Number(known.has(keyOf(a))));
  for (const place of open) {
    const once = `${place.through?.links[0]}\n${place.path}`;
    const isOutside = !roots.includes(place.path) && !isBelow(place.path, roots);
    if (met.has(once) || (isOutside && outside++ >= mostOutside) || met.size >= maxFolders) continue;
    if (seen.size >= most) return undefined;
    met.add(once);
    const folder = lookAt(place, known.get(keyOf(place)));
    if (folder === "closed" || !folder) continue;
    seen.set(keyOf(place), folder);
    const counting = isOutside ? folder.exceptions.filter(({ visibility }) => visibility === "hidden") : folder.exceptions;
    for (const entry of counting) found.push(...withIdentity(isOutside ? { ...entry, rules: false } : entry, roots));
    open.push(...folder.folders, ...folder.through.flatMap(throughLink));
  }
  return found;
}

type Sorting = {
  classOf: TreeOptions["classOf"];
  roots: string[];
  packages: boolean;
  near: true | undefined;
  known: Meanings | undefined;
};

function sorted(
  { path, hidden, whole, through }: Place,
  names: Dirent<Buffer>[],
  { classOf, roots, packages, near, known }: Sorting,
): Omit<Folder, "stamp"> {
  const exceptions: Folder["exceptions"] = [];
  const aside: string[] = [];
  const ways: Folder["through"] = [];
  const folders: Place[] = [];
  const meanings: Meanings = new Map();
  for (const named of names) {
    const kind = kindOf(named);
    const name = textOf(named.name);
    const entry: Entry = { path: `${path === "/" ? "" : path}/${name}`, kind };
    const key = `${kind} ${name}`;
    const as = through && { path: `${through.path}/${name}`, links: through.links };
    const waits = named.isFIFO() && readWithoutLooking.test(name);
    const meaning = waits ? waiting : known?.has(key) ? known.get(key) : classOf({ kind, path: as?.path ?? entry.path });
    if (as && meaning?.others) continue; // judged by its own path
    if (!waits) meanings.set(key, meaning);
    // Nothing below a hidden folder needs its own cover, however much a build puts there.
    if (meaning && (!hidden || meaning.rules)) exceptions.push({ ...entry, ...meaning, ...(as && { through: as }) });
    if (kind === "link" && (whole || leadsAside(entry.path))) aside.push(entry.path);
    if (meaning?.below) ways.push({ path: as?.path ?? entry.path, links: [...(as?.links ?? []), entry.path] });
    if (near && !meaning?.rules) continue;
    if (kind !== "folder" || ![entry.path, as?.path ?? ""].every((each) => isLookedInto(each, meaning, { packages, whole }))) continue;
    if ((whole || as) && meaning && meaning.visibility !== "normal") continue; // what is new there is moved away with it
    const isHidden = !as && !roots.includes(entry.path) && (hidden || meaning?.visibility === "hidden");
    folders.push({ path: entry.path, whole, hidden: isHidden, through: as });
  }
  return { exceptions, folders, aside, through: ways, meanings, bare: isBare(path, meanings) };
}

/** gitrepository-layout(5): what makes a folder one, wherever it is; or would again, with what may be away for a moment. */
const isBare = (path: string, names: Meanings) =>
  !/\/\.git(?:\/|$)/i.test(path) &&
  !names.has("folder HEAD") &&
  ["file HEAD", "link HEAD"].some((name) => names.has(name)) &&
  ["objects", "refs", "config", "hooks"].some((name) => ["file", "folder", "link"].some((kind) => names.has(`${kind} ${name}`)));

/** git and ripgrep open them in every folder that they come to, and would wait at a pipe for ever: whoever searches or commits, and so do we. */
const readWithoutLooking = /^\.(?:(?:git|rg|fd|ag)?ignore|gitattributes|gitmodules|mailmap)$/i;
const waiting: PathClass = { visibility: "normal", rules: true };

/** Marks linked repositories, and adds those that were not seen; returns one that is to be looked into. */
function nextLinked(entries: Found[], { bare, linked = () => [], classOf, onUnread }: Linking): Place | undefined {
  const repositories = new Map(entries.flatMap((entry, at) => (basename(entry.path) === ".git" ? [[entry.path, at]] : [])));
  for (const { path, of } of unlessUnread(() => linked([...repositories.keys(), ...bare]), onUnread)) {
    const at = repositories.get(path);
    if (at !== undefined) entries[at] = { ...entries[at]!, linkedBy: entries[at]!.linkedBy ?? of };
    const stats = at === undefined ? ifPossible(() => lstatSync(rawPath(path), { throwIfNoEntry: false })) : undefined;
    if (!stats) continue;
    const entry: Entry = { path, kind: kindOf(stats) };
    const found = withIdentity({ ...entry, ...(classOf(entry) ?? { visibility: "normal", rules: true }) }, []);
    entries.push(...found.map((each) => ({ ...each, linkedBy: of })));
    return { path, hidden: false };
  }
  return undefined;
}

type Linking = Pick<TreeOptions, "linked" | "classOf"> & { bare: string[]; onUnread: (why: UnreadIndex) => void };

function unlessUnread<T>(read: () => T[], onUnread: Linking["onUnread"]): T[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadIndex)) throw error;
    onUnread(error);
    return [];
  }
}

/** Hidden folders too: a command may create one, and a repository in it still counts. One of this program's own is moved away as a whole. */
function isLookedInto(path: string, meaning: PathClass | undefined, { packages, whole }: { packages: boolean; whole?: true | undefined }) {
  if (meaning?.own) return false;
  if (whole && path.includes("/.git/")) return true;
  if (path.includes("/.git/modules/")) return !/\/objects\/(?:[0-9a-f]{2}|pack)$/.test(path); // a module may have any name
  if (path.includes("/.git/objects/")) return path.endsWith("/.git/objects/info");
  if (path.includes("/.git/lfs/objects/")) return false;
  if (path.includes("/.git/")) return !gitInnards.has(path.slice(path.indexOf("/.git/") + "/.git/".length));
  return basename(path) !== "node_modules" || (packages && meaning?.visibility !== "hidden");
}

/**
 * `hidden`: the folder or one above it is hidden. `whole`: a link leads here, so that it counts like any folder of the tree. `through`: it is
 * looked at by the name that it has there.
 */
export type Place = { path: string; hidden: boolean; whole?: true | undefined; through?: Through | undefined };

const keyOf = ({ path, whole, through }: Place) => (through ? `${through.path}\n${path}` : whole ? `${path}/` : path);

/** Of other places, only what is secret counts; what a command names there is judged besides. */
const mostOutside = 1_000;

/** The classification of each name in a folder, by kind. */
type Meanings = Map<string, PathClass | undefined>;

/** `aside`: links that may lead where no look comes; `through`: those below which names count. `meanings` are kept if the folder will be read again. */
type Folder = {
  stamp: string;
  exceptions: (Entry & PathClass & { through?: Through })[];
  folders: Place[];
  aside: string[];
  through: Through[];
  bare: boolean;
  meanings: Meanings | undefined;
};

/**
 * Directly below git's folder: a worktree or a module may have the same name. They are protected as a whole. Of the objects, which are many, only
 * what names others counts; of the references and logs, only links, through which git would write elsewhere.
 */
const gitInnards = new Set(["hooks", "info"]);

/**
 * A protected or hidden entry is a mount inside the sandbox and cannot be replaced there, but its folder can be moved away and created
 * again, so the folder's identity counts. If the file itself is replaced, it was by another program, such as an editor. A link is another one
 * where something comes to be at its end, a link on the way there leads elsewhere, or it was away meanwhile, which changes its ctime. A new one
 * of a hidden name could hide from everybody what they need.
 */
function withIdentity(entry: Folder["exceptions"][number], roots: string[]): Found[] {
  if (entry.list) return ofList(entry);
  if (entry.kind === "link") {
    const { identity, end } = identityOfLink(entry.path) ?? {};
    const rules = entry.rules || (entry.visibility === "hidden" && end !== undefined && leadsOut(end, roots));
    return identity === undefined ? [] : [{ ...entry, rules, identity, ...(end !== undefined && { end }) }];
  }
  // closed since it was listed: the next look says so
  const at = entry.visibility !== "normal" ? dirname(entry.path) : entry.path; // a mount
  const stats = ifPossible(() => lstatSync(rawPath(at), { bigint: true, throwIfNoEntry: false }));
  return stats ? [{ ...entry, identity: `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` }] : []; // inode numbers of removed files are reused
}

/**
 * Commands that git will run when a rebase or a cherry-pick continues. A list without such lines, as git creates it, is an ordinary file; what
 * is no plain file, such as a link or a pipe, may say anything later.
 */
function ofList(entry: Folder["exceptions"][number]): Found[] {
  const read = readUntrusted(entry.path, { most: longestTodo });
  if (read.kind === "absent") return []; // finished meanwhile
  if (read.kind === "refused") return [{ ...entry, identity: `\n${read.why}` }];
  if (isPacked(entry.path) && !read.bytes.includes(" refs/replace/")) return []; // it may be long
  if (isRemembered(entry.path)) return read.bytes.length > 0 ? [{ ...entry, identity: `\n${read.bytes.toString("latin1")}` }] : [];
  if (isShallow(entry.path)) return [{ ...entry, identity: "\nshallow" }]; // git moves the end of a history that has one
  const commands = read.bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => runsProgram(line, entry.path));
  return commands.length > 0 ? [{ ...entry, identity: `\n${commands.join("\n")}` }] : [];
}

/** git-pack-refs(1); git-replace(1): by such a reference git reads another version of a file wherever it should read the one that was committed. */
export const isPacked = (path: string) => basename(path).toLowerCase() === "packed-refs";

/** git-clone(1), --depth: the commits at which git takes the history to end. */
const isShallow = (path: string) => basename(path).toLowerCase() === "shallow";

/** git-rerere(1): files whose contents the next commit copies into `.git`, where commands may read them. */
const isRemembered = (path: string) => basename(path).toLowerCase() === "merge_rr";

/** A strategy that is not git's own is a program, found below the tree if its name has a slash. */
function runsProgram(line: string, path: string): boolean {
  if (isPacked(path)) return line.includes(" refs/replace/");
  if (/\/bisect_start$/i.test(path)) return line.startsWith("-"); // what git checkout is given at the end of a bisect
  if (path.endsWith("/strategy")) return !/^(?:ort|recursive|resolve|octopus|ours|subtree)?$/.test(line);
  if (path.endsWith("/opts")) return /\bstrategy\b(?!-option|\s*=\s*(?:ort|recursive|resolve|octopus|ours|subtree)\s*$)/i.test(line);
  return /^\s*(x|exec)\s/.test(line);
}

/** path_resolution(7): 4096 bytes for a name in it, and the sandbox puts its own folder before it. What lies deeper has no name of its own. */
const isTooLong = (path: string) => path.length > 1000 && Buffer.byteLength(path) > 3500;

const longestTodo = 16 * 1024 * 1024;

const kindOf = (entry: Pick<Dirent, "isDirectory" | "isSymbolicLink">): Entry["kind"] =>
  entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file";

const namesIn = withRetry((path: string) => readdirSync(rawPath(path), { withFileTypes: true, encoding: "buffer" }));

const stampOf = ({ dev, ino, mtimeNs, ctimeNs }: BigIntStats) => `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
