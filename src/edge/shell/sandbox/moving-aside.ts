// While a command runs, and once more when it has ended: what it leaves that could run later or set rights is moved away.
import type { PutAside, SandboxRequest, SandboxRun } from "../../../agent/ports/sandbox-port.ts";
import { errorText } from "../../../wording/error-text.ts";
import { watch } from "../../disk/watch.ts";
import { ifPossible } from "../../system-error.ts";
import type { AllowedWrites } from "../allowed-writes.ts";
import { joined } from "../quarantine.ts";
import { isBelow, openedBut } from "./closed-folders.ts";
import type { CommandRecord } from "./interrupted-command.ts";
import { comingBack, type Link } from "./links/coming-back.ts";
import type { LedTo } from "./links/led-to.ts";
import type { LinkMemory } from "./links/link-memory.ts";
import type { TakenFile } from "./links/taken-file.ts";
import type { Refused, Seen } from "./looks.ts";
import { newIn } from "./new-entries.ts";
import { type Found, isPacked, type Opening, type TreeLook } from "./tree.ts";
import { type Covers, identityOf } from "./uncovered.ts";

/** `settings`: links on the way to them. */
export type KeptLinks = { settings: Link[]; memory: LinkMemory; file: TakenFile };

export type Watched = {
  looked: (opening?: Opening, most?: number) => TreeLook;
  near: (opening?: Opening) => TreeLook;
  seen: (found: TreeLook) => Seen | Refused;
  made: LedTo["made"];
  lose: (why: string) => undefined;
  away: (path: string) => PutAside[];
  record: CommandRecord;
  writable: string[];
  links: KeptLinks;
  /** How many commands run, and which secrets the person knows to be open to one of them. */
  running: { count: number; told: Set<string> };
  onHeld: SandboxRequest["onHeld"];
  onOpen: SandboxRequest["onOpen"];
};

/** A command that has ended by then says itself what it left, and nothing can read any more what came up. */
const toldAfterMs = 2_000;

/** Tells of what has come up since the first of it, unless it is stopped before. */
function toldLater<T>(tell: (all: T[]) => void) {
  let timer: NodeJS.Timeout | undefined;
  const untold: T[] = [];
  return {
    add(one: T) {
      untold.push(one);
      timer ??= setTimeout(() => {
        timer = undefined;
        tell(untold.splice(0));
      }, toldAfterMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

function movedSoFar(away: Watched["away"], onHeld: Watched["onHeld"]) {
  const moved = new Map<string, PutAside>();
  /** It need not be the command's: the person may have made it, and misses it. */
  const { add: tellLater, stop: tellNoMore } = toldLater(onHeld);
  const moveAway = (path: string) => {
    for (const aside of away(path)) {
      const earlier = moved.get(aside.path);
      moved.set(aside.path, earlier ? joined(earlier, aside) : aside);
      if (!earlier) tellLater(aside);
    }
  };
  return { moved, moveAway, tellNoMore };
}

/** Secrets that nothing covers, since they were not there before the command: its own, such as a test's key, or the person's, who is told. */
function openSecrets(before: Seen, { told }: Watched["running"], onOpen: Watched["onOpen"]) {
  const known = new Set(before.entries.map(({ path }) => path));
  const { add, stop } = toldLater<string>((paths) => {
    const still = paths.filter((path) => !told.has(path) && identityOf(path) !== undefined);
    for (const path of still) told.add(path);
    if (still.length > 0) onOpen(still);
  });
  return {
    see(entries: Found[]) {
      for (const { path, visibility, rules, through } of entries) {
        if (visibility !== "hidden" || rules || through || known.has(path) || isBelow(path, before.closed)) continue;
        known.add(path);
        add(path);
      }
    },
    stop,
  };
}

/** Moves away files that could run later, from `watch` to `finish`. */
export function movingAside(
  before: Seen,
  { looked, near, seen, made, lose, away, record, writable, links, running, onHeld, onOpen }: Watched,
  { covers, allowed }: { covers: Covers; allowed: AllowedWrites },
): Pick<SandboxRun, "watch" | "finish" | "said"> {
  const known = new Map(before.entries.map(({ path, identity }) => [path, identity]));
  const opening = openedBut(before.closed);
  const { moved, moveAway, tellNoMore } = movedSoFar(away, onHeld);
  const open = openSecrets(before, running, onOpen);
  let stop = () => {};
  let forget = () => {};
  let leave = () => {};
  const refused: string[] = [];
  const coming = comingBack(links.settings, links.memory, moved);
  const lookAtCovers = () => {
    for (const path of covers.look()) known.delete(path);
    for (const path of allowed.undo(moveAway, moved)) links.memory.restored.set(path, identityOf(path) ?? "");
  };
  /** Whether something of it was new. Before the command, what nobody could read now could be read. */
  const moveNew = (after: TreeLook, isLater: IsLater): boolean => {
    const wasThere = (entry: Found) =>
      isKnown(entry, known.get(entry.path)) ||
      links.memory.restored.get(entry.path) === entry.identity ||
      isBelow(entry.path, before.closed);
    const entries = after.kind === "seen" ? after.entries : [];
    open.see(entries);
    made(entries.filter((entry) => entry.kind === "link" && !wasThere(entry)));
    const added = newIn(entries, wasThere).filter((entry) => !isLater(entry));
    const unread = after.kind === "seen" ? (after.unread?.files ?? []) : [];
    for (const path of [...unread, ...added.map((entry) => entry.path)]) moveAway(path);
    return added.length > 0;
  };
  const look = (isLater: IsLater, round = 0): TreeLook => {
    lookAtCovers();
    const after = looked(opening, anyNumber);
    const hasNew = moveNew(after, isLater);
    if (hasNew) lookAtCovers(); // it may have stood in the place of one
    const isBack = coming.look(moveAway);
    if (after.kind === "seen" && after.unread && after.unread.files.length > 0 && round < mostRounds) return look(isLater, round + 1); // for what they have hidden
    return hasNew || isBack ? looked(opening, anyNumber) : after;
  };
  /** The command has run, so an error here must not pass for its failure. */
  const lookAfter = () => {
    try {
      const after = look(() => false);
      return after.kind === "seen" && after.unread ? lose(unseen(after.unread)) : after;
    } catch (error) {
      return lose(unseen(error));
    }
  };
  return {
    watch() {
      running.count++;
      leave = links.file.begin(before.entries, coming.begin(before.entries, writable));
      forget = record.begin(writable, before);
      // A command needs a repository that it creates, and git's todo list, until it ends. The person's git looks into one that it has linked.
      const isPersons = (repository: string | undefined) =>
        repository !== undefined && (known.has(repository) || !isBelow(repository, writable));
      const isNeeded = ({ path, linkedBy }: Found) => /\/(?:\.git|HEAD)$/i.test(path) && !known.has(path) && !isPersons(linkedBy);
      const isLater: IsLater = (entry) => entry.list || isNeeded(entry);
      stop = whileRunning([...writable, ...covers.folders], [lookAtCovers, () => moveNew(near(opening), isLater), () => look(isLater)]);
      return covers.lost;
    },
    finish() {
      stop();
      running.count--;
      if (running.count === 0) running.told.clear();
      let after = lookAfter();
      if (coming.finish()) after = lookAfter(); // a name that is back may make more of what was written there
      if (after) forget();
      leave();
      const left = after && seen(after);
      if (left && "refused" in left) refused.push(left.refused);
      tellNoMore();
      open.stop();
      return [...moved.values()];
    },
    said: () => [...covers.said(), ...coming.said(), ...refused],
  };
}

/** However many folders a command makes, it hides nothing among them. */
const anyNumber = Number.POSITIVE_INFINITY;

type IsLater = (entry: Found) => boolean | undefined;

const unseen = (error: unknown) => `what the last command left cannot be seen (${errorText(error)})`;

/** Another command may write such an index again and again. */
const mostRounds = 5;

/** git removes finished lines from the beginning of its todo list, and any from where it packs references. */
function isKnown({ path, list, identity }: Found, before: string | undefined): boolean {
  if (!list || before === undefined) return before === identity;
  const lines = before.split("\n");
  return isPacked(path) ? identity.split("\n").every((line) => lines.includes(line)) : before.endsWith(identity);
}

/** Looks at each change in one of the folders, and repeatedly for deeper changes: none of the looks waits for another one. */
function whileRunning(folders: string[], looks: (() => unknown)[]): () => void {
  const all = looks.map(sparing);
  const onChange = () => {
    for (const look of all) look();
  };
  return watch.watch(folders, onChange, { pollMs: 100 });
}

/** It uses a twentieth of the time; and a quarter, if what is found would stay for longer than a second otherwise: a command can make looks long. */
function sparing(look: () => unknown): () => void {
  let notBefore = 0;
  return () => {
    const start = performance.now();
    if (start < notBefore) return;
    ifPossible(look); // the look after the command decides
    const end = performance.now();
    const ms = end - start;
    notBefore = end + Math.min(20 * ms, Math.max(1000, 3 * ms));
  };
}
