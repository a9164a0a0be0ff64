// What new commits add to a repository, as reported by git's hook `reference-transaction` before a reference changes.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HeadMark } from "../../../agent/ports/repository-port.ts";
import type { Change } from "../../../secrets/commit-gate.ts";
import { git, repositoryPlace } from "../own-git.ts";
import { entryAt, readUntrusted } from "../untrusted-file.ts";
import { blobs, parseBatch } from "./repository-files.ts";

/** A line of the hook's input. `old` may be zeros for an existing reference, if its writer did not check it. */
type Update = { ref: string; id: string };

/** `hidden`: the file that lists hidden paths, if there is one. */
type NewCommits = { folder: string; hidden: string | undefined };

/** Commit by commit, and the messages of tags. Throws if git fails: changes that could not be scanned must not count as clean. */
export async function* newChanges({ folder, hidden }: NewCommits, input: string): AsyncGenerator<Change> {
  const updates = input.split("\n").flatMap(updateOf);
  const seen = new Set<string>();
  const isHidden = await hiddenIn(folder, hidden);
  for (const { ref, id } of updates) {
    const { tip, type } = await tipAndType(folder, { ref, id });
    if (type === "blob") yield { files: await blobs(folder, [{ path: ref, id }]), messages: [], hidden: [], before: async () => [] };
    if (type === "tag") yield { files: [], messages: [await must(folder, ["cat-file", "tag", id])], hidden: [], before: async () => [] };
    if (type !== "commit" && type !== "tag") continue;
    const listed = (await must(folder, ["rev-list", "--reverse", id, "--not", ...known(ref, tip)])).toString("utf8");
    const commits = listed.split("\n").filter((commit) => commit !== "" && !seen.has(commit));
    for (const commit of commits) seen.add(commit);
    // Commits on a local branch are already someone's decision, and are only merged here.
    const made =
      isHidden && commits.length > 0 ? (await must(folder, ["rev-list", id, "--not", "--all"])).toString("utf8").split("\n") : [];
    yield* changesOf(folder, commits, { tip, isHidden, made: new Set(made) });
  }
}

/** Undefined outside a repository, and before its first commit. */
export async function headMark(folder: string): Promise<HeadMark | undefined> {
  const found = await repositoryPlace(folder);
  return found.kind === "found" ? markOf(join(found.place.gitDir, "logs/HEAD")) : undefined;
}

export const markOf = (log: string): HeadMark => ({ log, bytes: entryAt(log)?.size ?? 0 });

/** A command adds some lines to the log; more than this is not looked through, and reported. */
const mostLog = 16 * 1024 * 1024;

/** The commits made on HEAD since then, each as `newChanges` yields it. */
export async function* madeSince(folder: string, { log, bytes }: HeadMark): AsyncGenerator<Change> {
  const added = readUntrusted(log, { most: mostLog, from: bytes });
  if (added.kind === "refused") throw new Error(`${log} ${added.why}`);
  const text = added.kind === "read" ? added.bytes.toString("utf8") : "";
  const made = text.split("\n").flatMap((line) => {
    const [, before, commit] = /^([0-9a-f]+) ([0-9a-f]+) [^\t]*\t(?:commit|cherry-pick|revert|am|rebase|merge|pull)\b/.exec(line) ?? [];
    return before && commit && !line.endsWith(": Fast-forward") ? [{ before, commit }] : [];
  });
  if (made.length === 0) return;
  const own = await must(folder, ["rev-list", ...made.map(({ commit }) => commit), "--not", "--remotes"]);
  const unknown = new Set(own.toString("utf8").split("\n"));
  for (const { before, commit } of made)
    if (unknown.has(commit)) yield* changesOf(folder, [commit], { tip: /[1-9a-f]/.test(before) ? before : undefined });
}

function updateOf(line: string): Update[] {
  const [, id, ref] = /^\S+ ([0-9a-f]*[1-9a-f][0-9a-f]*) (.+)$/.exec(line) ?? [];
  return id && ref && !fetchedOrPassing.test(ref) ? [{ id, ref }] : [];
}

/**
 * Fetched commits come from others and are public already; stashes and temporary references are not commits yet. The same list as in
 * commit-gate.sh.
 */
const fetchedOrPassing = /^(?:refs\/(?:remotes|stash|bisect|rewritten|prefetch)(?:\/|$)|(?!HEAD$)[A-Z_]+$)/;

/** `tip`: the current commit of the reference. */
async function tipAndType(folder: string, { ref, id }: Update): Promise<{ tip: string | undefined; type: string }> {
  const answers = (await must(folder, ["cat-file", "--batch-check"], `${ref}\n${id}\n`)).toString("utf8").split("\n");
  const [before, object] = answers.map((answer) => /^([0-9a-f]+) (\w+) \d+$/.exec(answer));
  if (!object?.[2]) throw new Error(`git has no object ${id}`);
  return { tip: before?.[1], type: object[2] };
}

/**
 * Commits that count as known: for a branch, its own and those on remotes and the main branch, but not those of local branches merged into
 * it; for a new branch or HEAD, all that exist.
 */
function known(ref: string, tip: string | undefined): string[] {
  return tip === undefined || ref === "HEAD" ? ["--all"] : [tip, "--remotes", "--branches=mai[n]", "--branches=maste[r]"];
}

type Entry = { path: string; id: string; before: string[] };

/** `made`: commits that are on no other reference. */
type Ground = { tip: string | undefined; isHidden?: IsHidden; made?: Set<string> };

async function* changesOf(folder: string, commits: string[], { tip, isHidden, made }: Ground): AsyncGenerator<Change> {
  if (commits.length === 0) return;
  // A merge adds what differs from all its parents (-c); the parents are commits of their own.
  const args = ["diff-tree", "--stdin", "-r", "-c", "--root", "--always", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff"];
  const input = `${commits.join("\n")}\n`;
  const [raw, objects] = await Promise.all([must(folder, args, input), must(folder, ["cat-file", "--batch"], input)]);
  const entries = parseDiffTree(raw.toString("utf8"));
  const messages = parseBatch(objects);
  for (const [at, commit] of commits.entries()) {
    const changed = entries.get(commit) ?? [];
    const message = messages[at];
    yield {
      files: await blobs(folder, changed),
      messages: message ? [message] : [],
      hidden:
        isHidden && made?.has(commit)
          ? await moved(
              folder,
              changed.filter(({ path }) => isHidden(path)),
              tip,
            )
          : [],
      before: async () => {
        const old = changed.flatMap(({ path, before }) => [...before, ...(tip ? [`${tip}:${path}`] : [])]);
        return (
          await blobs(
            folder,
            [...old, ...(tip ? [tip] : [])].map((id) => ({ path: id, id })),
          )
        ).map(({ bytes }) => bytes);
      },
    };
  }
}

/** `<commit>\0`, and for each file `:<modes> <ids> <status>\0<path>\0`, with as many colons, modes and ids as there are parents, and one more. */
function parseDiffTree(output: string): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  const fields = output.split("\0");
  let entries: Entry[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!;
    const colons = /^:+/.exec(field)?.[0].length ?? 0;
    if (colons === 0) {
      entries = [];
      found.set(field.trim(), entries);
      continue;
    }
    const words = field.slice(colons).split(" ");
    const ids = words.slice(colons + 1, 2 * colons + 2);
    const isModule = words[colons] === "160000"; // the commit of a submodule is not content of this repository
    const path = fields[++at] ?? "";
    const isThere = (id: string) => /[1-9a-f]/.test(id);
    const id = ids.at(-1) ?? "";
    entries.push({ path, id: isThere(id) && !isModule ? id : "", before: ids.slice(0, -1).filter(isThere) });
  }
  return found;
}

type IsHidden = (path: string) => boolean;

/** Files whose version is in none of the parents, nor in the previous commit of the reference if this one replaces it. */
async function moved(folder: string, changed: Entry[], tip: string | undefined): Promise<string[]> {
  const entries = changed.filter(({ before }) => before.length > 0);
  if (entries.length === 0 || tip === undefined) return entries.map(({ path }) => path);
  const input = entries.map(({ path }) => `${tip}:${path}\n`).join("");
  const answers = (await must(folder, ["cat-file", "--batch-check"], input)).toString("utf8").split("\n");
  return entries.filter(({ id }, at) => (/^([0-9a-f]+) \w+ \d+$/.exec(answers[at] ?? "")?.[1] ?? "") !== id).map(({ path }) => path);
}

/** Reads the list that repository-history.ts has written, for the repository of this folder. */
async function hiddenIn(folder: string, list: string | undefined): Promise<IsHidden | undefined> {
  if (!list || !existsSync(list)) return undefined;
  const { stdout } = await git(folder, ["rev-parse", "--show-toplevel"]);
  const top = stdout.toString("utf8").replace(/\n$/, "");
  const all = JSON.parse(readFileSync(list, "utf8")) as [string, string[]][];
  const paths = all.find(([each]) => each === top)?.[1] ?? [];
  const folders = paths.filter((path) => path.endsWith("/"));
  const files = new Set(paths);
  return paths.length === 0 ? undefined : (path) => files.has(path) || folders.some((each) => path.startsWith(each));
}

async function must(folder: string, args: string[], input = ""): Promise<Buffer> {
  const { code, stdout, stderr } = await git(folder, args, { input });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim() || `it ended with ${code}`}`);
  return stdout;
}
