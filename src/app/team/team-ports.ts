// Ports for managing a team from outside: its board, the process table, and the displays of its members.

import type { DisplayHandle } from "../../team/display/display.ts";
import type { TeamPorts } from "../../team/leftovers.ts";
import { openSettings } from "../settings/open-settings.ts";
import type { DisplayRequest, World } from "../world.ts";
import type { OpenTeam } from "./open-team.ts";

export async function teamPorts(world: World, { board, record, ports }: OpenTeam): Promise<TeamPorts> {
  const { edges, env } = world;
  const [processes, clock, privateServers] = await Promise.all([edges.processes(), edges.clock(), edges.privateServers(env)]);
  const request = { team: record.name, owner: "", env, logOf: () => "" };
  return {
    board,
    record,
    disk: ports.disk,
    configDir: world.configDir,
    clock,
    processes,
    privateServers,
    displayFor: async (handle) => edges.display({ ...request, choice: await choiceOf(world, handle) }),
  };
}

/** These displays open nothing: they only show and close recorded places. */
export async function choiceOf(world: World, handle: DisplayHandle): Promise<DisplayRequest["choice"]> {
  if (handle.kind !== "driver") return choiceFor[handle.kind];
  const { displays } = (await openSettings(world, {})).effective;
  const driver = { name: handle.driver, commands: Object.hasOwn(displays, handle.driver) ? displays[handle.driver]! : {} };
  return { ok: true, mode: "driver", where: "driver", driver, why: "" };
}

const choiceFor: Record<Exclude<DisplayHandle["kind"], "driver">, DisplayRequest["choice"]> = {
  tmux: { ok: true, mode: "tmux", where: "detached", why: "" },
  iterm2: { ok: true, mode: "iterm2", where: "tabs", why: "" },
  pty: { ok: true, mode: "in-process", where: "lead", why: "" },
  plain: { ok: true, mode: "plain", where: "logs", why: "" },
};
