// The lock around a team's files: proper-lockfile on a file system adapter in which a lock is a claim by generation.
import { lockSync } from "proper-lockfile";
import type { Holder, Lock } from "../../board/disk.ts";
import { type Processes, processes } from "../processes/processes.ts";
import { codeOf } from "../system-error.ts";
import { backoff } from "./backoff.ts";
import { type LockState, StuckClaim, snapshot } from "./claims.ts";
import { type LockQueue, lockQueue, type Seen } from "./lock-queue.ts";

export function lock(table: Processes = processes()): Lock {
  return {
    withLock: (folder, work, { timeoutMs = 10_000 } = {}) =>
      withLock(lockQueue(folder, table, { queues: true }), work, { folder, timeoutMs }),
    claimForLife: (folder) => claimForLife(lockQueue(folder, table, { queues: false }), folder),
    holder: (folder) => holderOf(snapshot(folder, table).state, folder),
  };
}

/** The first attempt is immediate, and `work` runs synchronously with the attempt that succeeds. */
async function withLock<T>(own: LockQueue, work: () => T, { folder, timeoutMs }: { folder: string; timeoutMs: number }): Promise<T> {
  const waiting = backoff(timeoutMs);
  try {
    for (;;) {
      const release = tryLock(own, folder);
      if (release) {
        try {
          return work();
        } finally {
          orEnd(release);
        }
      }
      if (waiting.isOver()) throw lockTimeout(own.seen(), { folder, timeoutMs });
      await waiting.pause(own.seen());
    }
  } finally {
    own.leaveQueue();
  }
}

function claimForLife(own: LockQueue, folder: string): ReturnType<Lock["claimForLife"]> {
  try {
    for (;;) {
      let release = tryLock(own, folder);
      if (release) {
        const giveBackOnce = () => {
          if (release) unlessStuck(release);
          release = undefined;
        };
        return { ok: true, release: giveBackOnce };
      }
      // Free but not taken: another process was faster, and the next check will find it.
      const holder = holderOf(own.seen().state, folder);
      if (holder) return { ok: false, holder };
    }
  } finally {
    own.leaveQueue();
  }
}

function holderOf(state: LockState, folder: string): Holder | undefined {
  switch (state.kind) {
    case "free":
      return undefined;
    case "held":
      return { kind: "alive", pid: state.pid };
    case "elsewhere":
      return { kind: "elsewhere", where: state.where };
    case "unreadable":
      throw Object.assign(new Error(`Cannot tell who holds "${folder}": ${describe(state)}`), { code: "EBADMSG" });
  }
}

/** Undefined if the folder is held. */
function tryLock(own: LockQueue, folder: string): (() => void) | undefined {
  if (!own.approach()) return undefined;
  // Nothing here depends on time: stat and utimes answer from memory, so no claim ever looks stale. Larger numbers than these, Infinity
  // included, would make its timer fire at once.
  const options = { fs: asFolder(own), lockfilePath: folder, realpath: false, retries: 0, stale: 1e9, update: 1e8 };
  try {
    return orEnd(() => lockSync(folder, options));
  } catch (error) {
    if (codeOf(error) === "ELOCKED") return undefined;
    throw error;
  }
}

/** The part of a file system that proper-lockfile uses. Its exit hook calls rmdirSync, which gives back only our own claim. */
function asFolder(own: LockQueue) {
  let mtime = new Date();
  return {
    mkdirSync: () => {
      if (!own.take()) throw Object.assign(new Error("The lock is held"), { code: "EEXIST" });
    },
    rmdirSync: () => own.giveBack(),
    statSync: () => ({ mtime }),
    utimesSync: (_path: string, _atime: Date, modified: Date) => {
      mtime = modified;
    },
  };
}

/** A claim held for life is freed by the end of the process anyway: if the disk refuses now, waiting longer does not help. */
function unlessStuck(release: () => void): void {
  try {
    release();
  } catch (error) {
    if (!(error instanceof StuckClaim)) throw error;
  }
}

/** A claim that cannot be given back would lock out everyone as long as this process lives. */
function orEnd<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof StuckClaim)) throw error;
    process.stderr.write(`tool: ${error.message.replace(/^Cannot/, "cannot")}. This process ends, so that others can continue.\n`);
    return process.exit(1);
  }
}

/** Identified by its name, because edge imports no values of the board. */
function lockTimeout({ state, ahead }: Seen, wish: { folder: string; timeoutMs: number }): Error {
  const why = state.kind === "free" ? `it is in constant use, and ${ahead} processes wait before this one` : describe(state);
  return Object.assign(new Error(`Cannot lock "${wish.folder}" within ${wish.timeoutMs / 1000} s: ${why}`), { name: "LockTimeout" });
}

function describe(state: Exclude<LockState, { kind: "free" }>): string {
  switch (state.kind) {
    case "held":
      if (state.stopped) return `process ${state.pid} holds it and is stopped. Resume it with "kill -CONT ${state.pid}", or end it`;
      return `process ${state.pid} holds it. Wait for it, or end it`;
    case "elsewhere":
      return `${state.where} holds it, which cannot be seen from here. If it is gone, remove "${state.path}"`;
    case "unreadable":
      return `its claim "${state.path}" cannot be read: ${state.reason}. If no process holds it, remove that file`;
  }
}
