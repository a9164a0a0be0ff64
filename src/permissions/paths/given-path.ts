// Resolves a path as a call gives it: `~` is the user's home.
import { join, relative, resolve } from "node:path";
import { temporaryFolder } from "../../shell/words/literal.ts";
import type { Access } from "../call.ts";
import type { Policy } from "../policy.ts";
import { within } from "./places.ts";

/** What of a policy says where paths lead. */
export type Places = Pick<Policy, "cwd" | "home"> & Partial<Policy>;

/** Where a path of commands and agents really is: in the sandbox /tmp is the session's. What only the outer /tmp has can be read there. */
export function onDisk(path: string, places: Places, access: Access = "write"): string {
  const own = inOwnTmp(path, places);
  if (own === undefined) return path;
  const { isThere } = places;
  return access === "read" && isThere && !isThere(own) && isThere(path) ? path : own;
}

/** Undefined if the path means the same inside the sandbox and outside. */
function inOwnTmp(path: string, { cwd, directories = [], sandbox, privateTmp }: Places): string | undefined {
  if (privateTmp === undefined || sandbox?.kind !== "active" || !within("/tmp", path)) return undefined;
  return [cwd, ...directories].some((folder) => within(folder, path)) ? undefined : join(privateTmp, relative("/tmp", path));
}

/** Whether this place, where a path led, is in the /tmp outside the sandbox. */
export const isInOuterTmp = (real: string, places: Places): boolean => inOwnTmp(real, places) !== undefined;

/** The reverse: the name by which commands know a file of that folder. */
export function asNamed(real: string, { sandbox, privateTmp }: Places): string {
  if (privateTmp === undefined || sandbox?.kind !== "active" || !within(privateTmp, real)) return real;
  return join("/tmp", relative(privateTmp, real));
}

/** `~` and `~/x` are in the user's home; everything else is relative to the working directory. */
export function absolute(path: string, places: Places): string {
  return resolve(fromHome(path, places));
}

export function fromHome(path: string, places: Places): string {
  const { cwd, home } = places;
  if (path === temporaryFolder || path.startsWith(`${temporaryFolder}/`)) return temporaryOf(places) + path.slice(temporaryFolder.length);
  if (path === "~" || path.startsWith("~/")) return `${home}/${path.slice(2)}`;
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

/** As commands name it. */
function temporaryOf({ sandbox, privateTmp, temporary = "/tmp" }: Places): string {
  return sandbox?.kind === "active" && privateTmp !== undefined ? "/tmp" : temporary;
}
