// What is mounted for a command in the sandbox, from what was found on the disk: what is hidden or read-only was judged before.
import { dirname } from "node:path";
import { within } from "../../permissions/paths/places.ts";
import type { PermissionMode, Policy } from "../../permissions/policy.ts";
import type { Visibility } from "../../permissions/sandbox/sandbox-view.ts";

/** `scratch`: an empty place; with `from` its contents stay until the session ends. A `decoy`, or nothing, stands for a hidden file. */
export type Mount =
  | { kind: "writable" | "fixed"; path: string }
  | { kind: "hidden"; path: string; as: "file" | "folder"; decoy?: string }
  | { kind: "scratch"; path: string; from?: string };

/** Everything not named is read-only. Outer mounts come before those inside them. */
export type SandboxView = { cwd: string; mounts: Mount[]; network: boolean; socketsClosed?: true };

/** What was found before the command. Paths are real ones. */
export type SandboxInputs = {
  /** Folders that a command may change: the working directory, additional ones, and the repository's own. */
  writable: string[];
  exceptions: { path: string; kind: "file" | "folder"; visibility: Visibility; decoy?: string; others?: true }[];
  /** Which of `secretPlaces` exist. */
  secrets: { path: string; kind: "file" | "folder"; decoy?: string }[];
  /** Sockets and files that stay visible although they are in a hidden or private place. */
  shared: string[];
  scratch: { path: string; from?: string }[];
  /** Links whose names cover what they lead to. */
  links?: string[];
};

/** What commands have for /tmp. In the mode plan it is another one: what was started before may still run, and act by what it finds. */
export const temporaryIn = (mode: PermissionMode, folder: string): string => (mode === "plan" ? `${folder}-plan` : folder);

/** In the mode plan nothing of the tree can be written. */
export function sandboxView(
  { cwd, apartFrom, mode }: Pick<Policy, "cwd" | "apartFrom" | "mode">,
  network: boolean,
  found: SandboxInputs,
): SandboxView {
  const hidden: SandboxInputs["secrets"] = [
    ...found.secrets,
    ...(apartFrom === undefined ? [] : [{ path: apartFrom, kind: "folder" as const }]),
  ];
  const mounts: Mount[] = [
    ...found.scratch.map(
      ({ path, from }): Mount => ({ kind: "scratch", path, ...(from !== undefined && { from: temporaryIn(mode, from) }) }),
    ),
    ...hidden
      .filter(({ path }) => isShown(path, found))
      .map(({ path, kind, decoy }): Mount => ({ kind: "hidden", path, as: kind, ...(decoy !== undefined && { decoy }) })),
    ...[...found.writable, ...anchors(hidden, found).filter((path) => !isSecret(path, found))].map(
      (path): Mount => ({ kind: mode === "plan" ? "fixed" : "writable", path }),
    ),
    ...found.exceptions.flatMap(({ path, kind, visibility, decoy }): Mount[] => {
      if (visibility === "normal" || (decoy === undefined && isSecret(path, found))) return [];
      return [
        visibility === "hidden" ? { kind: "hidden", path, as: kind, ...(decoy !== undefined && { decoy }) } : { kind: "fixed", path },
      ];
    }),
    ...found.shared.map((path): Mount => ({ kind: "fixed", path })),
  ];
  return { cwd, network, mounts: mounts.toSorted((a, b) => depth(a.path) - depth(b.path)) };
}

/**
 * The folders between a writable one and a covered file in it, or a link that covers one. A mount cannot be renamed; without these mounts a
 * command could move the folder around a covered file away, and so give the file a name that no rule covers. The price: renaming out of such a
 * folder crosses file systems.
 */
function anchors(hidden: { path: string }[], { writable, exceptions, links = [] }: SandboxInputs): string[] {
  const covered = new Set([...hidden, ...exceptions.filter((entry) => entry.visibility !== "normal")].map(({ path }) => path));
  const between = [...covered, ...links].flatMap((path) => {
    const top = writable.filter((folder) => within(folder, path)).toSorted((a, b) => b.length - a.length)[0];
    let above: string[] = [];
    for (let folder = dirname(path); top !== undefined && folder !== top && within(top, folder); folder = dirname(folder))
      above = covered.has(folder) ? [] : [...above, folder]; // what is in a covered folder stays as it is there
    return above;
  });
  return [...new Set(between)];
}

/** Whether a place in the tree is in a secret one there: that hides it, and a mount on it would show it again. */
const isSecret = (path: string, { writable, secrets }: SandboxInputs): boolean =>
  secrets.some((secret) => within(secret.path, path) && !writable.some((folder) => within(secret.path, folder) && within(folder, path)));

/** Nothing in a private place is visible anyway; a working directory is never hidden from its own commands. */
function isShown(path: string, { writable, scratch }: SandboxInputs): boolean {
  if (writable.includes(path)) return false;
  return writable.some((folder) => within(folder, path)) || !scratch.some((place) => within(place.path, path));
}

const depth = (path: string) => path.split("/").filter(Boolean).length;
