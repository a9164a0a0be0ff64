// Which files an agent does not see, by its rules: in its own tree, in a copy of the person's, in a repository's history, outside, in the sandbox.
import { dirname } from "node:path";
import { lowerFirst } from "../../wording/capital.ts";
import { isLifted } from "../built-in.ts";
import type { At } from "../call.ts";
import { asking, denial } from "../decision.ts";
import { containedBy, type Policy } from "../policy.ts";
import { placeOf, within } from "./places.ts";

export type IsHidden = (path: string, kind: "file" | "folder") => boolean;

/** A rule for a whole tool is not about files. */
export const withFileRules = (policy: Policy): Policy => ({ ...policy, deny: aboutFiles(policy.deny), ask: aboutFiles(policy.ask) });

const aboutFiles = (rules: Policy["deny"]) => rules.filter(({ kind }) => kind !== "any");
const at = (path: string, kind: "file" | "folder"): At => ({ written: path, real: path, ...(kind === "file" && { file: true as const }) });

/** Whether an agent may not read files that a repository has, or had, at this place. */
export function hiddenPlaces(policy: Policy): IsHidden {
  const rules = withFileRules(policy);
  return (path, kind) => denial("read", at(path, kind), rules) !== undefined || isMasked(at(path, kind), rules);
}

/** Whether no copy of the tree gets what is at this path: rules keep it from agents, or ask first. The policy is read at each call. */
export function closedToCopies(policy: Policy): IsHidden {
  return (path, kind) => {
    const rules: Policy = { ...withFileRules(policy), apartFrom: undefined };
    const there = at(path, kind);
    const { own, sensitive } = placeOf(there, rules);
    return own || sensitive !== undefined || denial("read", there, rules) !== undefined || asking("read", there, rules) !== undefined;
  };
}

/** Whether commands that run without a question do not see this file: it contains secrets, and the user has not allowed it. */
export function isMasked(place: At, policy: Policy): boolean {
  return containedBy(policy) !== undefined && placeOf(place, policy).sensitive !== undefined && !isLifted(place, policy);
}

/** A text that changes if other files are masked while the settings stay the same. */
export function maskMark(policy: Policy): string {
  const opened = policy.grants.rules.flatMap((rule) => (rule.kind === "file" ? rule.path : []));
  return containedBy(policy) === undefined ? "" : ["masked", ...opened].join("\n");
}

/** Why an instruction file, which is read without a question, may not be: a rule hides it, or a link leads out of its folder or to a secret. */
export function whyNotInstructed(file: At, policy: Policy): string | undefined {
  if (!within(dirname(file.written), file.real)) return `it is a link that leads out of its folder, to ${file.real}`;
  if (placeOf(file, policy).sensitive) return `it leads to ${file.real}, which may hold secrets`;
  return whyHidden(file, policy);
}

/** The rule or line of .toolignore that keeps a file from the agent, if there is one. */
export function whyHidden(file: At, policy: Policy): string | undefined {
  const denied = denial("read", { ...file, file: true }, policy);
  return denied && lowerFirst(denied.reason);
}
