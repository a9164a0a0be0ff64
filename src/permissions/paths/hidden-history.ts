// Files in a repository's history that .toolignore or deny rules hide.
import type { At } from "../call.ts";
import { denial } from "../decision.ts";
import type { Policy } from "../policy.ts";
import { isMasked } from "../sandbox/masked.ts";

export type IsHidden = (path: string, kind: "file" | "folder") => boolean;

/** Whether an agent may not read files that a repository has, or had, at this place. */
export function hiddenPlaces(policy: Policy): IsHidden {
  const rules = { ...policy, deny: policy.deny.filter(({ kind }) => kind !== "any") };
  const hides = (at: At) => denial("read", at, rules) !== undefined || isMasked(at, rules);
  return (path, kind) => hides({ written: path, real: path, ...(kind === "file" && { file: true as const }) });
}

/**
 * gitattributes(5): a line for a path relative to the repository's root, in bytes. git does not print the file's differences or archive it.
 */
export function attributeLine(path: string): string {
  const pattern = `/${path.replaceAll(/[*?[\]\\]/g, "\\$&")}${path.endsWith("/") ? "**" : ""}`;
  return `"${pattern.replaceAll(/["\\]/g, "\\$&")}" -diff export-ignore\n`;
}
