// What rules do not decide: places where no agent writes, hosts that no wildcard opens, and the questions that no allow rule and no mode removes.
import { relative } from "node:path";
import { builtInAsk, type Verdict } from "../shell/judge/verdict.ts";
import { kindOfAddress } from "../wording/address-kind.ts";
import type { At, LocatedCall } from "./call.ts";
import { placeOf, spellsProtected, spellsSecret, whyNeverWritten, within } from "./paths/places.ts";
import type { Policy, SettingsRule } from "./policy.ts";
import { allows, type Rule } from "./rules.ts";

/** Why nobody can allow it; undefined if rules and people decide. */
export function outsideWork({ tool, subject }: LocatedCall, policy: Policy): string | undefined {
  if (tool === "Network" && subject.kind === "host" && isUnnamed(subject.host) && !isNamedHost(subject.host, policy))
    return `${subject.host} is an address, or a name of this machine or of a private network, and only a rule that names it opens it to commands`;
  if (subject.kind !== "path" || subject.access === "read") return undefined;
  const place = placeOf(subject, policy);
  const never = whyNeverWritten(place);
  if (never !== undefined) return `${subject.real} ${never}`;
  if (place.inside || place.common) return undefined;
  return `${subject.real} is outside the working directory ${policy.cwd}, and files are written only inside it and in folders that the person opens with /add-dir or --add-dir`;
}

/** The question that is asked in any case. */
export function alwaysAsked(call: LocatedCall, policy: Policy): Verdict | undefined {
  const { tool, subject } = call;
  if (subject.kind === "host" && tool !== "Network") {
    if (!isPrivateHost(subject.host) || policy.allow.some((rule) => names(rule, subject.host))) return undefined;
    return builtInAsk(`${subject.host} always needs a person's permission: an address of this machine or of a private network`);
  }
  if (subject.kind !== "path") return undefined;
  const { real, glob, access } = subject;
  const place = placeOf(subject, policy);
  if (access === "write" && place.others && place.inside)
    return builtInAsk(`${real} is not among the files of this worker: ${filesOf(policy)}`);
  const isGits = place.git && !(call.named && policy.sandbox.kind === "active"); // there, git needs it to be writable
  const runs =
    place.protected ??
    (isGits ? "it is a repository's own, where git alone writes" : undefined) ??
    (glob && spellsProtected(glob) ? "it may stand for a file that is protected" : undefined);
  const secret = place.sensitive ?? (glob && spellsSecret(glob) ? "it may stand for a file with secrets" : undefined);
  const why =
    (access === "write" && place.common && !place.inside && !isShared(call, policy) ? sharedTmp(policy) : undefined) ??
    (place.own ? "this program's own settings and state" : undefined) ??
    (access === "write" ? runs : undefined) ??
    (secret !== undefined && policy.allow.some((rule) => lifts(rule, call, policy)) ? undefined : secret) ??
    (call.left && "programs follow it to what they run"); // a link
  return builtInAsk(why && `${real} always needs a person's permission: ${why}`);
}

const filesOf = ({ cwd, ownFiles = [] }: Policy) => ownFiles.map((file) => relative(cwd, file)).join(", ");

function sharedTmp({ temporary }: Policy): string {
  const own = temporary === undefined ? "" : `. This session's own folder for temporary files is ${temporary}`;
  return `without a sandbox all programs of this machine share /tmp${own}`;
}

/** Whether the user has allowed this file by name, which otherwise needs a question because of its contents. */
export function isLifted(at: At, policy: Policy): boolean {
  const call: LocatedCall = { tool: "Read", input: {}, subject: { kind: "path", access: "read", ...at } };
  return (
    policy.allow.some((rule) => lifts(rule, call, policy)) || policy.grants.rules.some((rule) => rule.kind === "file" && allows(rule, call))
  );
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

/** A rule of the user's own for exactly this host. */
const names = (rule: SettingsRule, host: string) => rule.kind === "domain" && isOwn(rule) && !rule.below && rule.host === host;

/** Hosts that a command in the sandbox never reaches by a question or a wildcard. */
const isUnnamed = (host: string) => /^(?:\[|[\d.]+$)/.test(host) || isPrivateHost(host);

/** Whether a rule of the person's own, for exactly this host, opens it to commands in the sandbox. */
export const isNamedHost = (host: string, { allow, grants }: Pick<Policy, "allow" | "grants">): boolean =>
  [...allow, ...grants.rules].some((rule) => rule.tool === "Network" && names(rule, host));

/** A repository that is shared opens no host to commands, trusted or not. */
export const sharesNoHost = ({ tool, scope }: SettingsRule): boolean => tool === "Network" && scope === "project";

export const isOwn = ({ scope }: SettingsRule) => scope !== "project" && scope !== "local";

/** `host` as in a URL: lower case, IPv4 as four numbers, IPv6 in brackets. What a name resolves to is judged when connecting. */
function isPrivateHost(host: string): boolean {
  if (/^(?:\[|\d+\.\d+\.\d+\.\d+$)/.test(host)) return kindOfAddress(host) !== "public";
  return !host.includes(".") || /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|localdomain)$/.test(host);
}
