// While a command runs, and once more when it has ended: what it leaves that could run later or set rights is moved away.
import type { PutAside, SandboxRequest, SandboxRun } from "../../../agent/ports/sandbox-port.ts";
import { errorText } from "../../../wording/error-text.ts";
import { watch } from "../../disk/watch.ts";
import { ifPossible } from "../../system-error.ts";
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
import type { Covers } from "./uncovered.ts";

/** `settings`: links on the way to them. */
export type KeptLinks = { settings: Link[]; memory: LinkMemory; file: TakenFile };

export type Watched = {
  looked: (opening?: Opening, most?: number) => TreeLook;
  seen: (found: TreeLook) => Seen | Refused;
  made: LedTo["made"];
  lose: (why: string) => undefined;
  away: (path: string) => PutAside[];
  record: CommandRecord;
  writable: string[];
  links: KeptLinks;
  /** How many commands run. */
  running: { count: number };
  onHeld: SandboxRequest["onHeld"];
};

/** A command that has ended by then says itself what it left. */
const heldForMs = 2_000;

function movedSoFar(away: Watched["away"], onHeld: Watched["onHeld"]) {
  const moved = new Map<string, PutAside>();
  let toTell: NodeJS.Timeout | undefined;
  const untold: PutAside[] = [];
  /** It need not be the command's: the person may have made it, and misses it. */
  const tellLater = (aside: PutAside) => {
    untold.push(aside);
    toTell ??= setTimeout(() => {
      toTell = undefined;
      onHeld(untold.splice(0));
    }, heldForMs).unref();
  };
  const moveAway = (path: string) => {
    for (const aside of away(path)) {
      const earlier = moved.get(aside.path);
      moved.set(aside.path, earlier ? joined(earlier, aside) : aside);
      if (!earlier) tellLater(aside);
    }
  };
  return { moved, moveAway, tellNoMore: () => clearTimeout(toTell) };
}

/** Moves away files that could run later, from `watch` to `finish`. */
export function movingAside(
  before: Seen,
  { looked, seen, made, lose, away, record, writable, links, running, onHeld }: Watched,
  covers: Covers,
): Pick<SandboxRun, "watch" | "finish" | "said"> {
  const known = new Map(before.entries.map(({ path, identity }) => [path, identity]));
  const opening = openedBut(before.closed);
  const { moved, moveAway, tellNoMore } = movedSoFar(away, onHeld);
  let stop = () => {};
  let forget = () => {};
  let leave = () => {};
  const refused: string[] = [];
  const coming = comingBack(links.settings, links.memory, moved);
  const look = (isLater: (entry: Found) => boolean | undefined, most?: number, round = 0): TreeLook => {
    for (const path of covers.look()) known.delete(path);
    const after = looked(opening, most);
    const wasThere = (entry: Found) =>
      isKnown(entry, known.get(entry.path)) ||
      links.memory.restored.get(entry.path) === entry.identity ||
      isBelow(entry.path, before.closed);
    const entries = after.kind === "seen" ? after.entries : [];
    made(entries.filter((entry) => entry.kind === "link" && !wasThere(entry)));
    const added = newIn(entries, wasThere).filter((entry) => !isLater(entry));
    // Before the command all of them could be read.
    const unread = after.kind === "seen" ? (after.unread?.files ?? []) : [];
    for (const path of [...unread, ...added.map((entry) => entry.path)]) moveAway(path);
    const isBack = coming.look(moveAway);
    if (unread.length > 0 && round < mostRounds) return look(isLater, most, round + 1); // for what they have hidden
    return added.length > 0 || isBack ? looked(opening, most) : after;
  };
  /** However much it has made. The command has run, so an error here must not pass for its failure. */
  const lookAfter = () => {
    try {
      const after = look(() => false, Number.POSITIVE_INFINITY);
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
      stop = whileRunning([...writable, ...covers.folders], () => look((entry) => entry.list || isNeeded(entry)));
      return covers.lost;
    },
    finish() {
      stop();
      running.count--;
      let after = lookAfter();
      if (coming.finish()) after = lookAfter(); // a name that is back may make more of what was written there
      if (after) forget();
      leave();
      const left = after && seen(after);
      if (left && "refused" in left) refused.push(left.refused);
      tellNoMore();
      return [...moved.values()];
    },
    said: () => [...covers.said(), ...coming.said(), ...refused],
  };
}

const unseen = (error: unknown) => `what the last command left cannot be seen (${errorText(error)})`;

/** Another command may write such an index again and again. */
const mostRounds = 5;

/** git removes finished lines from the beginning of its todo list, and any from where it packs references. */
function isKnown({ path, list, identity }: Found, before: string | undefined): boolean {
  if (!list || before === undefined) return before === identity;
  const lines = before.split("\n");
  return isPacked(path) ? identity.split("\n").every((line) => lines.includes(line)) : before.endsWith(identity);
}

/** Calls `look` at each change in one of the folders, and repeatedly for deeper changes; it uses a twentieth of the time. */
function whileRunning(folders: string[], look: () => unknown): () => void {
  let notBefore = 0;
  const onChange = () => {
    const start = performance.now();
    if (start < notBefore) return;
    ifPossible(look); // the look after the command decides
    const end = performance.now();
    notBefore = end + 20 * (end - start);
  };
  return watch.watch(folders, onChange, { pollMs: 100 });
}
