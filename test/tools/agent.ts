// An agent's tools on a real folder, behind the real guard, for tests.
import { files } from "../../src/edge/disk/files.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { ignorePatterns } from "../../src/permissions/paths/ignore-patterns.ts";
import { makePolicy, type Policy, type PolicyOrder } from "../../src/permissions/policy.ts";
import { commandEnvironment } from "../../src/secrets/environment.ts";
import { fileTools } from "../../src/tools/set.ts";
import type { AnyTool, ToolResult } from "../../src/tools/tool.ts";

export const realDisk = files({ ignorePatterns, ripgrep: false });

/** A policy for a folder; home and configuration are folders beside it that do not exist. */
export async function policyFor(cwd: string, order: Partial<PolicyOrder> = {}): Promise<Policy> {
  const made = await makePolicy({ cwd, home: `${cwd}-home`, configDir: `${cwd}-home/.tool`, ...order }, realDisk.real);
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

export async function toolsFor(cwd: string, policy?: Policy): Promise<AnyTool[]> {
  const env = commandEnvironment(process.env, "session-test:ada");
  const guarded = guardDisk(realDisk, policy ?? (await policyFor(cwd)));
  return fileTools({ disk: guarded, shell: shell({ cwd, env }) });
}

/** Runs a tool by name, without permission checks: only the guard and the tools themselves can refuse. */
export type Use = (tool: string, input: Record<string, unknown>, signal?: AbortSignal) => Promise<ToolResult>;

export async function toolUser(cwd: string, policy?: Policy): Promise<Use> {
  const tools = await toolsFor(cwd, policy);
  return async (name, input, signal = new AbortController().signal) => {
    const tool = tools.find((candidate) => candidate.name === name)!;
    return tool.run(tool.input.parse(input), { signal });
  };
}
