// PreToolUse: runs hooks before the permission rules. The rules still judge every call that hooks allow, and an input that a hook has changed is
// judged again by both.

import { isDeepStrictEqual } from "node:util";
import type { Permit, ToolCall } from "../agent/ports/permit.ts";
import type { HookRuling } from "../permissions/call.ts";
import { capital } from "../wording/capital.ts";
import type { HookRunner } from "./hook-runner.ts";
import { blockedBy, blockIn, hookName, type Verdict } from "./verdict.ts";

/** Wraps a permit so that hooks run before it. */
export function hookedPermit(permit: Permit, runner: HookRunner): Permit {
  return async (call, signal) => {
    if (!runner.has("PreToolUse")) return permit(call, signal);
    const judged = await judgedByHooks(call, runner, signal);
    if (!judged.ok) return { allowed: false, reason: judged.reason };
    const permission = await permit(judged.call, signal);
    return permission.allowed && judged.call.input !== call.input ? { allowed: true, input: judged.call.input } : permission;
  };
}

type Judged = { ok: true; call: ToolCall } | { ok: false; reason: string };

/** After so many rounds of changing each other's input, the hooks are considered to disagree. */
const mostRounds = 4;

async function judgedByHooks(call: ToolCall, runner: HookRunner, signal: AbortSignal): Promise<Judged> {
  let current = call;
  let changer: Verdict | undefined;
  for (let round = 1; round <= mostRounds; round++) {
    const shown = current.shown?.(runner.cwd()) ?? (current.input as Record<string, unknown>);
    const verdicts = await runner.fire({
      event: "PreToolUse",
      matched: current.tool,
      call: current,
      input: { tool_name: current.tool, tool_input: shown, tool_use_id: call.id ?? null },
      signal,
      ...(changer && { without: changer.hook }),
    });
    if (signal.aborted) return { ok: false, reason: "It was interrupted before the hooks had ended" }; // one of them might have blocked the call
    const blocking = blockIn(verdicts);
    if (blocking) return { ok: false, reason: blockedBy(blocking) };
    const next = changeIn(verdicts, current, shown);
    if (!next) return { ok: true, call: { ...current, hook: rulingOf([...(changer ? [changer] : []), ...verdicts]) } };
    if ("reason" in next) return { ok: false, reason: next.reason };
    current = next.call;
    changer = next.by;
  }
  return { ok: false, reason: `Hooks changed the input of this call ${mostRounds} times, each after the other, and do not agree on it` };
}

/** The first change of the input; a hook that gives back what it was given changes nothing. */
function changeIn(
  verdicts: readonly Verdict[],
  call: ToolCall,
  shown: Record<string, unknown>,
): { call: ToolCall; by: Verdict } | { reason: string } | undefined {
  for (const verdict of verdicts) {
    const { updatedInput } = verdict;
    if (!updatedInput || isDeepStrictEqual(updatedInput, shown)) continue;
    const changed = call.withInput?.(updatedInput, shown);
    if (!changed?.ok) return { reason: cannotChange(verdict, changed?.reason ?? "it is no call of the model") };
    if (!isDeepStrictEqual(changed.call.input, call.input)) return { call: changed.call, by: verdict };
  }
  return undefined;
}

function rulingOf(verdicts: Verdict[]): HookRuling {
  const asking = verdicts.find(({ rules }) => rules?.kind === "ask");
  const allowing = verdicts.find(({ rules }) => rules?.kind === "allow");
  const fileOf = ({ hook }: Verdict) => (hook.file === undefined ? {} : { file: hook.file });
  return {
    ...(asking?.rules?.kind === "ask" && { ask: { reason: capital(oneLine(asking.rules.reason)), ...fileOf(asking) } }),
    ...(allowing && { allow: { scope: allowing.hook.scope, ...fileOf(allowing) } }),
  };
}

const cannotChange = ({ hook }: Verdict, why: string) => `${capital(hookName(hook))} gave this call an input that it cannot have: ${why}`;

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 500).toWellFormed();
