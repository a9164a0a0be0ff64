// Turns the end of a hook into a verdict. Pure.

import type { SettingsHook } from "../settings/scopes.ts";
import { capital } from "../wording/capital.ts";
import { type EventRow, events } from "./events.ts";
import type { HookEnd } from "./hook-process.ts";
import { readOutput, unknownKey } from "./output.ts";

export type Verdict = {
  hook: SettingsHook;
  /** The reason for blocking, if the hook blocks. */
  blocks?: string;
  /** Only at PreToolUse: ask a person, or allow the call as a rule of the hook's settings file would. */
  rules?: { kind: "ask"; reason: string } | { kind: "allow" };
  updatedInput?: Record<string, unknown>;
  /** Why the agent is to end its turn. */
  stopsTurn?: string;
  context?: string;
  /** Messages for the person, each without repetition. */
  notices: string[];
};

/** Exit code 0 continues and 2 blocks. Every other end is reported and blocks nothing, unless a sandbox kept the hook from running. */
export function verdictOf(hook: SettingsHook, end: HookEnd, timeoutMs: number): Verdict {
  const row: EventRow = events[hook.event];
  if (end.kind === "exited" && end.code === 2) {
    if (row.blocks !== undefined) return { hook, blocks: reasonOf(end.stderr), notices: [] };
    return { hook, notices: [notice(hook, `ended with exit code 2, which blocks nothing at ${hook.event}${saying(end.stderr)}`)] };
  }
  // An agent could bring it about, by an input that is too long.
  if (end.kind === "failed" && hook.sandboxed && hook.event === "PreToolUse")
    return { hook, blocks: `it cannot run in the sandbox: ${end.reason}`, notices: [] };
  if (end.kind === "aborted") return { hook, notices: [] };
  if (end.kind !== "exited" || end.code !== 0) return { hook, notices: [notice(hook, failure(end, timeoutMs))] };
  return saidBy(hook, end, row);
}

function saidBy(hook: SettingsHook, { stdout, isCut }: HookEnd, row: EventRow): Verdict {
  if (row.adds === "text" && !/^\s*(?:[[{]|$)/.test(stdout)) return { hook, context: stdout, notices: [] };
  const read = readOutput(stdout);
  if (!read.ok) {
    const cut = isCut ? ", of which 64 KB were read," : "";
    return { hook, notices: [notice(hook, `printed text${cut} that ${read.reason}; it is ignored`)] };
  }
  const { decision, reason, updated_input, additional_context, system_message } = read.output;
  const idle = (what: string) =>
    notice(hook, `printed ${what}, which has no meaning at ${hook.event}${hook.sandboxed ? " in the sandbox" : ""}`);
  const isCall = hook.event === "PreToolUse";
  // What it says may come from the agent's own code.
  const mayGrant = isCall && !hook.sandboxed;
  const notices = read.unknown.map((key) => notice(hook, `printed the unknown key ${unknownKey(key)}`));
  if (decision === "deny" && row.blocks === undefined) notices.push(idle('"decision": "deny"'));
  if ((decision === "allow" && !mayGrant) || (decision === "ask" && !isCall)) notices.push(idle(`"decision": "${decision}"`));
  if (updated_input && !mayGrant) notices.push(idle('"updated_input"'));
  if (additional_context !== undefined && !row.adds) notices.push(idle('"additional_context"'));
  if (read.output.continue === false && row.stops === undefined) notices.push(idle('"continue": false'));
  if (system_message?.trim()) notices.push(`${capital(hookName(hook))} says: ${reasonOf(system_message)}`);
  const stop = read.output.continue === false && row.stops ? reasonOf(read.output.stop_reason ?? reason ?? "") : undefined;
  if (stop !== undefined && row.stops === "lets it stop") return { hook, notices };
  const blocks = stop ?? (decision === "deny" ? reasonOf(reason ?? "") : undefined);
  return {
    hook,
    ...(stop !== undefined && { stopsTurn: `${capital(hookName(hook))} ended the turn: ${stop}` }),
    ...(blocks !== undefined && row.blocks !== undefined && { blocks }),
    ...(isCall && decision === "ask" && { rules: { kind: "ask", reason: `${hookName(hook)} asks: ${reasonOf(reason ?? "")}` } }),
    ...(mayGrant && decision === "allow" && { rules: { kind: "allow" } }),
    ...(mayGrant && updated_input && { updatedInput: updated_input }),
    ...(row.adds && additional_context?.trim() && { context: additional_context }),
    notices,
  };
}

/** The model reads the reason, so its length costs tokens. */
const longestReason = 4_000;

function reasonOf(text: string): string {
  const reason = text.trim() || "it gives no reason";
  return reason.length > longestReason ? `${reason.slice(0, longestReason).toWellFormed()}…` : reason;
}

export type Blocking = Verdict & { blocks: string };

export function blockIn(verdicts: readonly Verdict[]): Blocking | undefined {
  return verdicts.find((verdict): verdict is Blocking => verdict.blocks !== undefined);
}

/** For example `The hook "./check.sh" of /repo/.tool/settings.json blocked it: no tests`. */
export const blockedBy = ({ hook, blocks }: Blocking, what = "it") => capital(`${hookName(hook)} blocked ${what}: ${blocks}`);

/** For example `the hook "./check.sh" of /repo/.tool/settings.json`. */
export function hookName({ command, file }: Pick<SettingsHook, "command" | "file">): string {
  const short = command.length > longestName ? `${command.slice(0, longestName).toWellFormed()}…` : command;
  return `the hook "${short.replaceAll(/\s+/g, " ")}"${file === undefined ? "" : ` of ${file}`}`;
}

const longestName = 120;

const notice = (hook: SettingsHook, what: string) => `${hook.event}: ${hookName(hook)} ${what}.`;

function failure(end: HookEnd, timeoutMs: number): string {
  switch (end.kind) {
    case "exited":
      return `failed with exit code ${end.code}${saying(end.stderr)}. It blocks nothing: exit code 2 does`;
    case "killed":
      return `was ended by ${end.by}, and blocks nothing`;
    case "failed":
      return `could not be started: ${end.reason}`;
    case "timed_out":
      return `did not end within ${timeoutMs / 1000} s, was killed, and blocks nothing`;
    case "aborted":
      return "was interrupted";
  }
}

/** The last line, which usually names the failure. */
function saying(stderr: string): string {
  const line = stderr.trim().split("\n").at(-1)?.slice(0, 200).toWellFormed();
  return line ? `: ${line}` : "";
}
