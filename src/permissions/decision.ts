// Decides whether a call may happen. Pure: takes a located call and a policy.
import { modeVerdict, planReason, type ShellQuestion } from "../shell/judge/judge-part.ts";
import type { ShellPart } from "../shell/judge/judge-shell.ts";
import { allowed, asked, denied, inOrder, openAsk, pass, refusal, type Verdict } from "../shell/judge/verdict.ts";
import { harmlessDevice } from "../shell/words/paths.ts";
import { alwaysAsked, outsideWork, sharesNoHost } from "./built-in.ts";
import type { Access, At, LocatedCall } from "./call.ts";
import { judgeCommand } from "./commands/command-decision.ts";
import { isFree, outsideDefinition } from "./definition-limits.ts";
import { isInOuterTmp } from "./paths/given-path.ts";
import { isApart, placeOf } from "./paths/places.ts";
import { inBothTrees } from "./paths/tree-copy.ts";
import type { Policy, SettingsRule } from "./policy.ts";
import { allows, forbids, showRule } from "./rules.ts";

export type Decision = Verdict & {
  parts?: ShellPart[];
};

/** By the order of precedence, which a command and each of its parts pass too; in the mode dontAsk nobody is asked. */
export function decide(call: LocatedCall, given: Policy): Decision {
  const { subject, hook } = call;
  const policy = hook?.allow ? { ...given, allow: [...given.allow, { tool: call.tool, kind: "any" as const, ...hook.allow }] } : given;
  if (subject.kind === "path" && subject.others) return strictest(subject.others, { call, subject, policy });
  const limit = subject.kind === "unclear" ? refusal(`${call.tool} is refused: ${subject.reason}`) : outsideDefinition(call, policy);
  const insists: Decision | undefined = hook?.ask && { decision: "ask", by: "rule", ...hook.ask };
  const decision =
    subject.kind === "command" && !limit ? judgeCommand(subject, policy, { insists, judgeFile }) : judge(call, policy, { limit, insists });
  if (decision.decision !== "ask" || policy.mode !== "dontAsk") return decision;
  return { ...decision, decision: "deny", by: "mode", reason: `${decision.reason}, and in the mode dontAsk nobody is asked` };
}

type Several = { call: LocatedCall; subject: Extract<LocatedCall["subject"], { kind: "path" }>; policy: Policy };

/** A call about several places may happen if it may at each of them. */
function strictest(others: At[], { call, subject, policy }: Several): Decision {
  const alone = { ...subject, others: undefined };
  const decisions = [alone, ...others].map((at) => decide({ ...call, subject: { ...alone, ...at } }, policy));
  return decisions.find(({ decision }) => decision === "deny") ?? decisions.find(({ decision }) => decision === "ask") ?? decisions[0]!;
}

function judge(call: LocatedCall, policy: Policy, { limit, insists }: Pick<ShellQuestion, "limit" | "insists"> = {}): Decision {
  const { rules } = policy.grants;
  const files = rules.filter(({ kind }) => kind === "file");
  return inOrder<Decision>({
    deny: () => limit ?? closed(call, policy) ?? refusal(outsideWork(call, policy)) ?? unreadable(call, policy),
    insist: () => insists,
    grant: () => allowedBy(files, { call, by: "grant" }),
    ask: () => askedBy(call, policy) ?? alwaysAsked(call, policy),
    mode: () => byMode(call, policy),
    allow: () => allowedBy(policy.allow, { call, by: "rule" }) ?? allowedBy(rules, { call, by: "grant" }),
    otherwise: () => byDefault(call, policy),
  });
}

/** A call about one place that a command names, with the tool whose rules count for it. */
function about(access: Access, at: At, writing = "Edit"): LocatedCall {
  return { tool: access === "read" ? "Read" : writing, input: {}, named: true, subject: { kind: "path", access, ...at } };
}

/** Judges a path of a command as Read or Write would be: any content may be written to what it opens. Devices are always allowed. */
export const judgeFile = (access: Access, at: At, policy: Policy): Decision =>
  harmlessDevice.test(at.written) ? pass(`${at.written} is not a file`) : judge(about(access, at, "Write"), policy);

/** The line of .toolignore or the deny rule that closes this place, which no answer can open. */
export const denial = (access: Access, at: At, policy: Policy): Decision | undefined => closed(about(access, at), policy);

/** The rule that asks before this place is read or written. */
export const asking = (access: Access, at: At, policy: Policy): Decision | undefined => askedBy(about(access, at), policy);

function closed(call: LocatedCall, policy: Policy): Decision | undefined {
  const { subject } = call;
  if (subject.kind === "path" && isApart(subject.real, policy))
    return refusal(`${subject.real} is in the working tree of the session, and this agent works in a separate worktree`);
  return hidden(call, policy) ?? denied(saidBy(forbidding(policy.deny, call, policy)));
}

function hidden(call: LocatedCall, policy: Policy): Decision | undefined {
  const { ignore } = policy;
  const lines = inBothTrees(call, policy).flatMap(({ subject }) => (subject.kind === "path" ? (ignore.hides(subject) ?? []) : []));
  const [line] = lines;
  if (!line || call.subject.kind !== "path") return undefined;
  const reason = `${call.subject.real} is hidden from agents by line ${line.line} of .toolignore`;
  return denied({ text: line.text, ...(ignore.file !== undefined && { file: ignore.file }) }, () => reason);
}

/** Changing a part of a file requires reading it. */
const unreadable = ({ tool, subject }: LocatedCall, policy: Policy) =>
  tool === "Edit" && subject.kind === "path" && subject.access === "write" ? denial("read", subject, policy) : undefined;

function forbidding(rules: SettingsRule[], call: LocatedCall, policy: Policy): SettingsRule | undefined {
  const calls = inBothTrees(call, policy);
  return rules.find((rule) => calls.some((one) => forbids(rule, one)));
}

const saidBy = (rule: SettingsRule | undefined) =>
  rule && { text: rule.said ?? showRule(rule), ...(rule.file !== undefined && { file: rule.file }) };

const askedBy = (call: LocatedCall, policy: Policy) => asked(saidBy(forbidding(policy.ask, call, policy)));

function byMode(call: LocatedCall, policy: Policy): Decision | undefined {
  const { tool, subject } = call;
  const { mode } = policy;
  const writes = subject.kind === "path" && subject.access === "write";
  if (mode === "bypassPermissions") return modeVerdict(mode);
  if (mode === "acceptEdits" && writes) return { decision: "allow", by: "mode", reason: "The mode acceptEdits allows it" };
  if (mode !== "plan") return undefined;
  if (tool.startsWith("mcp__"))
    return { decision: "ask", by: "mode", reason: "In plan mode nothing is changed, and what a server's tool does is not known" };
  return writes && !placeOf(subject, policy).temporary
    ? { decision: "deny", by: "mode", reason: call.named ? planReason : "In plan mode files are read-only" }
    : undefined;
}

function allowedBy(rules: SettingsRule[], { call, by }: { call: LocatedCall; by: "rule" | "grant" }): Decision | undefined {
  return allowed(saidBy(rules.find((rule) => !sharesNoHost(rule) && allows(rule, call))), by);
}

function byDefault(call: LocatedCall, policy: Policy): Decision {
  const { tool, subject } = call;
  if (subject.kind === "path" && subject.access === "read") {
    if ([subject.written, subject.real].every((path) => facts.test(path))) return pass(`${subject.written} describes this machine`);
    if (placeOf(subject, policy).inside) return pass("Reading inside the working directory is allowed");
    return openAsk(isInOuterTmp(subject.real, policy) ? onlyOutside : "It is outside the working directory");
  }
  if (subject.kind === "path" && placeOf(subject, policy).temporary) return pass("It is this session's own folder for temporary files");
  return isFree(tool) ? pass(`${tool} is always allowed`) : openAsk("No rule allows it");
}

/** What the system says about itself to everybody, and `uname`, `nproc` and `free` print. */
const facts = /^(?:\/etc\/os-release|\/usr\/lib\/os-release|\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime))$/;

const onlyOutside = "It is only in the /tmp of this machine, and the session has a /tmp of its own";
