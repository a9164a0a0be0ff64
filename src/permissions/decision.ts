// Decides whether a call may happen. Pure: takes a located call and a policy, and the first check with a result wins.

import { join, relative } from "node:path";
import { planReason } from "../shell/judge/judge-part.ts";
import type { ShellPart } from "../shell/judge/judge-shell.ts";
import type { Access, At, LocatedCall } from "./call.ts";
import { coversCommand, judgeCommand } from "./commands/command-decision.ts";
import { isInOuterTmp } from "./paths/given-path.ts";
import { placeOf, spellsProtected, spellsSecret, whyNeverWritten, within } from "./paths/places.ts";
import { isPrivateHost } from "./paths/private-host.ts";
import { inBothTrees } from "./paths/tree-copy.ts";
import type { Narrowing, PermissionMode, Policy, Scope, SettingsRule } from "./policy.ts";
import { allows, exactRule, forbids, type Rule, showRule } from "./rules.ts";

export type Decision = {
  decision: "allow" | "ask" | "deny";
  /** What decided: a fixed limit, a rule, a grant, a built-in question, the mode, or the tool's default. */
  by: "limit" | "rule" | "grant" | "built-in" | "mode" | "default";
  /** The rule that decided, as written. */
  rule?: string;
  /** The settings file that contains the rule. */
  file?: string;
  /** One sentence, without its full stop. */
  reason: string;
  /** With "ask": the narrowest useful rule that the user may add. */
  suggestion?: Rule;
  /** For a command: each simple command that can run. */
  parts?: ShellPart[];
};

/**
 * Checks in order: the agent's own limits, deny, exact grants of the user, ask, mode, allow, the tool's default. A deny anywhere wins.
 * Rulings of hooks rank with the ask and allow rules.
 */
export function decide(call: LocatedCall, policy: Policy): Decision {
  const { ask, allow } = call.hook ?? {};
  const decision = decideByRules(
    call,
    allow ? { ...policy, allow: [...policy.allow, { tool: call.tool, kind: "any", ...allow }] } : policy,
  );
  if (!ask || decision.decision === "deny") return decision;
  return unasked({ decision: "ask", by: "rule", ...ask, ...(decision.parts && { parts: decision.parts }) }, policy.mode);
}

function decideByRules(call: LocatedCall, policy: Policy): Decision {
  const { subject } = call;
  if (subject.kind === "path" && subject.others) return strictest(subject.others, { call, subject, policy });
  const limit = subject.kind === "unclear" ? refusal(`${call.tool} is refused: ${subject.reason}`) : outsideDefinition(call, policy);
  if (limit) return limit;
  const unread = call.tool === "Edit" && subject.kind === "path" ? denial("read", subject, policy) : undefined;
  if (unread) return unread; // changing a part of a file requires reading it
  return unasked(subject.kind === "command" ? judgeCommand(subject, policy, judgeFile) : judge(call, policy), policy.mode);
}

type Several = { call: LocatedCall; subject: Extract<LocatedCall["subject"], { kind: "path" }>; policy: Policy };

/** A call about several places may happen if it may at each of them. */
function strictest(others: At[], { call, subject, policy }: Several): Decision {
  const alone = { ...subject, others: undefined };
  const decisions = [alone, ...others].map((at) => decide({ ...call, subject: { ...alone, ...at } }, policy));
  return decisions.find(({ decision }) => decision === "deny") ?? decisions.find(({ decision }) => decision === "ask") ?? decisions[0]!;
}

/**
 * Judges one path of a command as Read or Write would be judged: any content may be written to a file that a command opens for writing.
 * Places provided by the system, such as `/dev/null`, are always allowed.
 */
export function judgeFile(access: Access, at: At, policy: Policy): Decision {
  if (devices.test(at.written)) return { decision: "allow", by: "default", reason: `${at.written} is not a file` };
  const tool = access === "read" ? "Read" : "Write";
  return unasked(judge({ tool, input: {}, subject: { kind: "path", access, ...at } }, policy), policy.mode);
}

/** The line of .toolignore or the deny rule that closes this place, which no answer can open. */
export function denial(access: Access, at: At, policy: Policy): Decision | undefined {
  const call: LocatedCall = { tool: access === "read" ? "Read" : "Edit", input: {}, subject: { kind: "path", access, ...at } };
  return hidden(call, policy) ?? denyRule(call, policy);
}

/** The rule that asks before this place is read or written. */
export function asking(access: Access, at: At, policy: Policy): Decision | undefined {
  return askRule({ tool: access === "read" ? "Read" : "Edit", input: {}, subject: { kind: "path", access, ...at } }, policy);
}

const devices = /^\/dev\/(null|zero|stdin|stdout|stderr|tty|u?random|full|fd\/[0-2])$/;

/** What the system says about itself to everybody, and `uname`, `nproc` and `free` print. */
const facts = /^(?:\/etc\/os-release|\/usr\/lib\/os-release|\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime))$/;

function unasked(decision: Decision, mode: PermissionMode): Decision {
  if (decision.decision !== "ask" || mode !== "dontAsk") return decision;
  return { ...decision, decision: "deny", by: "mode", reason: `${decision.reason}, and in the mode dontAsk nobody is asked` };
}

function judge(call: LocatedCall, policy: Policy): Decision {
  return (
    fixedLimit(call, policy) ??
    hidden(call, policy) ??
    denyRule(call, policy) ??
    exactGrant(call, policy) ??
    askRule(call, policy) ??
    builtInAsk(call, policy) ??
    byMode(call, policy) ??
    allowRule(call, policy) ??
    byDefault(call, policy)
  );
}

const refusal = (reason: string): Decision => ({ decision: "deny", by: "limit", reason });

/** An agent has only the tools that its definition names; naming a tool does not permit its calls yet. */
function outsideDefinition(call: LocatedCall, policy: Policy): Decision | undefined {
  const { only, narrowed } = policy;
  if (call.tool === "Network" || ownCommands.includes(call.tool)) return undefined; // whoever may run a command may let it ask
  const lack = only && whatLacks(only, call);
  if (lack) return refusal(`This agent's definition does not give it ${lack}`);
  if (ownBusiness.includes(call.tool)) return undefined;
  for (const one of narrowed) {
    const missing = whatLacks(one.only, call);
    if (missing) return refusal(`${narrowerWords(one)} does not allow ${missing}`);
  }
  return undefined;
}

const narrowerWords = (one: Narrowing) =>
  "skill" in one ? `The skill "${one.skill}"` : `The definition of ${one.agent}, which is above this agent,`;

/** The tool, if none of these rules names it for this call. */
function whatLacks(only: Rule[], call: LocatedCall): string | undefined {
  const own = only.filter(({ tool }) => tool === call.tool || (tool.startsWith("mcp__") && call.tool.startsWith(`${tool}__`)));
  const { subject } = call;
  // The tool's bare name includes all its uses; the rules decide which of them need a question.
  const isWhole = own.some(({ kind }) => kind === "any");
  const isNamed = isWhole || (subject.kind === "command" ? coversCommand(own, subject) : own.some((rule) => allows(rule, call)));
  return isNamed ? undefined : `${call.tool}${own.length > 0 ? " here" : ""}`;
}

/** Tools that only lead to others: an agent's own commands, which it was allowed to start, and tools of servers, each decided by its own name. */
const ownCommands = ["BashOutput", "KillBash", "McpSearch", "McpCall"];

/** Tools about an agent's own work, which every skill leaves it. */
const ownBusiness = [
  ..."TaskCreate TaskUpdate TaskGet TaskList SendMessage SubmitPlan SubmitBatchPlan".split(" "),
  ..."CheckAgent Skill RecordFailure TodoWrite AskUser".split(" "),
  ...ownCommands,
];

/** Tools that need no permission: those, and what starts agents, whose own calls are judged. */
const freeTools = [...ownBusiness, "Agent", "StartWorker", "SpawnTeammate", "StopTeammate"];

function fixedLimit({ tool, subject }: LocatedCall, policy: Policy): Decision | undefined {
  if (tool === "Network" && subject.kind === "host" && isUnnamed(subject.host) && !isNamedHost(subject.host, policy))
    return refusal(
      `${subject.host} is an address, or a name of this machine or of a private network, and only a rule that names it opens it to commands`,
    );
  if (subject.kind !== "path" || subject.access === "read") return undefined;
  const place = placeOf(subject, policy);
  const never = whyNeverWritten(place);
  if (never !== undefined) return refusal(`${subject.real} ${never}`);
  if (place.inside || place.common) return undefined;
  return refusal(
    `${subject.real} is outside the working directory ${policy.cwd}, and files are written only inside it and in folders added with --add-dir`,
  );
}

function hidden(call: LocatedCall, policy: Policy): Decision | undefined {
  const { subject } = call;
  const { ignore, apartFrom } = policy;
  if (subject.kind !== "path") return undefined;
  if (apartFrom !== undefined && within(apartFrom, subject.real) && !within(join(apartFrom, ".git"), subject.real))
    return refusal(`${subject.real} is in the working tree of the session, and this agent works in a separate worktree`);
  const line = inBothTrees(call, policy).flatMap((one) => (one.subject.kind === "path" ? (ignore.hides(one.subject) ?? []) : []))[0];
  if (!line) return undefined;
  const reason = `${subject.real} is hidden from agents by line ${line.line} of .toolignore`;
  return { decision: "deny", by: "rule", rule: line.text, ...(ignore.file && { file: ignore.file }), reason };
}

function denyRule(call: LocatedCall, policy: Policy): Decision | undefined {
  const rule = forbidding(policy.deny, call, policy);
  return rule && { decision: "deny", by: "rule", ...source(rule), reason: `The rule ${sayRule(rule)} denies it` };
}

const sayRule = (rule: SettingsRule) => rule.said ?? showRule(rule);

const source = (rule: SettingsRule) => ({ rule: sayRule(rule), ...(rule.file !== undefined && { file: rule.file }) });

function exactGrant(call: LocatedCall, { grants }: Policy): Decision | undefined {
  return allowed(
    grants.rules.filter(({ kind }) => kind === "file"),
    { call, by: "grant" },
  );
}

/** The first of these rules that is about the call. */
function forbidding(rules: SettingsRule[], call: LocatedCall, policy: Policy): SettingsRule | undefined {
  const calls = inBothTrees(call, policy);
  return rules.find((rule) => calls.some((one) => forbids(rule, one)));
}

function askRule(call: LocatedCall, policy: Policy): Decision | undefined {
  const rule = forbidding(policy.ask, call, policy);
  const suggestion = exactRule(call.tool, call.subject);
  return (
    rule && {
      decision: "ask",
      by: "rule",
      ...source(rule),
      reason: `The rule ${sayRule(rule)} asks for it`,
      ...(suggestion && { suggestion }),
    }
  );
}

/** Questions that no allow rule and no mode removes. */
function builtInAsk(call: LocatedCall, policy: Policy): Decision | undefined {
  const { subject } = call;
  const suggestion = exactRule(call.tool, subject);
  const ask = (reason: string): Decision => ({ decision: "ask", by: "built-in", reason, ...(suggestion && { suggestion }) });
  if (subject.kind === "host" && call.tool !== "Network") {
    if (!isPrivateHost(subject.host) || policy.allow.some((rule) => names(rule, { host: subject.host }))) return undefined;
    return ask(`${subject.host} is always asked for: an address of this machine or of a private network`);
  }
  if (subject.kind !== "path") return undefined;
  const { own, ...place } = placeOf(subject, policy);
  const sensitive = place.sensitive ?? (subject.glob && spellsSecret(subject.glob) ? "it may stand for a file with secrets" : undefined);
  if (subject.access === "write" && place.common && !place.inside && !isShared(call, policy))
    return ask(`${subject.real} is always asked for: ${shared(policy)}`);
  if (subject.access === "write" && place.others && place.inside)
    return ask(`${subject.real} is not among the files of this worker: ${filesOf(policy)}`);
  const runs = place.protected ?? (subject.glob && spellsProtected(subject.glob) ? "it may stand for a file that is protected" : undefined);
  const always = own ? "this program's own settings and state" : subject.access === "write" ? runs : undefined;
  const why = always ?? (sensitive && policy.allow.some((rule) => lifts(rule, call, policy)) ? undefined : sensitive);
  return why === undefined ? undefined : ask(`${subject.real} is always asked for: ${why}`);
}

const filesOf = ({ cwd, ownFiles = [] }: Policy) => ownFiles.map((file) => relative(cwd, file)).join(", ");

function shared({ temporary }: Policy): string {
  const own = temporary === undefined ? "" : `. This session's own folder for temporary files is ${temporary}`;
  return `without a sandbox all programs of this machine share /tmp${own}`;
}

/** Whether the user has allowed this file by name, which otherwise needs a question because of its contents. */
export function isLifted(at: At, policy: Policy): boolean {
  const call: LocatedCall = { tool: "Read", input: {}, subject: { kind: "path", access: "read", ...at } };
  return policy.allow.some((rule) => lifts(rule, call, policy)) || exactGrant(call, policy) !== undefined;
}

/** A rule of the user's own that names /tmp. */
function isShared(call: LocatedCall, { allow, grants }: Policy): boolean {
  const speaks = (rule: Rule) => rule.kind === "path" && within("/tmp", rule.pattern.start) && allows(rule, call);
  return allow.some((rule) => isOwn(rule) && speaks(rule)) || grants.rules.some(speaks);
}

/** A rule of the user's own that names such files; a repository's rule never counts, nor one that covers everything. */
function lifts(rule: SettingsRule, call: LocatedCall, policy: Policy): boolean {
  if (rule.kind !== "path" || !isOwn(rule) || !allows(rule, call)) return false;
  const named = `/${rule.pattern.pattern}`;
  return placeOf({ written: named, real: named }, policy).sensitive !== undefined;
}

function names(rule: SettingsRule, { host }: { host: string }): boolean {
  return rule.kind === "domain" && isOwn(rule) && !rule.below && rule.host === host;
}

/** Hosts that a command in the sandbox never reaches by a question or a wildcard. */
const isUnnamed = (host: string) => /^(?:\[|[\d.]+$)/.test(host) || isPrivateHost(host);

/** Whether a rule of the person's own, for exactly this host, opens it to commands in the sandbox. */
export function isNamedHost(host: string, { allow, grants }: Pick<Policy, "allow" | "grants">): boolean {
  const exactly = (rule: SettingsRule) => rule.tool === "Network" && names(rule, { host });
  return allow.some(exactly) || grants.rules.some(exactly);
}

const isOwn = ({ scope }: SettingsRule) => scope !== "project" && scope !== "local";

function byMode({ tool, subject }: LocatedCall, policy: Policy): Decision | undefined {
  const writes = subject.kind === "path" && subject.access === "write";
  switch (policy.mode) {
    case "plan":
      if (tool.startsWith("mcp__"))
        return { decision: "ask", by: "mode", reason: "In the mode plan nothing is changed, and what a server's tool does is not known" };
      return writes && !placeOf(subject, policy).temporary ? { decision: "deny", by: "mode", reason: planReason } : undefined;
    case "acceptEdits":
      return writes ? { decision: "allow", by: "mode", reason: "The mode acceptEdits allows it" } : undefined;
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

/** A repository that is shared opens no host to commands, trusted or not. */
const opens = ({ tool, scope }: Rule & { scope?: Scope }) => tool !== "Network" || scope !== "project";

function allowed(
  rules: (Rule & { file?: string; scope?: Scope })[],
  { call, by }: { call: LocatedCall; by: "rule" | "grant" },
): Decision | undefined {
  const rule = rules.find((candidate) => opens(candidate) && allows(candidate, call));
  return rule && { decision: "allow", by, ...source(rule), reason: `The rule ${sayRule(rule)} allows it` };
}

function byDefault({ tool, subject }: LocatedCall, policy: Policy): Decision {
  const ask = (reason: string, suggestion: Rule | undefined): Decision => ({
    decision: "ask",
    by: "default",
    reason,
    ...(suggestion && { suggestion }),
  });
  if (subject.kind === "path" && subject.access === "read") {
    if ([subject.written, subject.real].every((path) => facts.test(path)))
      return { decision: "allow", by: "default", reason: `${subject.written} describes this machine` };
    if (!placeOf(subject, policy).inside) return ask(outside(subject.real, policy), exactRule(tool, subject));
    return { decision: "allow", by: "default", reason: "Reading inside the working directory is allowed" };
  }
  if (subject.kind === "path" && placeOf(subject, policy).temporary)
    return { decision: "allow", by: "default", reason: "It is this session's own folder for temporary files" };
  if (freeTools.includes(tool)) return { decision: "allow", by: "default", reason: `${tool} is always allowed` };
  return ask("No rule allows it", (subject.kind === "path" ? undefined : exactRule(tool, subject)) ?? { tool, kind: "any" });
}

const outside = (real: string, policy: Policy) =>
  isInOuterTmp(real, policy)
    ? "It is only in the /tmp of this machine, and the session has a /tmp of its own"
    : "It is outside the working directory";
