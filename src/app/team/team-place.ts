// The files of a team, and the display that its teammates are shown on, as every process of the team opens them.
import { type TeamLayout, teamLayout, teamsFolder } from "../../board/layout.ts";
import type { Display } from "../../team/display/display.ts";
import type { Launch } from "../../team/launch.ts";
import { writeExit } from "../../team/member-files.ts";
import type { MemberExit } from "../../team/report/status.ts";
import type { DisplayRequest, World } from "../world.ts";

export const layoutOf = ({ configDir }: Pick<World, "configDir">, team: string): TeamLayout =>
  teamLayout(`${teamsFolder(configDir)}/${team}`);

/** The mark of what is opened for this team. */
export const ownerOf = ({ session, team }: Pick<Launch, "session" | "team">): string => `${session}:${team}`;

export async function openDisplay(world: World, launch: Launch, choice: DisplayRequest["choice"]): Promise<Display> {
  const layout = layoutOf(world, launch.team);
  return world.edges.display({
    choice,
    team: launch.team,
    owner: ownerOf(launch),
    env: world.env,
    logOf: (name) => `${layout.member(name)}/output.log`,
  });
}

export type ExitWriter = (exit: Pick<MemberExit, "reason" | "code" | "detail" | "cause">) => void;

/** Records how the member's process ends; to other processes, one without that record has crashed. Throws what the disk throws. */
export async function exitWriter(world: World, { name, team, nonce }: Launch): Promise<ExitWriter> {
  const [disk, clock] = await Promise.all([world.edges.disk(), world.edges.clock()]);
  const layout = layoutOf(world, team);
  return (exit) => writeExit(disk, layout, { name, exit: { ...exit, nonce, at: clock.now().toISOString() } });
}

/** Waits until the team has a running lead, or none; not longer than this. */
export async function untilLead(world: World, team: string, { runs, atMostMs }: { runs: boolean; atMostMs: number }): Promise<void> {
  const [lock, clock] = await Promise.all([world.edges.lock(), world.edges.clock()]);
  const claim = layoutOf(world, team).claim("lead");
  for (const deadline = clock.monotonicMs() + atMostMs; (lock.holder(claim) !== undefined) !== runs && clock.monotonicMs() < deadline; )
    await clock.sleep(20);
}
