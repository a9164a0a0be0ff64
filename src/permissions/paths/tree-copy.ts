// A worktree is a copy of the user's tree: what rules hide in one of the two, they hide at the same place in the other.
import { join, relative } from "node:path";
import type { At, LocatedCall } from "../call.ts";
import type { Policy, TreeCopy } from "../policy.ts";
import { readGlob } from "./glob-meets.ts";
import { within } from "./places.ts";

/** The call, and the same call about the other tree if it is about a place in one of them. */
export function inBothTrees(call: LocatedCall, { copy }: Pick<Policy, "copy">): LocatedCall[] {
  const { subject } = call;
  if (!copy || subject.kind !== "path") return [call];
  const other = otherAt(subject, copy);
  return other ? [call, { ...call, subject: { ...subject, ...other } }] : [call];
}

/** The same place in the other tree; undefined if it is in neither. */
function inOtherTree(path: string, { at, of }: TreeCopy): string | undefined {
  for (const [from, to] of [[at, of] as const, [of, at] as const]) if (within(from, path)) return join(to, relative(from, path));
  return undefined;
}

/** The path, and the same in the other tree. */
export function placesInBoth(path: string, copy: TreeCopy | undefined): string[] {
  const other = copy && inOtherTree(path, copy);
  return other === undefined ? [path] : [path, other];
}

function otherAt({ written, real, glob }: At, copy: TreeCopy): Pick<At, "written" | "real" | "glob"> | undefined {
  const [otherWritten, otherReal] = [inOtherTree(written, copy), inOtherTree(real, copy)];
  if (otherWritten === undefined && otherReal === undefined) return undefined;
  return {
    written: otherWritten ?? written,
    real: otherReal ?? real,
    ...(glob && otherReal !== undefined && { glob: readGlob(otherReal) }),
  };
}
