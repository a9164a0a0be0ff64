// Which permission modes the user may switch a running session to: with a key from one to the next, or by name.
import { modesByStrictness, type PermissionMode } from "../permissions/policy.ts";
import { nearestName } from "../wording/nearest-name.ts";

/** In the order of the key. The mode without any questions is not among them: it must be chosen at the start of a session. */
export const changeableModes = ["default", "acceptEdits", "plan"] as const satisfies PermissionMode[];

export type ModeChange = { ok: true; mode: PermissionMode } | { ok: false; reason: string };

/** `managed`: the mode that an administrator has set, which can only be made stricter. */
export function changedMode(wanted: string, managed: PermissionMode | undefined): ModeChange {
  const mode = changeableModes.find((name) => name === wanted);
  if (!mode) {
    const near = nearestName(wanted, changeableModes);
    const meant = near === undefined ? "" : ` Did you mean ${near}?`;
    const modes = changeableModes.join(", ");
    return { ok: false, reason: `Cannot change to the mode "${wanted}": the modes of a session are ${modes}.${meant}` };
  }
  if (mode === managed || isWithin(mode, managed)) return { ok: true, mode };
  return { ok: false, reason: `Cannot change to the mode ${mode}: the managed settings set ${managed}, and it can only be made stricter.` };
}

/** The mode after `now`. */
export function nextMode(now: PermissionMode, managed: PermissionMode | undefined): ModeChange {
  const open: PermissionMode[] = changeableModes.filter((mode) => isWithin(mode, managed));
  const at = open.indexOf(now);
  const mode = open[(at + 1) % open.length];
  if (mode !== undefined && mode !== now) return { ok: true, mode };
  return { ok: false, reason: `The mode stays ${now}: the managed settings allow no other.` };
}

function isWithin(mode: PermissionMode, limit: PermissionMode = "bypassPermissions"): boolean {
  return modesByStrictness.indexOf(mode) <= modesByStrictness.indexOf(limit);
}
