// Watches for requests of `tool agents stop` while the session has agents.
import type { PatientDisk } from "../../board/disk.ts";
import { obeyStops, stopReason } from "../../subagents/stop-requests.ts";
import type { Subagents } from "../../subagents/subagents.ts";
import type { World } from "../world.ts";

export type StopWatch = {
  /** Must be called when an agent starts or changes its state. */
  poll(): void;
  end(): void;
};

const pollMs = 2_000;

export async function watchStops(
  { edges }: World,
  { disk, folder, host }: { disk: PatientDisk; folder: string; host: () => Subagents },
): Promise<StopWatch> {
  const { watch } = await edges.watch();
  let isAsked = false;
  let stop: (() => void) | undefined;
  const obey = () => {
    isAsked = obeyStops(disk, folder, { find: host().find, stop: (id) => host().stop(id, stopReason) });
  };
  return {
    poll() {
      stop ??= watch([folder], obey, { pollMs });
      if (isAsked) obey(); // the agent to stop may have ended
    },
    end() {
      stop?.();
      stop = () => {};
    },
  };
}
