// Checks the log of processes that held a lock, without knowing how the lock works: the order of the lines is the order of events, because
// each line is one write at the end of one file.

/** `served`: grants by the part of the name before the dot, which stays the same after a restart. */
export type Verdict = { grants: number; faults: string[]; failures: string[]; served: Record<string, number> };

/**
 * Lines: `<ns> <name> enter <generation>`, `leave <generation>`, `dying` (written before killing itself), `killed` (written by the process
 * about to kill it), `failed <why>`, `ready`. A process that entered must leave before another enters, unless it was about to die by then
 * and never writes again. Generations only rise.
 */
export function judge(log: string): Verdict {
  const faults: string[] = [];
  const failures: string[] = [];
  const served: Record<string, number> = {};
  const doomed = new Set<string>();
  const replaced = new Set<string>();
  let holder: { name: string; generation: number } | undefined;
  let last = 0;
  let grants = 0;
  for (const line of log.split("\n").filter(Boolean)) {
    const [, name = "", what = "", rest = ""] = /^\d+ (\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    if (!name) faults.push(`not a line: ${line}`);
    if (replaced.has(name) && what !== "killed") faults.push(`${name} lives after it was replaced: ${what} ${rest}`);
    if (what === "enter") {
      const generation = Number(rest);
      if (holder && !doomed.has(holder.name))
        faults.push(`${name} entered at ${generation} while ${holder.name} was in at ${holder.generation}`);
      if (holder) replaced.add(holder.name);
      if (generation <= last) faults.push(`${name} entered at ${generation} after ${last}`);
      last = generation;
      holder = { name, generation };
      grants++;
      const [worker = ""] = name.split(".");
      served[worker] = (served[worker] ?? 0) + 1;
    } else if (what === "leave") {
      if (holder?.name !== name || holder.generation !== Number(rest)) faults.push(`${name} left ${rest} without holding it`);
      holder = undefined;
    } else if (what === "dying" || what === "killed") {
      doomed.add(name);
    } else if (what === "failed") {
      failures.push(`${name}: ${rest}`);
    }
  }
  return { grants, faults, failures, served };
}
