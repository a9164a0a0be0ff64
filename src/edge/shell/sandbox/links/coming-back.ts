// Links cannot be covered, so a command may move one away, change or read what it led to, and move it back.
import { lstatSync, readlinkSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { holdFolder, holdingHere } from "../../../disk/held-folder.ts";
import { isRaw, rawPath } from "../../../disk/raw-path.ts";
import { ifPossible } from "../../../system-error.ts";
import { isBelow } from "../closed-folders.ts";
import type { Found } from "../tree.ts";
import type { LinkMemory, Taken } from "./link-memory.ts";
import { endOf, identityOfLink } from "./ways-aside.ts";

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
    if (isThere(path)) away(path);
    return make({ path, text }) ? [path] : [];
  });
}

const isThere = (path: string) => ifPossible(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;

const make = ({ path, text }: Link) =>
  ifPossible(() => {
    const parent = holdFolder(dirname(path), holdingHere());
    try {
      symlinkSync(text, rawPath(parent.child(basename(path))));
      return true;
    } finally {
      parent.close();
    }
  });

/**
 * A link that covers what it leads to by its name, as it was before a command. `mark`: of what it leads to, as far as that must be the same for
 * the link to come back; empty if that is hidden.
 */
export type CoveringLink = Link & { end: string | undefined; mark: string; visibility: Found["visibility"] };

/** All that a command could remove: what they lead to is not covered by a name of its own. */
function coveringLinks(entries: Found[], writable: string[]): CoveringLink[] {
  const own = entries.filter(({ kind, visibility }) => kind !== "link" && visibility !== "normal").map(({ path }) => path);
  const covered = new Set(own);
  return entries.filter(isCovering).flatMap(({ path, end, visibility }) => {
    const text = isBelow(path, writable) && !isRaw(path) && !(end !== undefined && isIn(covered, end)) ? textOf(path) : undefined;
    return text === undefined ? [] : [{ path, text, end, visibility, mark: markOf({ end, visibility }) }];
  });
}

/** Whether what it leads to, or what is in that, is covered because of its name. */
export const isCovering = ({ kind, visibility, below }: Found): boolean => kind === "link" && (visibility !== "normal" || below === true);

/** Whether it is one of these places, or in one. */
export const isIn = (places: Set<string>, path: string): boolean => places.has(path) || (path !== "/" && isIn(places, dirname(path)));

function markOf({ end, visibility }: Pick<CoveringLink, "end" | "visibility">): string {
  const stats = visibility === "hidden" || end === undefined ? undefined : ifPossible(() => lstatSync(rawPath(end), { bigint: true }));
  return stats ? `${stats.dev}:${stats.ino}:${visibility === "normal" ? "" : stats.ctimeNs}` : "";
}

/** Those that are gone, where nothing has taken their place and what they lead to is what it was. Returns the ones that are back. */
export function putBackCovering(links: CoveringLink[], { restored }: LinkMemory): string[] {
  return links.flatMap(({ path, text, end, visibility, mark }) => {
    if (isThere(path) || endOf(text.startsWith("/") ? text : `${dirname(path)}/${text}`) !== end) return [];
    if (markOf({ end, visibility }) !== mark || !make({ path, text })) return [];
    restored.set(path, identityOfLink(path)?.identity ?? "");
    return [path];
  });
}

/** The links that come back when one command has taken them away. `moved`: from where something has been moved away since it began. */
export function comingBack(settings: Link[], memory: LinkMemory, moved: ReadonlyMap<string, unknown>) {
  const back = new Map<string, string>();
  let covering: CoveringLink[] = [];
  const putBack = (links: CoveringLink[]): boolean => {
    const free = links.filter(({ path }) => !moved.has(path));
    const paths = putBackCovering(free, memory);
    for (const path of paths) back.set(path, "that protects or hides what it leads to");
    return paths.length > 0;
  };
  return {
    /** Returns all that may come back. */
    begin(entries: Found[], writable: string[]): Pick<Taken, "links" | "settings"> {
      covering = coveringLinks(entries, writable);
      return { links: covering, settings };
    },
    /** While it runs a secret is lost at once; a link of a protected name may be one that git takes away and brings back. True if the tree has changed. */
    look(away: (path: string) => unknown): boolean {
      const links = putBackLinks(settings, away);
      for (const path of links) back.set(path, "on the way to settings");
      putBack(covering.filter(({ visibility }) => visibility === "hidden"));
      return links.length > 0;
    },
    /** True if one is back. */
    finish(): boolean {
      const isBack = putBack(covering);
      for (const link of covering) if (moved.has(link.path)) memory.waiting.set(link.path, link);
      return isBack;
    },
    /** A sentence each without its full stop. */
    said: () => [...back].map(([path, what]) => `${path}, a link ${what}, was moved while the command ran, and has been put back`),
  };
}
