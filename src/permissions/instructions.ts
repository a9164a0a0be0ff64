// Which files may instruct an agent: instruction files are read without a question, so they must be what they seem to be.
import { dirname } from "node:path";
import { denial } from "./decision.ts";
import { placeOf, within } from "./places.ts";
import type { Policy } from "./policy.ts";

/** Whether an instruction file may be read: not where a rule stands against it, and not where a link leads out of its folder or to a secret. */
export function mayInstruct(at: { written: string; real: string }, policy: Policy): boolean {
  if (!within(dirname(at.written), at.real) || placeOf(at, policy).sensitive) return false;
  return denial("read", { ...at, file: true }, policy) === undefined;
}
