// What a failed trial of the sandbox says about the machine.
import type { SandboxFinding } from "../../../permissions/policy.ts";
import type { RunResult } from "../../processes/run.ts";

/** How the trial ended, as of run.ts. */
export type TrialEnd = Pick<RunResult, "code" | "stderr" | "timedOut"> & { failed?: string | undefined };

/** Undefined if it succeeded. A trial that did not end by itself says nothing about the machine. */
export function failureOf(
  program: string,
  { code, stderr, failed, timedOut }: TrialEnd,
): Exclude<SandboxFinding, { kind: "works" }> | undefined {
  if (code === 0) return undefined;
  if (timedOut) return { kind: "uncertain", why: `${program} did not end within its time` };
  if (failed !== undefined) return { kind: "missing", why: failed };
  if (code === null) return { kind: "uncertain", why: `${program} could not be started, or was ended by a signal` };
  return { kind: "missing", why: stderr.trim().split("\n")[0] || `${program} ended with ${code}` };
}
