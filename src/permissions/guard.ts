// The disk as one agent may use it, below every file tool, whatever was decided before: links are followed here, the real path is judged
// here, and the disk below takes that path literally.

import { basename, join, relative } from "node:path";
import type { Disk, RealDisk, Refused } from "../tools/disk.ts";
import { lowerFirst } from "../wording/capital.ts";
import { errorText } from "../wording/error-text.ts";
import type { Access } from "./call.ts";
import { denial } from "./decision.ts";
import { absolute, asNamed, onDisk } from "./paths/given-path.ts";
import { linkedNames, withLinks } from "./paths/linked-names.ts";
import { isOpen, placeOf, whyNeverWritten, within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/**
 * A hard link is another name of a file, and the disk does not show which name a rule meant, so the name in use is judged. Creating one
 * takes a command that names the file, which was judged; writing replaces only this name, so the other keeps its content. Writes stay
 * inside the working directory and out of this program's own folder. Files outside, sensitive or protected files need the pass of an
 * answered question. Paths may be relative, absolute or begin with `~`; outcomes name files relative to the working directory.
 */
export function guardDisk(disk: RealDisk, policy: Policy): Disk {
  const shown = (real: string) => (within(policy.cwd, real) ? relative(policy.cwd, real) || "." : asNamed(real, policy));
  /** Calls `work` with the real path if that is allowed, and translates the outcome's paths to the names that the agent uses. */
  const guarded = async <T extends { kind: string }>(
    path: string,
    access: Access,
    work: (real: string) => Promise<T>,
    target: Access = access,
  ) => {
    const judged = await judge(path, access, { disk, policy, target });
    if (judged.kind === "refused") return judged;
    const outcome = await work(judged.real);
    const name = shown(judged.real);
    return {
      ...outcome,
      ...("path" in outcome && { path: shown(String(outcome.path)) }),
      ...(outcome.kind === "written" && name.startsWith("/") && name !== judged.real && { outside: judged.real }),
      ...("folder" in outcome && { folder: shown(String(outcome.folder)) }),
    };
  };
  return {
    read: (path, { toWrite = false } = {}) => guarded(path, "read", (real) => disk.read(real), toWrite ? "write" : "read"),
    write: (path, content) =>
      guarded(path, "write", async (real) => {
        // Writing creates the folders of a file, but must not recreate a tree that somebody has removed.
        const isGone = within(policy.cwd, real) && (await disk.read(policy.cwd)).kind === "missing";
        return isGone ? { kind: "refused", reason: gone(policy.cwd) } : disk.write(real, content);
      }),
    names: async (folder) => {
      const judged = await judge(folder, "read", { disk, policy });
      if (judged.kind === "refused") return [];
      return (await disk.names(judged.real)).filter((name) => !denial("read", both(join(judged.real, name)), policy));
    },
    walk: (folder, signal) =>
      guarded(folder, "read", async (real) => {
        const walked = await disk.walk(real, signal);
        if (walked.kind !== "files") return walked;
        const paths = walked.paths.filter((path) => !denial("read", { ...both(join(walked.folder, path)), file: true }, policy));
        return { ...walked, paths };
      }),
    modified: async (folder, paths) => {
      const judged = await judge(folder, "read", { disk, policy });
      return judged.kind === "refused" ? paths.map(() => 0) : disk.modified(judged.real, paths);
    },
    search: (folder, query) =>
      guarded(folder, "read", (real) => {
        // A search below a folder leaves out files that are denied or need a question. The first test is for a search in one file, which
        // was judged above; so was a folder with the same name as its file.
        const open = (path: string) => path === basename(real) || !isHidden(join(real, path), policy);
        return disk.search(real, { ...query, keep: (path) => query.keep(path) && open(path) });
      }),
  };
}

const gone = (cwd: string) => `the working directory ${cwd} no longer exists, and is not created again. Tell the person`;

async function judge(
  path: string,
  access: Access,
  { disk, policy, target = access }: { disk: RealDisk; policy: Policy; target?: Access },
): Promise<{ kind: "open"; real: string } | Refused> {
  const written = absolute(path, policy);
  let real: string;
  try {
    real = await disk.real(onDisk(written, policy, target));
  } catch (error) {
    return { kind: "refused", reason: `where it leads cannot be determined (${errorText(error)})` };
  }
  const place = placeOf(withLinks({ written, real }, access, linkedNames(policy)), policy);
  const refused = (reason: string): Refused => ({ kind: "refused", reason });
  const never = access === "write" ? whyNeverWritten(place) : undefined;
  if (never !== undefined) return refused(`it ${never}`);
  if (access === "write" && !place.inside && !place.common)
    return refused(`it is ${real}, outside the working directory, and files are written only inside it`);
  const denied = denial(access, { written, real, file: true }, policy);
  if (denied) return refused(lowerFirst(denied.reason));
  if (isOpen(place, access) || policy.grants.usePass(access, real)) return { kind: "open", real };
  const where = access === "write" && !place.inside ? ", outside the working directory" : "";
  return refused(`it is ${real}${where}, which needs a person's permission, and none was given for this path`);
}

function isHidden(path: string, policy: Policy): boolean {
  const place = placeOf(both(path), policy);
  return place.sensitive !== undefined || place.own || denial("read", { ...both(path), file: true }, policy) !== undefined;
}

/** Paths from a walk, which does not follow links. */
const both = (path: string) => ({ written: path, real: path });
