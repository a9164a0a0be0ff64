// The further names of a file: links lead to it, and programs that open one of them get what is written to the file.
import { join, relative } from "node:path";
import type { Access, At } from "../call.ts";
import type { Policy } from "../policy.ts";
import { within } from "./places.ts";

/** The paths below links that are there now, for one call: the disk is looked at when the first is asked for. Of too large a tree, none are known. */
export function linkedNames({ outliers }: Partial<Pick<Policy, "outliers">>): (real: string) => string[] {
  let links: { path: string; target: string }[] | undefined;
  return (real) => {
    links ??= outliers?.()?.links ?? [];
    return links.flatMap(({ path, target }) => (within(target, real) ? [join(path, relative(target, real))] : []));
  };
}

/** Only of what is written: reading it shows nothing that its own name does not. */
export function withLinks(at: At, access: Access, namesOf: (real: string) => string[]): At {
  const links = access === "write" ? namesOf(at.real) : [];
  return links.length > 0 ? { ...at, links } : at;
}
