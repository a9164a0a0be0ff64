// Claims by generation: the highest claim gN of a folder names the process that holds it, until that process ends or gN.done exists. A
// process that finds it free links its claim to g(N+1), which only one can do. A living holder is never robbed, a dead one is replaced at
// once, no clock is used, and N is a fencing token.
import { linkSync, readdirSync, readFileSync, truncateSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ProcessIdentity } from "../../board/disk.ts";
import { isSameFile } from "../disk/durable.ts";
import type { Processes } from "../processes/processes.ts";
import { codeOf, ifPossible, unless } from "../system-error.ts";

/** Who holds the folder, as far as can be seen. Unreadable means neither free nor held: check again. */
export type LockState =
  | { kind: "free" }
  | { kind: "held"; pid: number; stopped: boolean }
  | { kind: "elsewhere"; where: string; path: string }
  | { kind: "unreadable"; path: string; reason: string };

/** A waiting process: its claim, ready under a temporary name, and the generation at which it arrived. */
export type Waiting = { name: string; ticket: number; pid: number; start: string };

/** The contents of a claim folder; `waiting` in the order of arrival. */
export type Listing = { top: number; released: boolean; waiting: Waiting[] };

/** A claim of this process that can neither be marked as done nor emptied: only the end of the process frees the folder. */
export class StuckClaim extends Error {
  override name = "StuckClaim";
}

/** Reads the state without changing anything. */
export function snapshot(folder: string, table: Processes): Listing & { state: LockState } {
  // A claim that vanishes between listing and reading was swept: three newer ones exist.
  for (let again = 0; ; again++) {
    const listing = readListing(list(folder));
    const state = judge(folder, listing, table);
    if (state !== "vanished") return { ...listing, state };
    if (again === 100) return { ...listing, state: unreadable(claimPath(folder, listing.top), "it is listed and not there") };
  }
}

/** Other names are ignored. */
export function readListing(names: string[]): Listing {
  const generations = names.flatMap((name) => /^g(\d{1,15})$/.exec(name)?.[1] ?? []).map(Number);
  const top = Math.max(0, ...generations);
  const waiting = names.flatMap((name) => {
    const [, ticket, pid, start] = /^w(\d{1,15})\.(\d+)\.([^.]+)\.\d+$/.exec(name) ?? [];
    return ticket && pid && start ? [{ name, ticket: Number(ticket), pid: Number(pid), start }] : [];
  });
  waiting.sort((a, b) => a.ticket - b.ticket || (a.name < b.name ? -1 : 1));
  return { top, released: names.includes(`g${top}.done`), waiting };
}

/**
 * Links the ready claim to the generation after `top`, which was seen free. Returns that generation, or undefined if another process was
 * faster.
 */
export function take(folder: string, top: number, ready: string): number | undefined {
  const generation = top + 1;
  const path = claimPath(folder, generation);
  try {
    linkSync(join(folder, ready), path);
  } catch (error) {
    // EEXIST: another process won. ENOENT: the ready claim is gone, with its folder or swept by a process that cannot see this one.
    if (["EEXIST", "ENOENT"].includes(codeOf(error) ?? "")) return undefined;
    if (!isSameFile(join(folder, ready), path)) throw error;
  }
  // Meanwhile the folder may have moved far past `top`, and this name have been swept and become free again.
  let passed: boolean;
  try {
    passed = readListing(list(folder)).top !== generation;
  } catch (error) {
    withdraw(path);
    throw error;
  }
  if (!passed) return generation;
  withdraw(path);
  return undefined;
}

/** A generation that was never held may be removed, unlike one that was: nobody waits for its end. */
function withdraw(path: string): void {
  try {
    unless("ENOENT", () => unlinkSync(path), undefined);
  } catch (error) {
    throw new StuckClaim(`Cannot withdraw "${path}": ${String(error)}`);
  }
}

/** Frees a generation that `self` holds, and sweeps. Throws StuckClaim if the disk allows neither way of freeing it. */
export function giveBack(folder: string, generation: number, self: ProcessIdentity): void {
  const path = claimPath(folder, generation);
  if (!isStillOurs(path, self)) return;
  try {
    // Links a second name instead of renaming: a listing taken during a rename may miss both names.
    linkSync(path, `${path}.done`);
  } catch (fault) {
    // On a full disk the claim is emptied instead: an empty claim counts as done, and emptying needs no space.
    try {
      empty(folder, path, self);
    } catch {
      throw new StuckClaim(`Cannot give back "${path}": ${String(fault)}`);
    }
  }
  sweep(folder);
}

/** The folder may have been removed and created again by another process: then the same number is not ours. */
function isStillOurs(path: string, self: ProcessIdentity): boolean {
  try {
    return readFileSync(path, "utf8") === claimOf(self);
  } catch (error) {
    // A claim that cannot be read (no descriptors left …) must be given back anyway.
    return codeOf(error) !== "ENOENT";
  }
}

/** Claims that `self` has ready for its next grants may be the same file under other names, and are removed first. */
function empty(folder: string, path: string, self: ProcessIdentity): void {
  for (const { name, pid, start } of readListing(list(folder)).waiting) {
    if (pid === self.pid && start === self.start) unlinkSync(join(folder, name));
  }
  unless("ENOENT", () => truncateSync(path), undefined);
}

/** Keeps three generations, so that a process that checked a moment ago still finds what it saw, and its own claim. */
function sweep(folder: string): void {
  try {
    const names = list(folder);
    const { top } = readListing(names);
    for (const name of names) {
      const generation = /^g(\d{1,15})(?:\.done)?$/.exec(name)?.[1];
      if (generation && Number(generation) <= top - 3) tryRemove(join(folder, name));
    }
  } catch {
    // The claim is given back, which is what counts. The next grant sweeps again.
  }
}

/**
 * Makes `ready` another name for one of `self`'s claims among the three highest generations, which exists if few processes take turns: it
 * is already complete and synced. Returns false, without creating the name, if there is none.
 */
export function reuse(folder: string, top: number, { ready, self }: { ready: string; self: ProcessIdentity }): boolean {
  return [top, top - 1, top - 2].some(
    (generation) => generation > 0 && nameAgain(claimPath(folder, generation), join(folder, ready), claimOf(self)),
  );
}

function nameAgain(path: string, ready: string, claim: string): boolean {
  try {
    if (readFileSync(path, "utf8") !== claim) return false;
    linkSync(path, ready);
    // Read again under a name that only this process uses: the other name may have been swept and given to another claim.
    if (readFileSync(ready, "utf8") === claim) return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
  tryRemove(ready);
  return false;
}

/** The text of a claim. */
export function claimOf(identity: ProcessIdentity): string {
  return `${JSON.stringify(identity)}\n`;
}

const claimSchema = z.object({
  machine: z.string(),
  boot: z.string(),
  namespace: z.string(),
  pid: z.number().int().positive(),
  start: z.string(),
});

function judge(folder: string, { top, released }: Listing, table: Processes): LockState | "vanished" {
  if (top === 0 || released) return { kind: "free" };
  const path = claimPath(folder, top);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "vanished" : unreadable(path, String(error));
  }
  if (text === "") return { kind: "free" };
  const claim = parse(text);
  if (!claim) return unreadable(path, "it is not a claim");
  const liveness = table.liveness(claim);
  switch (liveness.kind) {
    case "gone":
      return { kind: "free" };
    case "alive":
      return { kind: "held", pid: claim.pid, stopped: liveness.stopped };
    case "elsewhere":
      return { kind: "elsewhere", where: `process ${claim.pid} of ${liveness.where}`, path };
  }
}

function parse(text: string): ProcessIdentity | undefined {
  return claimSchema.safeParse(ifPossible(() => JSON.parse(text) as unknown)).data;
}

function unreadable(path: string, reason: string): LockState {
  return { kind: "unreadable", path, reason };
}

function claimPath(folder: string, generation: number): string {
  return join(folder, `g${generation}`);
}

function list(folder: string): string[] {
  return unless("ENOENT", () => readdirSync(folder), []);
}

/** For files that others may remove at the same time, and that do no harm if they stay. */
export function tryRemove(path: string): void {
  ifPossible(() => unlinkSync(path)); // names below the highest claim are never read
}
