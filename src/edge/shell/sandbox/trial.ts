// Finds out by a trial whether commands can be confined on this machine.
import { statSync } from "node:fs";
import type { SandboxView } from "../../../agent/ports/mounts.ts";
import type { CommandNetwork, NetworkRequest } from "../../../agent/ports/network-port.ts";
import type { SandboxFinding } from "../../../permissions/policy.ts";
import { type HelperProgram, helperProgram } from "../../processes/helper-programs.ts";
import { run } from "../../processes/run.ts";
import { bwrapArgs, tryAgain, tryBwrap } from "./bwrap.ts";
import { sandboxExecArgs } from "./exec.ts";
import { failureOf } from "./trial-failure.ts";

/** If it works: the arguments that precede a command. */
export type SandboxTrial =
  | {
      kind: "works";
      argv: (view: SandboxView, network?: CommandNetwork) => string[];
      /** The same trial now. */
      again: (network?: CommandNetwork) => Promise<SandboxFinding>;
      /** The network of a session's commands; undefined if this machine cannot have one. */
      network: (request: NetworkRequest) => Promise<CommandNetwork | undefined>;
    }
  | Exclude<SandboxFinding, { kind: "works" }>;

/** Never throws. `platform` and `path` default to this machine's. */
export async function trySandbox(
  cwd: string,
  { platform = process.platform, path }: { platform?: NodeJS.Platform; path?: string } = {},
): Promise<SandboxTrial> {
  if (platform === "darwin") return trySandboxExec(helperProgram("sandbox-exec", path));
  if (platform !== "linux") return { kind: "missing", why: `there is none for ${platform}` };
  // A missing folder says nothing about the sandbox: the command itself reports that it cannot run there.
  const folder = statSync(cwd, { throwIfNoEntry: false });
  if (process.getuid?.() === 0 && folder && folder.uid !== 0) {
    return {
      kind: "missing",
      why: "inside it, root could not write files of another user, and the working directory belongs to one",
    };
  }
  const bwrap = await tryBwrap();
  if (bwrap.kind !== "works") return bwrap;
  const { base } = bwrap;
  return {
    kind: "works",
    argv: (view, network) => bwrapArgs(base, view, { info: 3, seccomp: 5, network }),
    again: (network) => tryAgain(base, network),
    network: async (request) => (await import("../../network/session-namespace.ts")).sessionNamespace(base, request),
  };
}

async function trySandboxExec(program: HelperProgram): Promise<SandboxTrial> {
  if (program.kind === "missing") return program;
  const ran = await run([program.path, "-p", "(version 1)(allow default)", "/usr/bin/true"], { timeoutMs: 5000 });
  return (
    failureOf("sandbox-exec", ran) ?? {
      kind: "works",
      argv: (view, network) => sandboxExecArgs(program.path, view, network?.port),
      again: () => trySandboxExec(program),
      network: async (request) => (await import("../../network/loopback-proxy.ts")).loopbackProxy(request),
    }
  );
}
