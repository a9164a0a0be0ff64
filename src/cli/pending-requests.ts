// The questions of a team that wait for the person, used by `answer` and by completion.

import type { OpenTeam } from "../app/team/open-team.ts";
import type { World } from "../app/world.ts";
import type { Request } from "../board/messages/requests.ts";
import type { Question } from "../permissions/questions/question.ts";

/** The open questions of that team, oldest first. */
export async function pendingRequests(world: World, team: string | undefined): Promise<Request<Question>[]> {
  const { openTeam } = await import("../app/team/open-team.ts");
  return (await requestsOf(world, await openTeam(world, team))).requests.pending();
}

export async function requestsOf(world: World, { board, ports }: OpenTeam) {
  const { teamGrants } = await import("../team/team-grants.ts");
  const { teamRequests } = await import("../team/requests.ts");
  const [clock, processes] = await Promise.all([world.edges.clock(), world.edges.processes()]);
  const requests = teamRequests({ board, disk: ports.disk, clock, processes });
  return { team: board.name, clock, requests, grants: teamGrants({ ...ports, now: () => clock.now() }, board.layout) };
}
