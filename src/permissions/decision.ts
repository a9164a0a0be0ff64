// May this call happen? Pure: a call whose path was found out, a policy, and the first of these that has an opinion.
import type { LocatedCall } from "./call.ts";
import { type Place, placeOf } from "./places.ts";
import type { PermissionMode, Policy } from "./policy.ts";
import { allows, forbids, type Rule, showRule } from "./rules.ts";
import { actsAsPerson } from "./shell-words.ts";

export type Decision = {
  decision: "allow" | "ask" | "deny";
  /** What decided: a limit that nothing lifts, a rule, a grant, what is always asked, the mode, the tool's default. */
  by: "limit" | "rule" | "grant" | "built-in" | "mode" | "default";
  /** The rule that decided, as it was written. */
  rule?: string;
  /** One sentence without its full stop. */
  reason: string;
  /** With "ask": the narrowest useful rule that a person may add for this session. */
  suggestion?: Rule;
};

/** Fixed limits, deny, what a person granted for exactly this, ask, mode, allow, the tool's default. A deny anywhere wins. */
export function decide(call: LocatedCall, policy: Policy): Decision {
  const decision =
    fixedLimit(call, policy) ??
    denyRule(call, policy) ??
    exactGrant(call, policy) ??
    askRule(call, policy) ??
    builtInAsk(call, policy) ??
    byMode(call, policy.mode) ??
    allowRule(call, policy) ??
    byDefault(call, policy);
  if (decision.decision === "ask" && policy.mode === "dontAsk") {
    return { ...decision, decision: "deny", by: "mode", reason: `${decision.reason}, and in the mode dontAsk nobody is asked` };
  }
  return decision;
}

function fixedLimit({ tool, subject }: LocatedCall, policy: Policy): Decision | undefined {
  const deny = (reason: string): Decision => ({ decision: "deny", by: "limit", reason });
  switch (subject.kind) {
    case "unclear":
      return deny(`${tool} is refused: ${subject.reason}`);
    case "command":
      return actsAsPerson(subject.command)
        ? deny("Commands that answer, assign or write in a person's or another agent's name are not for agents")
        : undefined;
    case "path": {
      if (subject.access === "read") return undefined;
      const place = placeOf(subject, policy);
      if (place.own) return deny(`${subject.real} belongs to this program's own settings and state, where no agent writes`);
      if (!place.inside)
        return deny(`${subject.real} is outside the working directory ${policy.cwd}, and files are written only inside it`);
      return undefined;
    }
    case "none":
      return undefined;
  }
}

function denyRule(call: LocatedCall, { deny }: Policy): Decision | undefined {
  const rule = deny.find((candidate) => forbids(candidate, call));
  return rule && { decision: "deny", by: "rule", rule: showRule(rule), reason: `The rule ${showRule(rule)} denies it` };
}

function exactGrant(call: LocatedCall, policy: Policy): Decision | undefined {
  return allowed(
    policy.grants.rules.filter(({ kind }) => kind === "exact"),
    { call, by: "grant" },
  );
}

function askRule(call: LocatedCall, { ask }: Policy): Decision | undefined {
  const rule = ask.find((candidate) => forbids(candidate, call));
  return (
    rule && {
      decision: "ask",
      by: "rule",
      rule: showRule(rule),
      reason: `The rule ${showRule(rule)} asks for it`,
      suggestion: exactRule(call),
    }
  );
}

/** Asked for whatever allow rules say, and in every mode. */
function builtInAsk(call: LocatedCall, policy: Policy): Decision | undefined {
  if (call.subject.kind !== "path") return undefined;
  const place = placeOf(call.subject, policy);
  const why = place.sensitive ?? (call.subject.access === "write" ? place.protected : undefined) ?? (place.own ? ownFolder : undefined);
  if (why === undefined) return undefined;
  return { decision: "ask", by: "built-in", reason: `${call.subject.real} is always asked for: ${why}`, suggestion: exactRule(call) };
}

const ownFolder = "this program's own settings and state";

function byMode({ tool, subject }: LocatedCall, mode: PermissionMode): Decision | undefined {
  const changes = tool === "Bash" || (subject.kind === "path" && subject.access === "write");
  switch (mode) {
    case "plan":
      return changes ? { decision: "deny", by: "mode", reason: "In the mode plan nothing is changed and no command is run" } : undefined;
    case "acceptEdits":
      return changes && tool !== "Bash" ? { decision: "allow", by: "mode", reason: "The mode acceptEdits allows it" } : undefined;
    case "bypassPermissions":
      return { decision: "allow", by: "mode", reason: "The mode bypassPermissions allows it" };
    case "default":
    case "dontAsk":
      return undefined;
  }
}

function allowRule(call: LocatedCall, policy: Policy): Decision | undefined {
  return allowed(policy.allow, { call, by: "rule" }) ?? allowed(policy.grants.rules, { call, by: "grant" });
}

function allowed(rules: Rule[], { call, by }: { call: LocatedCall; by: "rule" | "grant" }): Decision | undefined {
  const rule = rules.find((candidate) => allows(candidate, call));
  return rule && { decision: "allow", by, rule: showRule(rule), reason: `The rule ${showRule(rule)} allows it` };
}

function byDefault(call: LocatedCall, policy: Policy): Decision {
  const { tool, subject } = call;
  if (subject.kind === "path") return pathDefault(call, placeOf(subject, policy));
  if (freeTools.includes(tool)) return { decision: "allow", by: "default", reason: `${tool} is always allowed` };
  return { decision: "ask", by: "default", reason: "No rule allows it", suggestion: exactRule(call) ?? { tool, kind: "any" } };
}

/** What agents tell each other and the task list. */
const freeTools = ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "SendMessage", "SpawnTeammate", "StopTeammate", "SubmitPlan"];

function pathDefault(call: LocatedCall, place: Place): Decision {
  const { tool, subject } = call;
  if (subject.kind === "path" && subject.access === "write") {
    return { decision: "ask", by: "default", reason: "No rule allows it", suggestion: { tool, kind: "any" } };
  }
  if (place.inside) return { decision: "allow", by: "default", reason: "Reading inside the working directory is allowed" };
  return { decision: "ask", by: "default", reason: "It is outside the working directory", suggestion: exactRule(call) };
}

function exactRule({ tool, subject }: LocatedCall): Rule | undefined {
  if (subject.kind === "path") return { tool, kind: "exact", text: subject.real };
  return subject.kind === "command" ? { tool, kind: "exact", text: subject.command.trim() } : undefined;
}
