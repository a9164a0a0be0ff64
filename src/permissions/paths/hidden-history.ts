// Files that .toolignore or deny rules hide, as a repository's history holds them.
import { relative } from "node:path";
import type { At } from "../call.ts";
import { denial } from "../decision.ts";
import { isMasked } from "../masked.ts";
import type { Policy } from "../policy.ts";

/** Absolute paths of files and folders (which end with a slash), and the names that git has for their contents. */
export type HiddenHistory = {
  paths: string[];
  ids: string[];
  /** Of the paths: those that git would print anyway, because the repository's own attributes say so. */
  exposed: string[];
  others: OtherVersion[];
};

/** What a command names, where as a whole it has another version of a hidden file than the index, or where it is a commit that changes one. */
export type OtherVersion = { revision: string; path: string; in: "whole" | "change" };

export type IsHidden = (path: string, kind: "file" | "folder") => boolean;

/** Whether an agent may not read what a repository has, or had, at this place. */
export function hiddenPlaces(policy: Policy): IsHidden {
  const rules = { ...policy, deny: policy.deny.filter(({ kind }) => kind !== "any") };
  const hides = (at: At) => denial("read", at, rules) !== undefined || isMasked(at, rules);
  return (path, kind) => hides({ written: path, real: path, ...(kind === "file" && { file: true as const }) });
}

/** As seen from where commands start. */
export function seenFrom(cwd: string, { paths, ids, exposed, others }: HiddenHistory): HiddenHistory {
  const near = (path: string) => relative(cwd, path) + (path.endsWith("/") ? "/" : "");
  return { paths: paths.map(near), ids, exposed: exposed.map(near), others: others.map((other) => ({ ...other, path: near(other.path) })) };
}

/** gitattributes(5): a line for a path below the repository's root, in bytes. Its differences are not printed, and no archive holds it. */
export function attributeLine(path: string): string {
  const pattern = `/${path.replaceAll(/[*?[\]\\]/g, "\\$&")}${path.endsWith("/") ? "**" : ""}`;
  return `"${pattern.replaceAll(/["\\]/g, "\\$&")}" -diff export-ignore\n`;
}
