// Commits that no other machine has, in one session: kept beside the copies of files before commands run. What a command removes of them from the
// repository is put back, and what it takes the last name from is said with a command that names it again.
import { plural } from "../../wording/figures.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { visible } from "../../wording/visible.ts";
import type { CommitPack, CommitStore, PackOrder, References } from "../ports/repository-port.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import type { FileVersions } from "./file-versions.ts";

export type KeptCommits = {
  /** Resolves once all commits are kept that a branch, a tag or a stash names. Returns what the person has to know. Never rejects. */
  keep(signal: AbortSignal): Promise<string[]>;
  areKept(): boolean;
  /** After a command: puts back what is gone. Returns a sentence for each name that is. */
  lost(): Promise<string[]>;
};

/**
 * `stashes`: the newest first. `kept`: the commits that the packs have, with all that they need but for what other machines have, or what is in `base`.
 * `packs`: how many there are.
 */
type Kept = { refs: [ref: string, id: string][]; stashes: string[]; base: string[]; kept: string[]; packs: number };

type Ports = Pick<WorkspacePorts, "references"> & { store: CommitStore };

const mostNamed = 5;
/** Of all packs of a session. */
const mostBytes = 128 * 1024 * 1024;

/** Goes on with what earlier processes of the session have kept. */
export function keptCommits({ disk, folder }: FileVersions, cwd: string, { references, store }: Ports): KeptCommits {
  const file = `${folder}/commits.json`;
  let state = readKept(disk.read(file)?.toString("utf8"));
  let last: References | undefined;

  async function add(now: References, signal: AbortSignal): Promise<string | undefined> {
    const own = ownOf(now);
    const stashes = now.ids.has("refs/stash") ? await store.stashes(now.top) : [];
    const remote = [...now.ids].flatMap(([ref, id]) => (ref.startsWith("refs/remotes/") && isId(id) ? [id] : []));
    const base = state?.base ?? (remote.length === 0 ? await store.largeHistory(now.top) : []);
    const except = new Set([...base, ...remote, ...(state?.kept ?? [])]);
    const wanted = [...new Set([...own.map(([, id]) => id), ...stashes])].filter((id) => !except.has(id));
    const { packs = 0 } = state ?? {};
    disk.makeFolder(folder);
    const order = { top: now.top, ids: wanted, except: [...except], to: packOf(folder, packs + 1) };
    const packSizes = Array.from({ length: packs }, (_, at) => disk.size(packOf(folder, at + 1)) ?? 0);
    const isFull = packSizes.reduce((sum, size) => sum + size, 0) > mostBytes;
    const pack = wanted.length === 0 ? undefined : isFull ? tooMuch : await packed(order, signal);
    if (signal.aborted) return undefined;
    const kept = [...(state?.kept ?? []), ...wanted];
    state = { refs: own, stashes, base, kept, packs: packs + (pack?.kind === "packed" ? 1 : 0) };
    disk.replace(file, JSON.stringify(state));
    last = now;
    return pack?.kind === "failed" ? pack.why : undefined;
  }

  /** Without those whose objects are not there any more, once git has refused them. */
  async function packed(order: PackOrder, signal: AbortSignal): Promise<CommitPack> {
    const pack = await store.pack(order, signal);
    if (pack.kind === "packed" || signal.aborted) return pack;
    const gone = new Set(await store.missing(order.top, [...order.ids, ...order.except]));
    const isThere = (id: string) => !gone.has(id);
    return gone.size === 0 ? pack : store.pack({ ...order, ids: order.ids.filter(isThere), except: order.except.filter(isThere) }, signal);
  }

  /** Returns whether objects were gone. */
  async function putBack(top: string): Promise<boolean> {
    const { kept = [], packs = 0 } = state ?? {};
    if ((await store.missing(top, kept)).length === 0) return false;
    for (let at = 1; at <= packs; at++) await store.unpack(top, packOf(folder, at));
    return true;
  }

  return {
    areKept: () => (state?.kept.length ?? 0) > 0,
    async keep(signal) {
      try {
        const now = await references.look(cwd, last);
        const why = now && now !== last ? await add(now, signal) : undefined;
        return why === undefined ? [] : [`Commits that only this repository has are not kept before commands: ${why}`];
      } catch (error) {
        return [`Commits that only this repository has are not kept before commands: ${(error as Error).message}`];
      }
    },
    async lost() {
      const before = state;
      const now = before && (await references.look(cwd, last));
      if (!now || now === last) return [];
      last = undefined; // looked at anew before the next command
      const changed = before.refs.filter(([ref, id]) => now.ids.get(ref) !== id);
      if (changed.length === 0) return [];
      return lostTexts({ changed, stashes: before.stashes, now, wereRemoved: await putBack(now.top) }, store);
    },
  };
}

type Lost = { changed: Kept["refs"]; stashes: readonly string[]; now: References; wereRemoved: boolean };

/** Where a branch is somewhere else now, git's own log leads back, unless that was emptied: then objects were removed, too. */
async function lostTexts({ changed, stashes, now, wereRemoved }: Lost, store: CommitStore): Promise<string[]> {
  const texts: (string | undefined)[] = [];
  const lost = changed.filter(([ref]) => wereRemoved || ref === "refs/stash" || !now.ids.has(ref));
  for (const [ref, id] of lost.slice(0, mostNamed)) {
    const isGone = !now.ids.has(ref);
    if (ref === "refs/stash") texts.push(stashText(stashes, isGone ? [] : await store.stashes(now.top)));
    else {
      const count = await store.unnamed(now.top, id, { logged: !isGone });
      texts.push(count === undefined ? goneText(ref, id) : nameText(ref, id, { isGone, count }));
    }
  }
  return texts.filter((text) => text !== undefined);
}

function stashText(before: readonly string[], now: readonly string[]): string | undefined {
  const gone = before.filter((id) => !now.includes(id));
  if (gone.length === 0) return undefined;
  const commands = gone.slice(0, mostNamed).map((id) => `git stash store ${short(id)}`);
  return `${plural(gone.length, "stash", "stashes")} gone · ${commands.join("; ")} ${gone.length === 1 ? "brings it" : "brings them"} back`;
}

const tooMuch: CommitPack = { kind: "failed", why: "they are too many in this session" };
const packOf = (folder: string, at: number) => `${folder}/commits-${at}.pack`;
const isId = (id: string) => /^[0-9a-f]+$/.test(id);
const short = (id: string) => id.slice(0, 12);
const ownOf = ({ ids }: References) => [...ids].filter(([ref, id]) => isId(id) && !ref.startsWith("refs/remotes/"));

const goneText = (ref: string, id: string) =>
  `${visible(ref.replace(/^refs\/(?:heads|tags)\//, ""))} was at ${short(id)}: git has removed what it needs, which was too much to keep`;

function nameText(ref: string, id: string, { isGone, count }: { isGone: boolean; count: number }): string | undefined {
  if (count === 0) return undefined;
  const [, kind, name = ref] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  const command = kind === undefined ? "git update-ref" : kind === "tags" ? "git tag" : "git branch";
  const again = `${command} ${shellWord(isGone ? name : `${name}-before`)} ${short(id)}`;
  const what = `${plural(count, "commit")} that no branch has any more`;
  return isGone
    ? `${visible(name)} is gone, with ${what} · ${again} brings it back`
    : `${visible(name)} has lost ${what} · ${again} keeps them`;
}

function readKept(text: string | undefined): Kept | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Kept);
  } catch {
    return undefined;
  }
}
