// The process table of Linux: /proc.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "../system-error.ts";
import type { ProcessFacts, ProcessTable } from "./processes.ts";

/** Undefined if there is no /proc. */
export function linuxTable(): ProcessTable | undefined {
  return existsSync("/proc/self/stat") ? { place, facts, owned } : undefined;
}

function place() {
  return {
    machine: textOf("/etc/machine-id") || textOf("/var/lib/dbus/machine-id") || hostname(),
    boot: textOf("/proc/sys/kernel/random/boot_id"),
    namespace: readlinkSync("/proc/self/ns/pid"),
  };
}

function facts(pid: number): ProcessFacts | undefined {
  const fields = statOf(pid);
  const [state, , group] = fields;
  const start = fields[19];
  return state && group && start ? { pid, state, group: Number(group), start } : undefined;
}

/** Fields of /proc/{pid}/stat after the program's name, as in proc(5); the name may contain any characters. */
function statOf(pid: number): string[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function owned(): (ProcessFacts & { owner: string })[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const owner = ownerOf(Number(name));
      const found = owner ? facts(Number(name)) : undefined;
      return owner && found ? [{ ...found, owner }] : [];
    });
}

/** TOOL_OWNER in the environment of a process; undefined also if the process is gone or belongs to another user. */
export function ownerOf(pid: number): string | undefined {
  return /(?:^|\0)TOOL_OWNER=([^\0]+)/.exec(textOf(`/proc/${pid}/environ`))?.[1];
}

/** 0 if there is no such process. */
export const parentOf = (pid: number) => Number(statOf(pid)[1] ?? 0);

/** Whether it is the first process of a namespace of processes, with which all others in it end (pid_namespaces(7)). */
export const isFirstInside = (pid: number): boolean => /^NSpid:\t\d+(?:\t\d+)*\t1$/m.test(textOf(`/proc/${pid}/status`));

/** Empty if the file or process does not exist, or belongs to another user. Any other error says nothing about the process. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(codeOf(error) ?? "")) return "";
    throw error;
  }
}
