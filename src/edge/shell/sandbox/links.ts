// Links cannot be covered, so a command may move one away, change or read what it led to, and move it back.
import { lstatSync, readlinkSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Entry, PathClass } from "../../../permissions/sandbox/sandbox-view.ts";
import { holdFolder, holdingHere } from "../../disk/held-folder.ts";
import { rawPath } from "../../disk/raw-path.ts";
import { ifPossible } from "../../system-error.ts";
import { isBelow } from "./closed-folders.ts";
import type { Found } from "./tree.ts";

export type LedTo = {
  /** Links that a command made: what they lead to is covered only while they are there. */
  made(links: Found[]): void;
  /** What was found before a command. */
  before(entries: Found[]): void;
  /** The links of protected and hidden names that were found then, now or earlier. */
  links(): Found[];
};

const ordinary: PathClass = { visibility: "normal", rules: false };

/** What links have led to since the session began: it stays covered wherever they are. `classOf`: by the rules as they are when it is asked. */
export function ledTo(classOf: (entry: Entry) => PathClass | undefined): LedTo {
  const seen = new Map<string, Found>();
  const ofCommands = new Set<string>();
  const keyOf = ({ path, end }: Found) => `${path}\n${end}`;
  return {
    made(links) {
      for (const link of links) if (!seen.has(keyOf(link))) ofCommands.add(keyOf(link));
    },
    before(entries) {
      const links = entries.filter(({ kind, end, visibility }) => kind === "link" && end !== undefined && visibility !== "normal");
      for (const link of links) if (!ofCommands.has(keyOf(link))) seen.set(keyOf(link), link);
    },
    links() {
      return [...seen.values()].map((link) => ({ ...link, ...(classOf(link) ?? ordinary) }));
    },
  };
}

/** Where it is, without links, and what it says. */
export type Link = { path: string; text: string };

/** The links on the ways to these places that a command could replace. */
export function linksTo(places: string[], writable: string[]): Link[] {
  const found = new Map<string, Link>();
  for (const place of places) for (const link of linksOn(place)) if (isBelow(link.path, writable)) found.set(link.path, link);
  return [...found.values()];
}

/** path_resolution(7), which gives up after as many links. */
function linksOn(place: string): Link[] {
  const links: Link[] = [];
  const rest = place.split("/").filter(Boolean);
  for (let at = "/"; rest.length > 0; ) {
    const name = rest.shift()!;
    const path = name === ".." ? dirname(at) : join(at, name);
    const text = name === "." || name === ".." ? undefined : textOf(path);
    if (text === undefined) {
      at = path;
      continue;
    }
    if (links.push({ path, text }) > 40) break;
    if (text.startsWith("/")) at = "/";
    rest.unshift(...text.split("/").filter(Boolean));
  }
  return links;
}

const textOf = (path: string) => {
  const stats = ifPossible(() => lstatSync(path, { throwIfNoEntry: false }));
  return stats?.isSymbolicLink() ? ifPossible(() => readlinkSync(path)) : undefined;
};

/** Those that are not there as they were: `away` moves what is there instead. Returns the ones that are back. */
export function putBackLinks(links: Link[], away: (path: string) => unknown): string[] {
  return links.flatMap(({ path, text }) => {
    if (textOf(path) === text) return [];
    if (ifPossible(() => lstatSync(path, { throwIfNoEntry: false }))) away(path);
    const isBack = ifPossible(() => {
      const parent = holdFolder(dirname(path), holdingHere());
      try {
        symlinkSync(text, rawPath(parent.child(basename(path))));
        return true;
      } finally {
        parent.close();
      }
    });
    return isBack ? [path] : [];
  });
}
