// How a teammate of a team that is resumed comes under the supervisor again: as the process that it is, or as a new one.
import type { Display } from "../display/display.ts";
import type { LivingTeammate } from "../resume/plan.ts";
import type { MemberPlaces } from "./member-places.ts";
import type { Processes, Supervisor } from "./supervisor.ts";

/** `living`: asked again when it cannot be started, since the former lead may have started it in its last moment. `since`: for its launch. */
export type Rejoining = { name: string; session: string; living: () => LivingTeammate | undefined; since: string };

/** The reason says why it could not be started at once. */
export type Rejoin = (teammate: Rejoining) => Promise<{ ok: true } | { ok: false; reason: string }>;

export type RejoinPorts = {
  supervisor: Pick<Supervisor, "start" | "adopt" | "failed">;
  places: Pick<MemberPlaces, "learn">;
  sessions: Map<string, string>;
  /** What a launch that is written meanwhile says of the resume. */
  resumedSince: Map<string, string>;
};

type RejoinSetup = { processes: Pick<Processes, "sweep">; display: Pick<Display, "takeOver"> };

export function createRejoin({ processes, display }: RejoinSetup, ports: RejoinPorts): Rejoin {
  const { supervisor, places, sessions, resumedSince } = ports;
  return async ({ name, session, living, since }) => {
    const adopt = () => {
      const found = living();
      if (!found) return false;
      display.takeOver?.(found.handle);
      supervisor.adopt(name, found);
      places.learn(name);
      return true;
    };
    sessions.set(name, session);
    if (adopt()) return { ok: true };
    resumedSince.set(name, since);
    await processes.sweep(`${session}:${name}`); // what its former process has started
    const started = await supervisor.start(name);
    resumedSince.delete(name);
    if (started.ok || adopt()) return { ok: true };
    await supervisor.failed(name, started);
    return started;
  };
}
