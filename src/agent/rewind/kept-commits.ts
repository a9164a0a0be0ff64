// Commits that no other machine has, in one session: kept beside the copies of files before commands run. What commands remove of them from the
// repository is put back as long as the session lasts, and what they take the last name from is said with a command that names it again.
import { errorText } from "../../wording/error-text.ts";
import type { CommitStore, NameOrder, ObjectList, PackOrder, References } from "../ports/repository-port.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { jsonLine } from "../session/json-lines.ts";
import type { FileVersions } from "./file-versions.ts";
import { commitWords, type LostName } from "./lost-commits.ts";
import type { MadeRemotes } from "./made-remotes.ts";

export type KeptCommits = {
  /**
   * Resolves once all commits are kept that a branch, a tag, a stash or a checkout names. `isBeside`: another command runs, so that what has changed
   * since may be its doing. Returns what the person has to know. Never rejects.
   */
  keep(signal: AbortSignal, isBeside: boolean): Promise<string[]>;
  areKept(): boolean;
  /**
   * After a command: puts back what is gone. `isFetch`: what it has made of the references of other machines is believed. Returns a sentence for each
   * name that is gone. Never rejects.
   */
  lost(isFetch: boolean): Promise<string[]>;
};

/**
 * `refs`: with their ids, also of checkouts without a branch. `logged`: what only git's log of a name leads to. `stashes`: the newest first.
 * `elsewhere`: what other machines had when the session began, but for what a command has made, or the history that is too much to keep. `kept`: the
 * commits that the packs have, with all that they need beside those.
 */
type Kept = { refs: Name[]; logged?: Name[]; stashes: string[]; elsewhere: string[]; kept: string[]; packs: number };
type Name = [ref: string, id: string];

type Ports = Pick<WorkspacePorts, "references" | "timeLimit"> & { store: CommitStore; remotes: MadeRemotes };

/** Of all packs of a session. */
const mostBytes = 128 * 1024 * 1024;
/** Commits that are packed one by one, where git refuses them together. */
const mostSingle = 20;
/** Each amended commit is one. */
const mostLogged = 100;
/** For all that is done after a command. */
const limitMs = 20_000;

/** Goes on with what earlier processes of the session have kept. */
export function keptCommits({ disk, folder }: FileVersions, cwd: string, { references, timeLimit, store, remotes }: Ports): KeptCommits {
  const file = `${folder}/commits.json`;
  const { pack, putBack } = commitPacks({ disk, folder }, store);
  let [state] = jsonLine<Kept>(disk.read(file)?.toString("utf8") ?? "");
  let last: References | undefined;
  let objects: ObjectList | undefined;
  let wasUnseen = false;

  /** Returns why not all could be kept. */
  async function add(now: References, signal: AbortSignal): Promise<string | undefined> {
    const refs = namesOf(now);
    const stashes = now.ids.has("refs/stash") ? await store.stashes(now.top) : [];
    const elsewhere = state?.elsewhere ?? (await elsewhereOf(now, { store, remotes }));
    const kept = new Set(state?.kept);
    const known = new Set([...elsewhere, ...kept]);
    const wanted = [...new Set([...refs.map(([, id]) => id), ...stashes])].filter((id) => !known.has(id));
    const next: Kept = { refs, logged: state?.logged ?? [], stashes, elsewhere, kept: [...kept], packs: state?.packs ?? 0 };
    const why = wanted.length > 0 ? await pack(next, { top: now.top, ids: wanted, except: [...known] }, signal) : undefined;
    if (signal.aborted) return undefined;
    disk.makeFolder(folder);
    disk.replace(file, JSON.stringify(next));
    state = next;
    last = now;
    return why;
  }

  async function changed(before: Kept, now: References, { wereRemoved, isFetch }: Change): Promise<string[]> {
    if (!isFetch) remotes.moved(new Map(before.refs), now);
    const left = now.ids.has("refs/stash") && before.stashes.length > 0 ? await store.stashes(now.top) : [];
    const names = changedNames(before, now);
    state = { ...before, refs: namesOf(now), stashes: left };
    const { lost, logged } = await unnamedOf(names, now.top, { store, signal: timeLimit(limitMs), wereRemoved });
    state = { ...state, logged };
    disk.replace(file, JSON.stringify(state));
    return commitWords.lost(
      lost,
      before.stashes.filter((id) => !left.includes(id)),
    );
  }

  return {
    areKept: () => (state?.kept.length ?? 0) > 0,
    async keep(signal, isBeside) {
      try {
        const now = await references.look(cwd, last);
        if (!now) return [];
        const texts =
          state && now !== last && (isBeside || wasUnseen) ? await changed(state, now, { wereRemoved: wasUnseen, isFetch: false }) : [];
        wasUnseen = false;
        const why = now === last ? undefined : await add(now, signal);
        objects = store.objects(now.top, objects);
        return [...texts, ...(why === undefined ? [] : [commitWords.notKept(why)])];
      } catch (error) {
        return [commitWords.notKept(errorText(error))];
      }
    },
    async lost(isFetch) {
      try {
        const now = state && (await references.look(cwd, last));
        if (!state || !now) {
          const isNew = !wasUnseen && (state?.packs ?? 0) > 0;
          wasUnseen = state !== undefined;
          return isNew ? [commitWords.noRepository(folder)] : [];
        }
        const after = store.objects(now.top, objects);
        const wereRemoved = !objects || [...objects.names].some((name) => !after.names.has(name));
        objects = after;
        if (now === last && !wereRemoved) return [];
        const failed = wereRemoved ? await putBack(state, now.top, timeLimit(limitMs)) : [];
        const texts = await changed(state, now, { wereRemoved, isFetch });
        last = undefined; // looked at anew before the next command
        return [...failed, ...texts];
      } catch (error) {
        return [commitWords.notKept(errorText(error))];
      }
    },
  };
}

type Change = { wereRemoved: boolean; isFetch: boolean };

/** The packs of a session, in the folder of its versions. */
function commitPacks({ disk, folder }: Pick<FileVersions, "disk" | "folder">, store: CommitStore) {
  const packOf = (at: number) => `${folder}/commits-${at}.pack`;
  return {
    /** Adds what it has packed. Returns why that is not all. */
    async pack(into: Kept, order: Omit<PackOrder, "to">, signal: AbortSignal): Promise<string | undefined> {
      const sizes = Array.from({ length: into.packs }, (_, at) => disk.size(packOf(at + 1)) ?? 0);
      if (sizes.reduce((sum, size) => sum + size, 0) > mostBytes) return "they are too many in this session";
      disk.makeFolder(folder);
      const one = async (part: Omit<PackOrder, "to">) => {
        const made = await store.pack({ ...part, to: packOf(into.packs + 1) }, signal);
        if (made.kind === "failed") return made.why;
        into.packs++;
        into.kept.push(...part.ids);
        return undefined;
      };
      let why = await one(order);
      if (why === undefined || signal.aborted) return why;
      const gone = new Set(await store.missing(order.top, [...order.ids, ...order.except]));
      const except = order.except.filter((id) => !gone.has(id));
      const singles = order.ids.filter((id) => !gone.has(id)).slice(0, mostSingle);
      if (singles.length > 0) why = undefined;
      for (const id of singles) why = (await one({ top: order.top, ids: [id], except })) ?? why;
      return why;
    },

    /** Where objects were removed. Returns what could not be put back. */
    async putBack({ packs }: Kept, top: string, signal: AbortSignal): Promise<string[]> {
      for (let at = 1; at <= packs; at++) {
        const why = await store.unpack(top, packOf(at), signal);
        if (why !== undefined) return [commitWords.notPutBack(why, packOf(at))];
      }
      return [];
    },
  };
}

const namesOf = ({ ids, heads }: References): Name[] => [...[...ids].filter(([ref]) => ref !== "refs/stash"), ...heads];

/** Those that are gone or something else now, with those that only a log led to. */
function changedNames(before: Kept, { ids, heads }: References): LostName[] {
  const changed = before.refs.flatMap(([ref, id]): LostName[] => {
    const now = ids.get(ref) ?? heads.get(ref);
    return now === id ? [] : [{ ref, id, isGone: now === undefined, isWhole: true }];
  });
  const logged = (before.logged ?? []).filter(([ref, id]) => !changed.some((one) => one.ref === ref && one.id === id));
  return [...changed, ...logged.map(([ref, id]) => ({ ref, id, isGone: false, isWhole: true }))];
}

/** What a command makes of the references of other machines is not believed, in this session and later ones. */
async function elsewhereOf(now: References, { store, remotes }: Pick<Ports, "store" | "remotes">): Promise<string[]> {
  const named = new Set(now.ids.values());
  const believed = [...new Set(remotes.believed(now))];
  const former = believed.filter((id) => !named.has(id));
  const gone = new Set(former.length > 0 ? await store.missing(now.top, former) : []);
  const elsewhere = believed.filter((id) => !gone.has(id));
  return elsewhere.length > 0 ? elsewhere : store.largeHistory(now.top);
}

type Asking = { store: CommitStore; signal: AbortSignal; wereRemoved: boolean };

/** Which names hold on to the commits of a lost one: the next fetch or prune may take away any other. */
const holdersOf = (ref: string): NameOrder["holders"] =>
  /^refs\/(?:heads|tags)\//.test(ref) ? "branches" : ref.startsWith("refs/remotes/") ? "all" : "own";

/**
 * Those to whose commits no name of their kind leads any more, and those to which only git's log of a name does that has moved. All of them are lost
 * if objects were removed and git does not say.
 */
async function unnamedOf(
  names: readonly LostName[],
  top: string,
  { store, signal, wereRemoved }: Asking,
): Promise<{ lost: LostName[]; logged: Name[] }> {
  const found = async (some: readonly LostName[], logged: boolean): Promise<Set<LostName> | undefined> => {
    const unnamed: LostName[] = [];
    for (const holders of ["branches", "own", "all"] as const) {
      const ofKind = some.filter(({ ref }) => holdersOf(ref) === holders);
      const ids = [...new Set(ofKind.map(({ id }) => id))];
      const are = ids.length === 0 ? new Set<string>() : await store.unnamed(top, ids, { holders, logged, signal });
      if (!are) return undefined;
      unnamed.push(...ofKind.filter(({ id }) => are.has(id)));
    }
    return new Set(unnamed);
  };
  const unnamed = await found(names, false);
  const isTag = ({ ref, isGone }: LostName) => isGone && ref.startsWith("refs/tags/");
  if (!unnamed) return { lost: names.filter(({ isGone }) => isGone || wereRemoved).map((one) => ({ ...one, isWhole: false })), logged: [] };
  const [gone, moved] = [true, false].map((wanted) => names.filter((one) => one.isGone === wanted && (unnamed.has(one) || isTag(one)))) as [
    LostName[],
    LostName[],
  ];
  const unlogged = await found(moved, true);
  const isLost = (one: LostName) => unlogged === undefined || unlogged.has(one);
  const logged = moved.filter((one) => !isLost(one)).map(({ ref, id }): Name => [ref, id]);
  return { lost: [...gone, ...moved.filter(isLost)], logged: logged.slice(0, mostLogged) };
}
