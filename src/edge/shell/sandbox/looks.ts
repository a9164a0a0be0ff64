// What of the tree must be covered for a command, from a look just before it; or why no command may run as the tree is.

import type { SandboxInputs } from "../../../agent/ports/mounts.ts";
import type { SandboxRequest } from "../../../agent/ports/sandbox-port.ts";
import type { Entry, PathClass } from "../../../permissions/sandbox/sandbox-view.ts";
import { isRaw } from "../../disk/raw-path.ts";
import { gitFolders } from "../../git/places.ts";
import { isBelow, isNeeded, whyRefused } from "./closed-folders.ts";
import { linkedRepositories } from "./linked-repositories.ts";
import { ledTo } from "./links/led-to.ts";
import { type Led, type LinkMemory, linkMemory } from "./links/link-memory.ts";
import { existing } from "./new-entries.ts";
import { inPlan } from "./state-folder.ts";
import { classifiedTree, type Found, type Opening, type TreeLook } from "./tree.ts";

type Looked = Omit<Extract<TreeLook, { kind: "seen" }>, "kind">;

/** What a look at the tree found, and what of it must be covered. */
export type Seen = Looked & { exceptions: SandboxInputs["exceptions"] };

/**
 * Why no command may run as long as the tree is like that, a whole sentence without its full stop. `beyond`: what a sandbox cannot cover, which at
 * the start of a session is the person's tree and not what somebody made of it.
 */
export type Refused = { refused: string; beyond?: string };

/** For those who open no sandbox: what a session's could not cover at its start, half a sentence. */
export function beyondSandbox([cwd = "/", ...directories]: string[], rules: SandboxRequest["rules"]): string | undefined {
  const found = looks([...new Set([cwd, ...directories, ...gitFolders(cwd)])], { rules }).before();
  return "refused" in found ? found.beyond : undefined;
}

type Looking = Pick<SandboxRequest, "rules"> & { temporary?: string; memory?: LinkMemory; elsewhere?: () => Led[] };

export function looks(writable: string[], { rules, temporary, memory = linkMemory(), elsewhere = () => [] }: Looking) {
  const newLook = () => {
    const linked = linkedRepositories([...writable, ...(temporary === undefined ? [] : [temporary, inPlan(temporary)])]);
    const { classOf, hidesByName } = rules();
    return classifiedTree(writable, { classOf, packages: hidesByName, linked });
  };
  const newNear = () => classifiedTree(writable, { classOf: rules().classOf, packages: false, near: true });
  let look = newLook();
  let near = newNear();
  let last: Seen = { entries: [], closed: [], bare: [], exceptions: [] };
  const led = ledTo({ memory, writable, classOf: (entry) => rules().classOf(entry), elsewhere });
  /** What is there may change with each command of any member: a refusal does not outlast it. */
  const seen = (found: TreeLook): Seen | Refused => {
    if (found.kind === "too_large") return tooMany("folders", `more than ${found.folders} folders`, { places: found.seen, writable });
    if (found.unread !== undefined) return unread(found.unread.message);
    const earlier = led.places().filter(({ end }) => end === undefined || !isNeeded(end, writable));
    const exceptions = exceptionsIn({ closed: found.closed, entries: [...found.entries, ...earlier] }, writable);
    const covered = exceptions.filter(isCover).map(({ path }) => path);
    if (covered.length > maxCovers) return tooMany("files", `${covered.length} protected or denied files`, { places: covered, writable });
    last = { ...found, exceptions };
    const refused = whyNot(last, writable);
    return refused === undefined ? last : { refused };
  };
  return {
    looked: (opening?: Opening, most?: number) => look(opening, most),
    /** Where most of what counts would be put, which is seen at once however much else there is. */
    near: (opening?: Opening) => near(opening),
    seen,
    /** `isQuiet`: no command runs, so that nothing which is there is still being made. */
    before(isQuiet = true) {
      let found = look();
      if (isQuiet && found.kind === "seen" && rules().ownFolders?.learn(found.bare)) {
        look = newLook(); // what is in them has another role now
        found = look();
      }
      if (found.kind === "seen") led.before(found.entries);
      return seen(found);
    },
    made: led.made,
    /** As found by the last of them; undefined if no command may run then. */
    last: () => (whyNot(last, writable) === undefined ? last : undefined),
    renew() {
      look = newLook();
      near = newNear();
    },
  };
}

const isCover = ({ visibility }: Seen["exceptions"][number]) => visibility !== "normal";

function whyNot({ entries, closed, exceptions }: Seen, writable: string[]): string | undefined {
  const links = entries.flatMap(({ path, end, visibility }) => (end !== undefined && visibility === "hidden" ? { path, end } : []));
  return whyRefused({ closed, covered: exceptions.filter(isCover).map(({ path }) => path), links }, writable);
}

/** Of a tree in which this is, wherever it came from. A screen shows the beginning alone. */
function tooMany(kind: "files" | "folders", what: string, { places, writable }: { places: string[]; writable: string[] }): Refused {
  const are = `are ${what} below the working directory${mostIn(places, writable)}, too many to cover for each command`;
  const toDo = `A person must remove ${kind} or turn the sandbox off`;
  const refused = `${toDo}. There ${are}. No command runs until there are fewer, or a person sets ${withoutSandbox}`;
  return { refused, beyond: `there ${are}` };
}

const unread = (why: string): Refused => ({
  refused: `${why}, so what a command must not change cannot be protected. A person can remove it, or set ${withoutSandbox}`,
  beyond: why,
});

const withoutSandbox = '"sandbox": {"enabled": false} in their own settings to be asked about each command of a new session instead';

/** In which folder of the tree to look for them; empty if they are not in one. */
function mostIn(places: string[], writable: string[]): string {
  const counts = new Map<string, number>();
  for (const place of places) {
    const top = writable.find((folder) => place.startsWith(`${folder}/`));
    const [first, ...below] = top === undefined ? [] : place.slice(top.length + 1).split("/");
    if (first && below.length > 0) counts.set(`${top}/${first}`, (counts.get(`${top}/${first}`) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most && most[1] > places.length / 2 ? `, most of them in ${most[0].toWellFormed()}` : "";
}

/** Each is a mount, and mounting takes time quadratic in their number: half a second for these. */
const maxCovers = 1000;

/** A folder that cannot be listed is hidden as a whole. A link cannot be covered; its target is, if it is hidden or a command could change it. */
function exceptionsIn(
  { entries, closed }: { entries: Omit<Found, "identity">[]; closed: string[] },
  writable: string[],
): SandboxInputs["exceptions"] {
  const places = new Map<string, SandboxInputs["exceptions"][number]>();
  const whole = closed.map((path): Entry & PathClass => ({ path, kind: "folder", visibility: "hidden", rules: false }));
  const found: (Entry & PathClass & { end?: string })[] = [...whole, ...entries];
  const hidden = found.filter(({ kind, visibility }) => kind === "folder" && visibility === "hidden").map(({ path }) => path);
  for (const { path, kind, visibility, others, end } of found) {
    if (isBelow(path, hidden)) continue;
    const at = end ?? path;
    const [real] = kind === "link" && !isRaw(at) ? existing(at) : [{ path: at, kind: kind === "folder" ? kind : ("file" as const) }];
    if (!real || (visibility !== "hidden" && !writable.some((folder) => real.path.startsWith(`${folder}/`)))) continue;
    if (places.get(real.path)?.visibility !== "hidden") places.set(real.path, { ...real, visibility, ...(others && { others }) });
  }
  return [...places.values()];
}
