// Loaded before the program (node --import) in every process of a team under chaos: failing system calls, a clock that jumps, and a kill
// before the n-th effect, as set by a control file that is read again before each call. The file's path is in this module's own address:
// …/chaos-faults.js?control=/path.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * `below`: only files below this folder. `reads`: reading calls fail as well. `after`: how many calls of each process succeed first.
 * `times`: how many fail then. `killAt`: the lead is killed before its n-th effect, a file change or a program start; which one it was is
 * written beside the control file.
 */
export type Disturbance = {
  id: number;
  below: string;
  code?: "ENOSPC" | "EIO";
  reads?: boolean;
  after?: number;
  times?: number;
  clockMs?: number;
  killAt?: number;
};

const control = new URL(import.meta.url).searchParams.get("control") ?? "";
const real = { ...fs };
const writers = ["openSync", "writeSync", "writeFileSync", "appendFileSync", "fsyncSync", "linkSync", "renameSync", "mkdirSync"] as const;
const readers = ["readFileSync", "readdirSync", "readSync", "statSync"] as const;
type CallName = (typeof writers)[number] | (typeof readers)[number];
let seen = { id: -1, calls: 0 };
let known: { changedMs: number; now: Disturbance | undefined } = { changedMs: 0, now: undefined };

function disturbance(): Disturbance | undefined {
  const changedMs = real.statSync(control, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedMs === known.changedMs) return known.now;
  try {
    known = { changedMs, now: changedMs === 0 ? undefined : (JSON.parse(real.readFileSync(control, "utf8")) as Disturbance) };
  } catch {
    known = { changedMs: 0, now: undefined }; // the file is being replaced: the next call reads it again
  }
  return known.now;
}

function failIfDisturbed(name: CallName, args: unknown[]): void {
  const now = disturbance();
  if (!now?.code || !(now.reads || isWrite(name, args))) return;
  const target = typeof args[0] === "number" ? openedAs(args[0]) : String(args.at(name === "linkSync" || name === "renameSync" ? 1 : 0));
  if (!target.startsWith(now.below)) return;
  if (seen.id !== now.id) seen = { id: now.id, calls: 0 };
  const number = ++seen.calls - (now.after ?? 0);
  if (number < 1 || number > (now.times ?? Number.POSITIVE_INFINITY)) return;
  throw Object.assign(new Error(`${now.code}: injected, ${name.replace("Sync", "")} '${target}'`), { code: now.code, syscall: name });
}

/** Reading needs no disk space. */
function isWrite(name: CallName, args: unknown[]): boolean {
  if (readers.some((reader) => reader === name)) return false;
  const [, flags = "r"] = args;
  return name !== "openSync" || (typeof flags === "string" && /[wa+]/.test(flags));
}

function openedAs(descriptor: number): string {
  try {
    return real.readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}

for (const name of [...writers, ...readers]) {
  const call = real[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name](...args: unknown[]) {
      failIfDisturbed(name, args);
      return call(...args);
    },
  });
}

const isLead = process.argv[2] === "team";
let effects = 0;

function killIfDue(name: string, args: unknown[]): void {
  const killAt = isLead ? disturbance()?.killAt : undefined;
  if (killAt === undefined || ++effects < killAt) return;
  const target = typeof args[0] === "number" ? openedAs(args[0]) : String(args[0]);
  real.writeFileSync(
    `${control}.killed`,
    `${name.replace("Sync", "")} ${target} ${Array.isArray(args[1]) ? args[1].join(" ") : ""}`.trim(),
  );
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); // so that the program runs no further instruction
}

const removers = ["unlinkSync", "rmSync", "rmdirSync", "ftruncateSync", "truncateSync"] as const;
const starters = ["spawn", "spawnSync", "execFile", "execFileSync"] as const;
endBefore(
  fs,
  [...writers, ...removers].filter((name) => name !== "fsyncSync"),
  (name, args) => isWrite(name as CallName, args),
);
endBefore(childProcess, starters, () => true);

function endBefore(module: object, names: readonly string[], counts: (name: string, args: unknown[]) => boolean): void {
  for (const name of names) {
    const call = Reflect.get(module, name) as (...args: unknown[]) => unknown;
    Object.assign(module, {
      [name](...args: unknown[]) {
        if (counts(name, args)) killIfDue(name, args);
        return call(...args);
      },
    });
  }
}
syncBuiltinESMExports();

const RealDate = Date;
const jumped = () => RealDate.now() + (disturbance()?.clockMs ?? 0);
globalThis.Date = class extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    super(...((args.length === 0 ? [jumped()] : args) as [number]));
  }
  static override now(): number {
    return jumped();
  }
} as DateConstructor;
