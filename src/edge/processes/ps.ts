// The process table without /proc: from `ps` and `sysctl`, as on macOS and the BSDs.
import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { helperProgram } from "./helper-programs.ts";
import type { ProcessFacts, ProcessTable } from "./processes.ts";

export function psTable(): ProcessTable {
  return { place, facts, owned };
}

function place() {
  const hardware = /"IOPlatformUUID" = "([^"]+)"/.exec(output("ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]))?.[1];
  return {
    machine: hardware || output("sysctl", ["-n", "kern.hostuuid"]) || hostname(),
    // The boot session's id, because the boot time changes when the clock is set.
    boot: output("sysctl", ["-n", "kern.bootsessionuuid"]) || output("sysctl", ["-n", "kern.boottime"]),
    namespace: "",
  };
}

const columns = ["pid", "pgid", "stat", "lstart"].flatMap((name) => ["-o", `${name}=`]);
const row = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})/;

function facts(pid: number): ProcessFacts | undefined {
  return factsOf(output("ps", [...columns, "-p", String(pid)]));
}

/** `-E` prints the environment after the command; the first marker counts. */
function owned(): (ProcessFacts & { owner: string })[] {
  return output("ps", ["-axww", "-E", ...columns, "-o", "command="])
    .split("\n")
    .flatMap((line) => {
      const owner = / TOOL_OWNER=(\S+)/.exec(line)?.[1];
      const found = owner ? factsOf(line) : undefined;
      return owner && found ? [{ ...found, owner }] : [];
    });
}

function factsOf(line: string): ProcessFacts | undefined {
  const [, pid, group, state, start] = row.exec(line) ?? [];
  if (!pid || !group || !state || !start) return undefined;
  return { pid: Number(pid), group: Number(group), state, start: start.replaceAll(/\s+/g, "_") };
}

/**
 * The program's output: empty if it knows no such process or name. Throws if it did not run, which says nothing about a process. Start
 * times are compared as text, so language and time zone are fixed.
 */
function output(program: string, args: string[]): string {
  const helper = helperProgram(program);
  if (helper.kind === "missing" && program === "ps") throw new Error(`Cannot look at processes: ${helper.why}`);
  if (helper.kind === "missing") return "";
  const { error, stdout } = spawnSync(helper.path, args, { encoding: "utf8", env: { LC_ALL: "C", TZ: "UTC" } });
  if (error && program === "ps") throw error;
  return stdout?.trim() ?? "";
}
