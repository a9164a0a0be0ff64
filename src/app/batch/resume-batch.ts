// Continues a batch that was interrupted, killed, or stopped by its budget, or retries its failed units.

import type { BatchRecord } from "../../batch/batch-record.ts";
import { needsAgent, retried } from "../../batch/unit-record.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { agentModel, checkModel } from "../agent-model.ts";
import { note } from "../note.ts";
import { openSettings } from "../settings/open-settings.ts";
import { withoutRule } from "../test-warnings.ts";
import { untilSignal } from "../until-signal.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { agentFlags, type BatchFlags, isAttended } from "./batch-flags.ts";
import { carryOut, openBatch } from "./carry-out.ts";
import { confinement, forgeAgain, repositoryAgain } from "./preconditions.ts";

/** Throws UsageError if there is no such batch, or if it cannot continue at present. */
export async function resumeBatch(world: World, flags: BatchFlags): Promise<ExitCode> {
  const { resume, retry = "" } = flags;
  const store = await openBatch(world, resume ?? retry);
  const again = resume === undefined ? store.units().flatMap((record) => retried(record) ?? []) : [];
  if (resume === undefined && again.length === 0)
    throw new UsageError(`cannot retry batch ${retry}: it has no failed unit that can be tried again. Nothing was started.`);
  const facts = await repositoryAgain(world, store);
  const batch = changedBatch(store.batch, flags);
  const there = { ...world, cwd: batch.root };
  const settings = await openSettings(there, settingsFlags(batch.flags as AgentFlags));
  const hasWork = [...store.units(), ...again].some(needsAgent);
  if (hasWork) await checkModel(there, settings);
  const hooks = hasWork ? batch.commit_hooks : undefined;
  const { found: sandboxFound, state } = await confinement(there, settings, { hooks, say: (text) => note(world, text) });
  const tests = [...store.units(), ...again]
    .filter(needsAgent)
    .map(({ id }) => store.plan.units.find((unit) => unit.id === id)?.test ?? "");
  const unitFlags = { ...(batch.flags as AgentFlags), permissionMode: (batch.flags as AgentFlags).permissionMode ?? "acceptEdits" };
  const unallowed = batch.grants_tests
    ? undefined
    : await withoutRule(there, { tests: [...new Set(tests)], flags: unitFlags, sandbox: state });
  if (unallowed) {
    note(world, `No rule allows ${unallowed.named}: these units could not pass. Nothing was started. Add: ${unallowed.rules}`);
    return 3;
  }
  const forge = batch.pull_requests && (await forgeAgain(world, batch, facts));
  return untilSignal(world, (signal) =>
    carryOut(world, {
      store,
      change: { batch, units: again },
      forge,
      sandboxFound,
      model: agentModel(there, settings.effective).name,
      json: flags.json === true,
      live: isAttended(world, flags),
      signal,
    }),
  );
}

/** Limits from the command line replace earlier ones; rules are added to them. */
function changedBatch(batch: BatchRecord, flags: BatchFlags): BatchRecord {
  const given = Object.fromEntries(Object.entries(agentFlags(flags)).filter(([, value]) => value !== undefined));
  const { allow, deny, addDir = [], settings = [] } = batch.flags;
  return {
    ...batch,
    concurrency: flags.concurrency ?? batch.concurrency,
    budget_usd: flags.budgetUsd ?? batch.budget_usd,
    flags: {
      ...batch.flags,
      ...given,
      allow: [...allow, ...flags.allow],
      deny: [...deny, ...flags.deny],
      addDir: [...addDir, ...(flags.addDir ?? [])],
      settings: [...settings, ...(flags.settings ?? [])],
    },
  };
}
