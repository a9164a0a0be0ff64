// The lock around a team's files: proper-lockfile on a file system of our own, in which a lock is a claim by generation.
import { lockSync } from "proper-lockfile";
import type { Holder, Lock } from "../../board/disk.ts";
import { type Processes, processes } from "../processes/processes.ts";
import { codeOf } from "../system-error.ts";
import { look, type Sight, StuckClaim } from "./claims.ts";
import { type Contender, contender, type Seen } from "./contender.ts";
import { patience } from "./patience.ts";

export function lock(table: Processes = processes()): Lock {
  return {
    withLock: (folder, work, { timeoutMs = 10_000 } = {}) =>
      withLock(contender(folder, table, { queues: true }), work, { folder, timeoutMs }),
    claimForLife: (folder) => claimForLife(contender(folder, table, { queues: false }), folder),
    holder: (folder) => holderOf(look(folder, table).sight, folder),
  };
}

/** The first try is made at once, and `work` runs in the same breath as the try that succeeds. */
async function withLock<T>(own: Contender, work: () => T, { folder, timeoutMs }: { folder: string; timeoutMs: number }): Promise<T> {
  const waiting = patience(timeoutMs);
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

function claimForLife(own: Contender, folder: string): ReturnType<Lock["claimForLife"]> {
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
      // Free and yet not taken: another process was faster, and the next look finds it.
      const holder = holderOf(own.seen().sight, folder);
      if (holder) return { ok: false, holder };
    }
  } finally {
    own.leaveQueue();
  }
}

function holderOf(sight: Sight, folder: string): Holder | undefined {
  switch (sight.kind) {
    case "free":
      return undefined;
    case "held":
      return { kind: "alive", pid: sight.pid };
    case "elsewhere":
      return { kind: "elsewhere", where: sight.where };
    case "unreadable":
      throw Object.assign(new Error(`Cannot tell who holds "${folder}": ${describe(sight)}`), { code: "EBADMSG" });
  }
}

/** Undefined when the folder is held. */
function tryLock(own: Contender, folder: string): (() => void) | undefined {
  if (!own.approach()) return undefined;
  // Nothing here depends on time: stat and utimes answer from memory, so no claim ever looks stale. Larger numbers than
  // these, Infinity included, would make its timer fire at once.
  const options = { fs: asFolder(own), lockfilePath: folder, realpath: false, retries: 0, stale: 1e9, update: 1e8 };
  try {
    return orEnd(() => lockSync(folder, options));
  } catch (error) {
    if (codeOf(error) === "ELOCKED") return undefined;
    throw error;
  }
}

/** The part of a file system that proper-lockfile asks for. Its exit hook calls rmdirSync, which gives back only what is ours. */
function asFolder(own: Contender) {
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

/** A claim for life is free with the end of that life in any case: where the disk refuses now, nobody waits for longer than that. */
function unlessStuck(release: () => void): void {
  try {
    release();
  } catch (error) {
    if (!(error instanceof StuckClaim)) throw error;
  }
}

/** A claim that cannot be given back would lock everybody out for as long as this process lives. */
function orEnd<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof StuckClaim)) throw error;
    process.stderr.write(`tool: ${error.message}. This process ends, so that others can go on.\n`);
    return process.exit(1);
  }
}

/** Goes by its name, since nothing of the board is imported here for its value. */
function lockTimeout({ sight, ahead }: Seen, wish: { folder: string; timeoutMs: number }): Error {
  const why = sight.kind === "free" ? `it goes from hand to hand, and ${ahead} wait before this process` : describe(sight);
  return Object.assign(new Error(`Cannot lock "${wish.folder}" within ${wish.timeoutMs / 1000} s: ${why}`), { name: "LockTimeout" });
}

function describe(sight: Exclude<Sight, { kind: "free" }>): string {
  switch (sight.kind) {
    case "held":
      if (sight.stopped) return `process ${sight.pid} holds it and is stopped. Resume it with "kill -CONT ${sight.pid}", or end it`;
      return `process ${sight.pid} holds it. Wait for it, or end it`;
    case "elsewhere":
      return `${sight.where} holds it, which cannot be seen from here. If it is gone, remove "${sight.path}"`;
    case "unreadable":
      return `its claim "${sight.path}" cannot be read: ${sight.reason}. If no process holds it, remove that file`;
  }
}
