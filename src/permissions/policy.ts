// What one agent may do: where it works, its rules, its mode, and what a person has granted it since it started.
import { type Grants, grants } from "./grants.ts";
import { parseRule, type Rule } from "./rules.ts";

export const permissionModes = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** Paths are real ones: links followed. */
export type Policy = {
  cwd: string;
  home: string;
  /** This program's own folder, teams included: no agent writes there. */
  configDir: string;
  /** Below it: where the whole of long outputs is kept for this agent to read. */
  outputs?: string;
  mode: PermissionMode;
  allow: Rule[];
  ask: Rule[];
  deny: Rule[];
  grants: Grants;
};

export type PolicyOrder = {
  cwd: string;
  home: string;
  configDir: string;
  outputs?: string;
  mode?: PermissionMode;
  /** Rules as people write them. */
  allow?: string[];
  ask?: string[];
  deny?: string[];
};

/** The reason names the first rule that cannot be understood. */
export type MadePolicy = { ok: true; policy: Policy } | { ok: false; reason: string };

export async function makePolicy(order: PolicyOrder, real: (path: string) => Promise<string>): Promise<MadePolicy> {
  const faults: string[] = [];
  const parsed = (texts: string[] = []) =>
    texts.flatMap((text) => {
      const result = parseRule(text);
      if (!result.ok) faults.push(result.reason);
      return result.ok ? [result.rule] : [];
    });
  const rules = { allow: parsed(order.allow), ask: parsed(order.ask), deny: parsed(order.deny) };
  if (faults[0]) return { ok: false, reason: faults[0] };
  const [cwd, home, configDir] = await Promise.all([real(order.cwd), real(order.home), real(order.configDir)]);
  const outputs = order.outputs === undefined ? undefined : await real(order.outputs);
  return { ok: true, policy: { cwd, home, configDir, outputs, mode: order.mode ?? "default", ...rules, grants: grants() } };
}
