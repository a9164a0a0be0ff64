// Whether a command has changed .git/config only as it said, or where the places that it may set are in a closed form: none of them names a
// program, deletes anything at a later fetch, or sends a later push to where the person's own remotes are not.
import type { Setting } from "../own-settings.ts";
import { plainSettings } from "./plain-settings.ts";

/** `words`: of the command. They have the key and the value of what it sets itself. */
export function changedAsSaid(before: string, now: string, words: readonly string[]): boolean {
  const [earlier, later] = [plainSettings(before), plainSettings(now)];
  if (!earlier || !later) return false;
  const [removed, added] = [without(earlier, later), without(later, earlier)];
  const order = (settings: Setting[]) => JSON.stringify(settings);
  if (order(without(earlier, removed)) !== order(without(later, added))) return false; // the last one of a key counts
  const [said, keys] = [new Set(words), new Set(words.map((word) => word.toLowerCase()))];
  const isMoved = (address: string) => removed.some(([key, value]) => /^remote\..+url$/s.test(key) && value === address);
  const known: Known = {
    isSaid: (address) => said.has(address) || isMoved(address),
    isRemote: (name) => later.some(([key]) => key === `remote.${name}.url`),
  };
  return (
    removed.every(([key]) => keys.has(key.toLowerCase()) || mayGo(key, said)) &&
    added.every(([key, value]) => (keys.has(key.toLowerCase()) && said.has(value)) || isPlacement([key, value], known))
  );
}

/** The settings of one list that the other does not have, where one is several times the last ones. */
function without(list: readonly Setting[], other: readonly Setting[]): Setting[] {
  const left = other.map((setting) => setting.join("\0"));
  const isOnlyHere = (setting: Setting) => !taken(left, setting.join("\0"));
  return list.toReversed().filter(isOnlyHere).reverse();
}

function taken(list: string[], text: string): boolean {
  const at = list.lastIndexOf(text);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

/** A remote loses its address only to a command that says so (git-remote(1)): git takes the name of one without for a path. */
function mayGo(key: string, said: ReadonlySet<string>): boolean {
  const [, kind, name = "", what = ""] = parts(key);
  if (kind !== "remote") return kind !== undefined;
  return what === "fetch" || (said.has(name) && ["remove", "rm", "rename", "set-url"].some((verb) => said.has(verb)));
}

type Known = {
  isSaid(address: string): boolean;
  /** Whether there is a remote of that name. */
  isRemote(name: string): boolean;
};

function isPlacement([key, value]: Setting, { isSaid, isRemote }: Known): boolean {
  const [, kind, name = "", what] = parts(key);
  switch (`${kind}.${what}`) {
    case "remote.url":
    case "remote.pushurl":
      return isRemoteName.test(name) && isAddress(value) && isSaid(value);
    case "remote.fetch":
      return isRemoteName.test(name) && new RegExp(`^\\+?refs/[^:\\s]+:refs/remotes/${name.replaceAll(".", "\\.")}/[^:\\s]+$`).test(value);
    case "branch.remote":
    case "branch.pushremote":
      return value === "." || isRemote(value) || (isAddress(value) && isSaid(value));
    case "branch.merge":
      return /^refs\/[^:\s]+$/.test(value);
    case "branch.rebase":
    case "submodule.active":
      return /^(?:true|false|merges|interactive)$/.test(value);
    case "branch.description":
      return true;
    case "submodule.url":
      return !name.startsWith("-") && isAddress(value);
    default:
      return false;
  }
}

const parts = (key: string) => /^(remote|branch|submodule)\.(.+)\.([^.]+)$/s.exec(key) ?? [];

/** git gives it to itself as a word of a command line (`fetch --all`). */
const isRemoteName = /^\w(?:[\w./-]*\w)?$/;

/** git-fetch(1), "GIT URLS": of a protocol that git has itself, of a host over ssh, or a path; not for a helper program (`ext::`, `x://`). */
const isAddress = (value: string) =>
  !/^-|::|["'`\p{Cc}]/u.test(value) && (!value.includes("://") || /^(?:https?|ssh|git|file|git\+ssh|ssh\+git):\/\/(?!-)/.test(value));
