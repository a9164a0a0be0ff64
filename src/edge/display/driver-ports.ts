// Runs the commands of displays that the user has configured, as carefully as hooks.
import { randomBytes } from "node:crypto";
import type { DriverPorts } from "../../team/display/driver-display.ts";
import { runHook } from "../processes/run-hook.ts";
import { keptEnvironment } from "./kept-environment.ts";
import { requireStart } from "./start-check.ts";

const never = new AbortController().signal;

/** `env`: the user's environment, without the variables that are withheld from commands. */
export function driverPorts(env: Record<string, string>): DriverPorts {
  return {
    async run(command, { input, timeoutMs }) {
      const end = await runHook({ command, cwd: env["HOME"] || "/", env, input, timeoutMs, mayLeave: true, signal: never });
      if (end.kind === "exited") return { kind: "exited", code: end.code, stdout: end.stdout, stderr: end.stderr };
      if (end.kind === "killed") return { kind: "killed", by: end.by };
      return end.kind === "failed" ? { kind: "failed", reason: end.reason } : { kind: "timed_out" };
    },
    newMark: () => `tool-${randomBytes(6).toString("hex")}`,
    startOf(request) {
      requireStart(request);
      const variables = Object.entries({ ...keptEnvironment(env), ...request.env }).map(([name, value]) => `${name}=${value}`);
      return ["/usr/bin/env", ...variables, ...request.argv];
    },
  };
}
