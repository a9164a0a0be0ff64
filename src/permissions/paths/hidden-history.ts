// Files in a repository's history that .toolignore or deny rules hide.
import { relative } from "node:path";
import type { At } from "../call.ts";
import { denial } from "../decision.ts";
import { isMasked } from "../masked.ts";
import type { Policy } from "../policy.ts";

/** Absolute paths of files and folders (which end in a slash), and git's object ids of their contents. */
export type HiddenHistory = {
  paths: string[];
  ids: string[];
  /** Those paths that git would print anyway, because of the repository's own attributes. */
  exposed: string[];
  others: OtherVersion[];
};

/** A revision that a command names with another version of a hidden file than the index, or a commit that changes one. */
export type OtherVersion = { revision: string; path: string; in: "whole" | "change" };

export type IsHidden = (path: string, kind: "file" | "folder") => boolean;

/** Whether an agent may not read files that a repository has, or had, at this place. */
export function hiddenPlaces(policy: Policy): IsHidden {
  const rules = { ...policy, deny: policy.deny.filter(({ kind }) => kind !== "any") };
  const hides = (at: At) => denial("read", at, rules) !== undefined || isMasked(at, rules);
  return (path, kind) => hides({ written: path, real: path, ...(kind === "file" && { file: true as const }) });
}

/** The same, relative to where commands start. */
export function seenFrom(cwd: string, { paths, ids, exposed, others }: HiddenHistory): HiddenHistory {
  const near = (path: string) => relative(cwd, path) + (path.endsWith("/") ? "/" : "");
  return { paths: paths.map(near), ids, exposed: exposed.map(near), others: others.map((other) => ({ ...other, path: near(other.path) })) };
}

/**
 * gitattributes(5): a line for a path relative to the repository's root, in bytes. git does not print the file's differences or archive it.
 */
export function attributeLine(path: string): string {
  const pattern = `/${path.replaceAll(/[*?[\]\\]/g, "\\$&")}${path.endsWith("/") ? "**" : ""}`;
  return `"${pattern.replaceAll(/["\\]/g, "\\$&")}" -diff export-ignore\n`;
}
