// The process table of Linux: /proc.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "../system-error.ts";
import type { ProcessFacts, ProcessTable } from "./processes.ts";

/** Undefined if there is no /proc. */
export function linuxTable(): ProcessTable | undefined {
  return facts("self") && { place, facts, owned };
}

function place() {
  return {
    machine: textOf("/etc/machine-id") || textOf("/var/lib/dbus/machine-id") || hostname(),
    boot: textOf("/proc/sys/kernel/random/boot_id"),
    namespace: readlinkSync("/proc/self/ns/pid"),
  };
}

/**
 * Fields of /proc/{pid}/stat as in proc(5); the second is the program's name, which may contain any characters, so fields are counted from
 * its end.
 */
function facts(pid: number | "self"): ProcessFacts | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, , group] = fields;
  const start = fields[19];
  if (!state || !group || !start) return undefined;
  return { pid: Number.parseInt(stat, 10), state, group: Number(group), start };
}

function owned(): (ProcessFacts & { owner: string })[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const owner = /(?:^|\0)TOOL_OWNER=([^\0]*)/.exec(textOf(`/proc/${name}/environ`))?.[1];
      const found = owner ? facts(Number(name)) : undefined;
      return owner && found ? [{ ...found, owner }] : [];
    });
}

/** Empty if the file or process does not exist, or belongs to another user. Any other error says nothing about the process. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes(codeOf(error) ?? "")) return "";
    throw error;
  }
}
