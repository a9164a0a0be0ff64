// Whether all commands that stay in the sandbox are allowed, and whether the sandbox can be relied on now.
import type { Policy } from "./policy.ts";

/**
 * What allows commands that stay in the sandbox without a question; undefined if nothing does, or if the sandbox is missing or incomplete.
 */
export function containedBy({
  sandbox,
  network,
  openSockets,
  autoAllow,
  grants,
}: Policy): { by: "rule" | "grant"; reason: string } | undefined {
  if (sandbox.kind !== "active" || network || openSockets) return undefined;
  if (grants.sandbox) return { by: "grant", reason: "A person allowed everything that stays in the sandbox" };
  return autoAllow ? { by: "rule", reason: "The setting sandbox.autoAllow allows everything that stays in the sandbox" } : undefined;
}
