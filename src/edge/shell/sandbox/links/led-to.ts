// What links of protected and hidden names lead to: covered wherever they are, also once a command has taken one away.
import type { Entry, PathClass } from "../../../../permissions/sandbox/sandbox-view.ts";
import { isBelow } from "../closed-folders.ts";
import { existing } from "../new-entries.ts";
import type { Found } from "../tree.ts";
import { keyOf, type Led, type LinkMemory, linksOf, nameOf } from "./link-memory.ts";
import { endOf } from "./ways-aside.ts";

/** Whether it is there, and its name does not lead to it any more. */
export function isAway(led: Led): boolean {
  const place = led.through ? led.path : led.end;
  return place !== undefined && endOf(place) === place && endOf(nameOf(led)) !== place;
}

/** What these links cover, without those that a command has made. */
export function ledBy(entries: Found[], { ofCommands }: LinkMemory): Led[] {
  const covered = entries.filter(({ visibility, end, through }) => visibility !== "normal" && (end !== undefined || through));
  const led = covered.map(
    ({ path, kind, end, through }): Led => ({ path, kind, ...(end !== undefined && { end }), ...(through && { through }) }),
  );
  return led.filter((each) => !linksOf(each).some((link) => ofCommands.has(link)));
}

export type LedTo = {
  /** Links that a command made: what they lead to is covered only while they are there. */
  made(links: Found[]): void;
  /** What was found before a command. */
  before(entries: Found[]): void;
  /** What links of protected and hidden names led to then, now or earlier. */
  places(): Omit<Found, "identity">[];
};

const ordinary: PathClass = { visibility: "normal", rules: false };

/** `elsewhere`: what commands of other processes may take away now, if that may have changed. */
type Remembering = {
  memory: LinkMemory;
  writable: string[];
  classOf: (entry: Entry) => PathClass | undefined;
  elsewhere: () => Led[];
};

/** What links have led to since the process began: it stays covered wherever they are. `classOf`: by the rules as they are when it is asked. */
export function ledTo({ memory, writable, classOf, elsewhere }: Remembering): LedTo {
  const { seen, ofCommands } = memory;
  return {
    made(links) {
      for (const link of links) if (!seen.has(keyOf(link))) ofCommands.add(link.path);
    },
    before(entries) {
      const links = new Set(entries.filter(({ kind }) => kind === "link").map(({ path }) => path));
      for (const path of ofCommands) if (isBelow(path, writable) && !links.has(path)) ofCommands.delete(path);
      for (const led of [...ledBy(entries, memory), ...elsewhere()]) seen.set(keyOf(led), led);
    },
    places() {
      const here = [...seen.values()].filter((led) => isBelow(nameOf(led), writable));
      return here.flatMap((led) => {
        const [now] = led.through ? existing(led.path) : [{ path: led.path, kind: led.kind }];
        if (now?.path !== led.path) return [];
        return [{ ...led, kind: now.kind, ...(classOf({ kind: now.kind, path: nameOf(led) }) ?? ordinary) }];
      });
    },
  };
}
