// What a decision about a command leaves open where the session decides about each host that is reached.
import { wantsNetwork } from "../../shell/uses/marks.ts";
import type { LocatedCall } from "../call.ts";
import type { Decision } from "../decision.ts";
import type { Policy } from "../policy.ts";

/** A command that stays in the sandbox may start, and each host that it reaches is a question of its own. */
export function withHosts(decision: Decision, { located: { subject }, policy }: { located: LocatedCall; policy: Policy }): Decision {
  const reaches = subject.kind === "command" && subject.analysis.commands.some(wantsNetwork);
  if (!reaches || !policy.proxied || decision.decision !== "allow") return decision;
  return {
    ...decision,
    reason: `${decision.reason}, and each host that it reaches is asked about unless a rule such as Network(example.org) decides`,
  };
}
