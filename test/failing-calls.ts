// System calls that fail: replaces Node's own function for this whole process until the test has finished.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type CallName =
  | "openSync"
  | "writeSync"
  | "fsyncSync"
  | "closeSync"
  | "linkSync"
  | "renameSync"
  | "unlinkSync"
  | "rmSync"
  | "readFileSync"
  | "readdirSync";

export type Failing = {
  /** How many calls have failed. */
  count: () => number;
  /** Lets the calls succeed again. */
  mend: () => void;
};

/**
 * Fails calls of `name` for which `when` holds, given the call's first argument: a path, or for a descriptor the path that it was opened
 * with. `after`: the call takes effect and is reported as failed.
 */
export function failing(
  name: CallName,
  {
    code,
    when,
    times = Number.POSITIVE_INFINITY,
    after = false,
  }: { code: string; when: (path: string) => boolean; times?: number; after?: boolean },
): Failing {
  const real = fs[name] as (...args: unknown[]) => unknown;
  let count = 0;
  let isMended = false;
  const replaced = (...args: unknown[]) => {
    const target = args[0];
    const path = typeof target === "number" ? openedAs(target) : String(target);
    if (isMended || count >= times || !when(path)) return real(...args);
    count++;
    if (after || name === "closeSync") real(...args); // a failed close also closes (close(2))
    throw Object.assign(new Error(`${code}: injected, ${name.replace("Sync", "")} '${path}'`), { code });
  };
  Object.assign(fs, { [name]: replaced });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { [name]: real });
    syncBuiltinESMExports();
  });
  return {
    count: () => count,
    mend() {
      isMended = true;
    },
  };
}

function openedAs(descriptor: number): string {
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}
