// Takes a member's name in a team for this process, whether an agent of ours plays it or another program.
import type { Clock } from "../../../agent/ports/clock.ts";
import { type Board, openBoard } from "../../../board/board.ts";
import { makeMemberFolders } from "../../../board/create-team.ts";
import type { DiskRefusal, Lock, PatientDisk, Watch } from "../../../board/disk.ts";
import { teamsFolder } from "../../../board/layout.ts";
import type { Mailbox } from "../../../board/messages/mailbox.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import type { Launch } from "../../../team/launch.ts";
import { teamRequests } from "../../../team/requests.ts";
import { type TeamGrants, teamGrants } from "../../../team/team-grants.ts";
import type { PersonRequests } from "../../../team/teammate/ask-person.ts";
import { holderWords } from "../../holder-words.ts";
import type { World } from "../../world.ts";

/** A live process has the name. */
export class AlreadyRunning extends Error {
  override name = "AlreadyRunning";
}

export type Joined = {
  board: Board;
  mailbox: Mailbox;
  requests: PersonRequests;
  /** What the person has granted to the whole team. */
  grants: TeamGrants;
  disk: PatientDisk;
  lock: Lock;
  clock: Clock;
  watch: Watch;
  /** Releases the name for another process. */
  release: () => void;
};

/** Takes the member's name, and opens what all members of the team share. Throws AlreadyRunning with the pid of a process that has the name. */
export async function joinTeam(
  { edges, configDir }: World,
  { name, team }: Launch,
  onDiskWait: (refusal: DiskRefusal | undefined) => void,
): Promise<Joined> {
  const disk = await edges.patientDisk(onDiskWait);
  const [lock, clock, watch, processes] = await Promise.all([edges.lock(), edges.clock(), edges.watch(), edges.processes()]);
  const folder = `${teamsFolder(configDir)}/${team}`;
  const board = openBoard({ disk, lock, clock, patience: disk }, folder);
  const claim = await disk.untilDone(() => {
    makeMemberFolders(disk.now, folder, name);
    return lock.claimForLife(board.layout.claim(name));
  });
  if (!claim.ok) throw new AlreadyRunning(`Cannot start ${name} of team ${team}: it is running already, as ${holderWords(claim.holder)}.`);
  return {
    board,
    mailbox: board.mailbox(name),
    requests: teamRequests({ board, disk, clock, processes }),
    grants: teamGrants({ disk, lock, now: () => clock.now() }, board.layout),
    disk,
    lock,
    clock,
    watch,
    release: claim.release,
  };
}

const defaultHungAfterMinutes = 10;

/** How long a member may work without an event before it counts as hung. */
export const hungAfterMs = ({ effective }: LoadedSettings): number =>
  (effective.team?.hungAfterMinutes ?? defaultHungAfterMinutes) * 60_000;
