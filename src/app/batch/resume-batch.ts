// Continues a batch that was interrupted, killed, or stopped by its budget, or retries its failed units.

import type { BatchRecord } from "../../batch/batch-record.ts";
import { needsAgent, retried } from "../../batch/unit-record.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { agentModel, checkModel } from "../agent-model.ts";
import { note } from "../note.ts";
import { goneText, placesKept, placesList, roomIn } from "../places/places-list.ts";
import { openSettings } from "../settings/open-settings.ts";
import { withoutRule } from "../test-warnings.ts";
import { untilSignal } from "../until-signal.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { agentFlags, type BatchFlags, isAttended } from "./batch-flags.ts";
import { atOnceHere, carryOut, openBatch } from "./carry-out.ts";
import { confinement, forgeAgain, repositoryAgain } from "./preconditions.ts";

/** Throws UsageError if there is no such batch, or if it cannot continue at present. */
export async function resumeBatch(world: World, flags: BatchFlags): Promise<ExitCode> {
  const { resume, retry = "" } = flags;
  const store = await openBatch(world, resume ?? retry);
  const again = resume === undefined ? store.units().flatMap((record) => retried(record) ?? []) : [];
  if (resume === undefined && again.length === 0)
    throw new UsageError(`cannot retry batch ${retry}: it has no failed unit that can be tried again. Nothing was started.`);
  const facts = await repositoryAgain(world, store);
  const there = { ...world, cwd: store.batch.root };
  const changed = changedBatch(store.batch, flags);
  const settings = await openSettings(there, settingsFlags(changed.flags as AgentFlags));
  const batch = { ...changed, ...placesNow(world, changed, { flags, settings }) };
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

type Now = { flags: BatchFlags; settings: LoadedSettings };

/** The places of the command line, or those that the batch had and the settings still have; one that is gone is said. */
function placesNow(world: World, { places: before, concurrency }: BatchRecord, { flags, settings }: Now): Partial<BatchRecord> {
  const { places } = settings.effective;
  const { kept, gone } = flags.places === undefined ? placesKept(before, places) : { kept: placesList(flags.places, places), gone: [] };
  if (gone.length > 0) note(world, goneText(gone, kept));
  if (flags.concurrency !== undefined || (flags.places === undefined && gone.length === 0)) return { places: kept, concurrency };
  return { places: kept, concurrency: kept && kept.length > 0 ? roomIn(kept) : Math.min(concurrency, atOnceHere(world)) };
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
