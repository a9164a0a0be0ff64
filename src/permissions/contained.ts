// Everything that stays in the sandbox: whether somebody has allowed that, and whether it can be relied on now.
import type { Policy } from "./policy.ts";

/** Why commands that stay in the sandbox need no question; undefined if they do: nobody said so, or the wall is not there, or has a door. */
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
