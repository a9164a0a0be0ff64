// Whether a file may be assigned to a worker: one file of the working tree, by its real path, that agents may write at all.

import { relative } from "node:path";
import { denial } from "../permissions/decision.ts";
import { absolute, onDisk } from "../permissions/paths/given-path.ts";
import { placeOf, whyNeverWritten, within } from "../permissions/paths/places.ts";
import type { Policy } from "../permissions/policy.ts";
import type { RealDisk } from "../tools/disk.ts";
import { errorText } from "../wording/error-text.ts";

/** `path`: relative to the working directory, links followed. `reason`: the rest of a sentence that begins with the file. */
export type FileInTree = { ok: true; path: string } | { ok: false; reason: string };

/** The file need not exist yet. */
export async function fileInTree(path: string, policy: Policy, disk: Pick<RealDisk, "real" | "read">): Promise<FileInTree> {
  const no = (reason: string): FileInTree => ({ ok: false, reason });
  if (path.trim() === "" || path.includes("\0")) return no("is not a path");
  if (/[*?{}]/.test(path)) return no("is a pattern. Name each file");
  const written = absolute(path, policy);
  let real: string;
  try {
    real = await disk.real(onDisk(written, policy));
  } catch (error) {
    return no(`does not exist (${errorText(error)})`);
  }
  if (real === policy.cwd || !within(policy.cwd, real)) return no(`is not a file below the working directory ${policy.cwd}`);
  const never = whyNeverWritten(placeOf({ written, real }, policy));
  if (never !== undefined) return no(never);
  const denied = denial("write", { written, real, file: true }, policy);
  if (denied) return no(`may not be written: ${denied.reason}`);
  const there = await disk.read(real);
  return there.kind === "folder" ? no("is a folder. Name each file in it") : { ok: true, path: relative(policy.cwd, real) };
}
