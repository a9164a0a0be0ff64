// Which files may instruct an agent: instruction files are read without a question, so they must be regular files in their own place.
import { dirname } from "node:path";
import { denial } from "./decision.ts";
import { placeOf, within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/** Why an instruction file may not be read: a rule hides it, or a link leads out of its folder or to a secret. Undefined if it may. */
export function whyNotInstructed(at: { written: string; real: string }, policy: Policy): string | undefined {
  if (!within(dirname(at.written), at.real)) return `it is a link that leads out of its folder, to ${at.real}`;
  if (placeOf(at, policy).sensitive) return `it leads to ${at.real}, which may hold secrets`;
  return whyHidden(at, policy);
}

/** The rule or line of .toolignore that keeps a file from the agent, if there is one. */
export function whyHidden(at: { written: string; real: string }, policy: Policy): string | undefined {
  const denied = denial("read", { ...at, file: true }, policy)?.reason;
  return denied && denied.charAt(0).toLowerCase() + denied.slice(1);
}
