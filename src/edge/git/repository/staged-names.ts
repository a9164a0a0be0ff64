// What an index names: git writes each file of it into the tree or wherever its path leads, and does not check again a path that it finds in one.
// A command may have written the index byte by byte, so that git is asked what it reads there.
import { createHash } from "node:crypto";
import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Brought, Staged, StagedOrder } from "../../../agent/ports/repository-port.ts";
import { ifPossible } from "../../system-error.ts";
import { inOwnFolder } from "../own-folder.ts";
import { git, ownGit, repositoryPlace } from "../own-git.ts";
import { entryAt, readUntrusted } from "../untrusted-file.ts";
import { isIndexName } from "./gitlinks.ts";
import { asText, blobOf } from "./moved-references.ts";
import { putFile } from "./put-file.ts";
import { stamp, worktreesIn } from "./references.ts";

/** One with more is not looked through. */
const mostBytes = 32 * 1024 * 1024;

/** `folder`: git's, of a checkout. `head`: what it is at, as git is asked for it. */
type Checkout = { folder: string; head: string };

/**
 * The special files in each index of a folder's repository, by the paths of the indexes, and with `isOwn` of the folder's own checkout alone; `last` has
 * those that have not changed. Takes out of them what git never puts there, and returns those paths in `forged`. Where agents work in many others, some
 * are looked at later. Undefined without a repository. Never rejects.
 */
export async function stagedFiles(
  folder: string,
  { isSpecial, isOwn = false }: StagedOrder,
  last: ReadonlyMap<string, Staged> = new Map(),
): Promise<{ staged: Map<string, Staged>; forged: string[] } | undefined> {
  const found = await repositoryPlace(folder);
  if (found.kind !== "found") return undefined;
  const { top, gitDir, commonDir } = found.place;
  const staged = new Map<string, Staged>();
  const forged: string[] = [];
  let left = mostOthers;
  for (const { folder: at } of checkoutsOf(gitDir, commonDir)) {
    if (isOwn && at !== gitDir) continue;
    const index = join(at, "index");
    const before = last.get(index);
    const mark = markOf(at);
    if (mark === undefined) continue;
    if (at !== gitDir && before?.mark !== mark) left--;
    const isKept = before?.mark === mark || (at !== gitDir && left < 0);
    if (isKept) {
      if (before) staged.set(index, before);
      continue;
    }
    const { forged: never, ...now } = await lookedAt(top, { at, index, mark }, isSpecial);
    staged.set(index, now);
    forged.push(...never);
  }
  return { staged, forged };
}

/** Of those that have changed since the last look. */
const mostOthers = 4;

/** Without what git never puts there. */
async function lookedAt(
  top: string,
  { at, index, mark }: { at: string; index: string; mark: string },
  isSpecial: (path: string) => boolean,
): Promise<Staged & { forged: string[] }> {
  const entries = await entriesOf(top, index);
  const never = new Set(entries.filter(({ path }) => isForged(path)));
  if (never.size > 0) await keepOnly(top, index, { entries, never });
  const special = entries.flatMap((entry): [string, string][] =>
    !never.has(entry) && isSpecial(asText(entry.path)) ? [[asText(entry.path), entry.line.slice(0, -2)]] : [],
  );
  const now = never.size > 0 ? (markOf(at) ?? mark) : mark;
  return { mark: now, special: new Map(special), forged: [...never].map(({ path }) => asText(path)) };
}

/** The special files that an index has come to have, as they are neither in the tree nor in the commit that is checked out. */
export async function stagedSince(
  folder: string,
  before: ReadonlyMap<string, Staged>,
  now: ReadonlyMap<string, Staged>,
): Promise<Brought[]> {
  const found = await repositoryPlace(folder);
  if (found.kind !== "found") return [];
  const { top, gitDir, commonDir } = found.place;
  const brought: Brought[] = [];
  for (const { folder: at, head } of checkoutsOf(gitDir, commonDir)) {
    const index = join(at, "index");
    const last = before.get(index)?.special;
    const added = [...(now.get(index)?.special ?? [])].filter(([path, is]) => last?.get(path) !== is);
    const isOwn = at === gitDir;
    const others = added.filter(([path, is]) => !isOwn || idIn(is) !== blobOf(join(top, path), idIn(is).length));
    const input = others.map(([path]) => `${head}:${path}\n`).join("");
    const { stdout } = input === "" ? { stdout: "" } : await git(top, ["cat-file", "--batch-check=%(objectname)"], { input });
    const committed = stdout.toString("utf8").split("\n");
    const files = others.flatMap(([path, is], place) => (committed[place] === idIn(is) ? [] : [path]));
    if (files.length > 0) brought.push({ name: isOwn ? "git's index" : `git's index of ${head.replace(/\/HEAD$/, "")}`, id: "", files });
  }
  return brought;
}

function checkoutsOf(gitDir: string, commonDir: string): Checkout[] {
  const worktrees = worktreesIn(commonDir).slice(0, mostCheckouts);
  return [
    { folder: commonDir, head: gitDir === commonDir ? "HEAD" : "main-worktree/HEAD" },
    ...worktrees.map((name) => ({ folder: join(commonDir, "worktrees", name), head: `worktrees/${name}/HEAD` })),
  ];
}

const mostCheckouts = 500;

/** Also of the files that a split index shares with others; undefined without an index. */
function markOf(folder: string): string | undefined {
  const names = (ifPossible(() => readdirSync(folder)) ?? []).filter(isIndexName);
  const stamps = names.map((name) => `${name} ${stamp(join(folder, name), Number.POSITIVE_INFINITY)}`);
  return names.includes("index") ? stamps.join("\n") : undefined;
}

/** `path`: its bytes. `line`: mode, id and stage. */
type Entry = { path: string; line: string };

async function entriesOf(top: string, index: string): Promise<Entry[]> {
  if ((entryAt(index)?.size ?? 0) > mostBytes) return [];
  const { stdout } = await git(top, ["ls-files", ...listing], { index, headBytes: 4 * mostBytes });
  return entriesIn(stdout.toString("latin1"));
}

const listing = ["--stage", "--full-name", "-z"];

function entriesIn(text: string): Entry[] {
  const entries: Entry[] = [];
  for (let from = 0, to = text.indexOf("\0"); to !== -1; from = to + 1, to = text.indexOf("\0", from)) {
    const at = text.indexOf("\t", from);
    entries.push({ path: text.slice(at + 1, to), line: text.slice(from, at) });
  }
  return entries;
}

const idIn = (is: string) => is.slice(is.indexOf(" ") + 1);

/** As git checks a path before it takes it into an index: git-update-index(1), `core.protectHFS` and `core.protectNTFS` of git-config(1). */
function isForged(path: string): boolean {
  if (!maybeForged.test(path)) return false;
  const parts = asText(path)
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .split("/");
  return parts.some((part) => part === "" || part === "." || part === ".." || isGits.test(part));
}

/** Few paths have such a part; some file systems leave out characters that are no ASCII. */
const maybeForged = /(?:^|\/)(?:\/|$|\.\.?(?:\/|$)|\.?g)|[^ -~]/i;
const isGits = /^(?:\.git|git~1)[ .]*(?::.*)?$/is;

/**
 * git takes out no path that it would not put in. They are cut out of the bytes, so that the others keep what git has marked them with
 * (`skip-worktree`, `assume-unchanged`, `intent-to-add`); an index that cannot be cut is written anew with the others. No command can write there.
 */
function keepOnly(top: string, index: string, { entries, never }: { entries: Entry[]; never: ReadonlySet<Entry> }): Promise<void> {
  return inOwnFolder(async (place) => {
    const kept = entries.filter((entry) => !never.has(entry));
    const made = join(place, "index");
    const call = { env: { GIT_INDEX_FILE: made }, writable: [place], binary: true };
    const says = (args: string[], input?: Buffer) => ownGit({})(top, args, { ...call, ...(input && { input }) });
    const seconds = Math.floor((entryAt(index)?.mtimeMs ?? 0) / 1000); // git trusts no times that are as new as their index
    const isKept = async () => {
      const { code, stdout } = await says(["ls-files", ...listing]);
      const lines = entriesIn(stdout).map(({ path, line }) => `${line}\t${path}`);
      return code === 0 && lines.join("\0") === kept.map(({ path, line }) => `${line}\t${path}`).join("\0");
    };
    const old = readUntrusted(index, { most: mostBytes });
    if (old.kind !== "read") return;
    writeFileSync(made, old.bytes);
    utimesSync(made, seconds, seconds);
    const { code } = await says(["update-index", "--index-version", "2", "--force-write-index"]);
    const whole = code === 0 ? readUntrusted(made, { most: mostBytes }) : undefined;
    const cut = whole?.kind === "read" ? withoutEntries(whole.bytes, never) : undefined;
    if (cut) writeFileSync(made, cut);
    if (!cut || !(await isKept())) {
      rmSync(made);
      const input = Buffer.from(kept.map(({ path, line }) => `${line}\t${path}\0`).join(""), "latin1");
      if ((await says(["update-index", "-z", "--index-info"], input)).code !== 0) return; // the next look comes back to it
    }
    const written = readUntrusted(made, { most: mostBytes });
    if (written.kind === "read") ifPossible(() => putFile(index, written.bytes, seconds));
  });
}

/** gitformat-index(5), versions 2 and 3, as git has just written it; without what git knows of folders. Undefined if it ends too early. */
function withoutEntries(bytes: Buffer, never: ReadonlySet<Entry>): Buffer | undefined {
  const [first] = never;
  const id = first?.line.split(" ")[1]?.length === 64 ? 32 : 20;
  const paths = new Set([...never].map(({ path }) => path));
  const kept: Buffer[] = [];
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + 42 + id > bytes.length) return undefined;
    const name = at + 42 + id + (bytes.readUInt16BE(at + 40 + id) & 0x4000 ? 2 : 0);
    const end = bytes.indexOf(0, name);
    const next = at + ((end - at + 8) & ~7);
    if (end === -1 || next > bytes.length) return undefined;
    if (!paths.has(bytes.toString("latin1", name, end))) kept.push(bytes.subarray(at, next));
    at = next;
  }
  const header = Buffer.from(bytes.subarray(0, 12));
  header.writeUInt32BE(kept.length, 8);
  const body = Buffer.concat([header, ...kept]);
  return Buffer.concat([
    body,
    createHash(id === 32 ? "sha256" : "sha1")
      .update(body)
      .digest(),
  ]);
}
