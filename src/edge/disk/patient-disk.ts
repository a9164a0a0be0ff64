// Lets writers continue while the disk is full or fails for a moment: refused writes are kept in order, and repeated until they succeed. A
// caller that must not continue before that awaits `written`.
import { performance } from "node:perf_hooks";
import type { DiskRefusal, PatientDisk } from "../../board/disk.ts";
import { diskMeaning } from "../../wording/error-text.ts";
import { codeOf } from "../system-error.ts";
import { diskHere } from "./disk.ts";
import { syncFolder } from "./durable.ts";

export type PatientDiskOptions = {
  /** Called with what is refused when waiting begins, and without it when everything is written. */
  onWait: (refusal: DiskRefusal | undefined) => void;
  sleep?: (ms: number) => Promise<void>;
  monotonicMs?: () => number;
};

/** Errors that may pass by themselves or when the user frees space, and how long to wait for that. */
const passingMs: Record<string, number> = {
  ENOSPC: 30 * 60_000,
  EDQUOT: 30 * 60_000,
  EIO: 60_000,
  ESTALE: 60_000,
  EMFILE: 60_000,
  ENFILE: 60_000,
  EAGAIN: 60_000,
};
const firstPauseMs = 100;
const longestPauseMs = 1_000;

type Kept = { path: string; kind: "append" | "replace" | "other"; text?: string; write: () => void };

export function patientDisk({ onWait, sleep = pause, monotonicMs = () => performance.now() }: PatientDiskOptions): PatientDisk {
  const now = diskHere((folder) => keep({ path: folder, kind: "other", write: () => syncFolder(folder) }));
  let kept: Kept[] = [];
  let [draining, lastFault]: [Promise<void> | undefined, unknown] = [undefined, undefined];
  const patience = createPatience({ onWait, sleep, monotonicMs });

  function keep(write: Kept): void {
    // Of two full replacements of one file only the later one counts.
    if (write.kind === "replace") kept = kept.filter(({ kind, path }) => kind !== "replace" || path !== write.path);
    kept.push(write);
    draining ??= Promise.resolve().then(drain);
  }

  async function drain(): Promise<void> {
    try {
      await patience.untilDone(flush);
    } catch (error) {
      lastFault = error;
    } finally {
      draining = undefined;
    }
  }

  function flush(): void {
    for (let first = kept[0]; first; first = kept[0]) {
      first.write();
      kept.shift();
    }
  }

  /** Writes now, or after the writes that are kept. Throws errors that waiting does not solve. */
  function write(order: Kept): void {
    if (kept.length === 0) {
      try {
        order.write();
        return;
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
    }
    keep(order);
  }

  return {
    ...now,
    now,
    read: (path) => bytesOf(kept.findLast((order) => order.kind === "replace" && order.path === path)?.text) ?? now.read(path),
    replace: (path, text, options) => write({ path, kind: "replace", text, write: () => now.replace(path, text, options) }),
    append: (path, text, options) => write({ path, kind: "append", write: () => now.append(path, text, options) }),
    publish(temporary, path, text) {
      // A process that is ending does not wait for its own requests to others.
      if (kept.length === 0 || patience.isHurried()) {
        try {
          return now.publish(temporary, path, text);
        } catch (error) {
          if (!isPassing(error) || patience.isHurried()) throw error;
        }
      }
      if (now.size(path) !== undefined) return false;
      keep({ path, kind: "other", write: () => void now.publish(temporary, path, text) });
      return true;
    },
    makeFolder: (path, options) => write({ path, kind: "other", write: () => now.makeFolder(path, options) }),
    untilDone: patience.untilDone,
    async written(signal) {
      while (draining && !signal?.aborted) await Promise.race([draining, ...(signal ? [aborted(signal)] : [])]);
      if (kept.length > 0 && !signal?.aborted) throw lastFault;
    },
    hurry() {
      patience.hurry();
      try {
        flush();
      } catch (error) {
        lastFault = error; // still refused: `unwritten` says how much
      }
    },
    unwritten: () => kept.length,
    refusal: () => refusalOf(lastFault),
  };
}

const bytesOf = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));

/** How long a write is repeated, and who is told about it. */
function createPatience({ onWait, sleep, monotonicMs }: Required<PatientDiskOptions>) {
  let isHurried = false;
  /** How many writers wait for the disk, and whether the user has been told. */
  let waiting = 0;
  let told = false;
  let hurry = () => {};
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });

  const begin = (error: unknown) => {
    waiting++;
    if (!told) onWait(refusalOf(error));
    told = true;
  };
  const finish = (accepted: boolean) => {
    waiting--;
    if (waiting > 0 || !told || isHurried) return;
    told = false;
    if (accepted) onWait(undefined);
  };

  /** Repeats until it succeeds. Throws permanent errors, and those that have not passed in time. */
  async function untilDone<T>(attempt: () => T | Promise<T>): Promise<T> {
    let since: number | undefined;
    let pauseMs = firstPauseMs;
    let accepted = false;
    try {
      for (;;) {
        try {
          const result = await attempt();
          accepted = true;
          return result;
        } catch (error) {
          if (isHurried || !isPassing(error)) throw error;
          if (since === undefined) begin(error);
          since ??= monotonicMs();
          if (monotonicMs() - since >= limitOf(error)) throw error;
          await Promise.race([sleep(pauseMs), hurried]);
          pauseMs = Math.min(2 * pauseMs, longestPauseMs);
        }
      }
    } finally {
      if (since !== undefined) finish(accepted);
    }
  }
  return {
    untilDone,
    isHurried: () => isHurried,
    /** From now on nothing is repeated. */
    hurry() {
      isHurried = true;
      hurry();
    },
  };
}

function isPassing(error: unknown): boolean {
  return (codeOf(error) ?? "") in passingMs;
}

function limitOf(error: unknown): number {
  return passingMs[codeOf(error) ?? ""] ?? 0;
}

function refusalOf(error: unknown): DiskRefusal {
  return diskMeaning(codeOf(error)) ?? { words: "the disk is busy", advice: "Wait until it is not" };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
