// Goes on with a batch that was interrupted, killed, or stopped by its budget.
import { needsAgent } from "../../batch/unit-record.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { openSettings } from "../open-settings.ts";
import type { ExitCode, World } from "../world.ts";
import { type BatchFlags, isAttended } from "./batch-flags.ts";
import { carryOut, openBatch } from "./carry-out.ts";
import { checkModel, confinement, forgeAgain, note } from "./look-first.ts";

/** Throws UsageError where there is no such batch, or it cannot go on now. */
export async function resumeBatch(world: World, id: string, flags: BatchFlags): Promise<ExitCode> {
  const opened = await openBatch(world, id);
  const store = flags.budgetUsd === undefined ? opened : { ...opened, batch: { ...opened.batch, budget_usd: flags.budgetUsd } };
  const there = { ...world, cwd: store.batch.root };
  const settings = await openSettings(there, settingsFlags(store.batch.flags as AgentFlags));
  const hasWork = store.units().some(needsAgent);
  if (hasWork) await checkModel(there, settings);
  const hooks = hasWork ? store.batch.commit_hooks : undefined;
  const sandboxFound = await confinement(there, settings, { hooks, say: (text) => note(world, text) });
  const forge = store.batch.pull_requests && (await forgeAgain(world, store.batch));
  const ending = new AbortController();
  const stopSignals = world.onSignal(() => ending.abort());
  try {
    return await carryOut(world, {
      store,
      forge,
      sandboxFound,
      json: flags.json === true,
      live: isAttended(world, flags),
      signal: ending.signal,
    });
  } finally {
    stopSignals();
  }
}
