// Whether commands that stay in the sandbox are allowed, which they are where one works unless the settings ask for each command.
import type { Policy } from "../policy.ts";

/**
 * What allows commands that stay in the sandbox without a question; undefined if nothing does, or if the sandbox is missing or incomplete.
 */
export function containedBy({
  sandbox,
  network,
  openSockets,
  autoAllow,
  grants,
}: Policy): { by: "default" | "grant"; reason: string } | undefined {
  if (sandbox.kind !== "active" || network || openSockets) return undefined;
  if (grants.sandbox) return { by: "grant", reason: "A person allowed everything that stays in the sandbox" };
  return autoAllow ? { by: "default", reason: "It stays in the sandbox" } : undefined;
}
