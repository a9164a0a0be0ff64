// Deletes the files of a team that has ended. Work that is nowhere else is never deleted: worktrees with such work stay, and are named.

import { teamsFolder } from "../../board/layout.ts";
import { byGit, settledLines } from "../../screen/team/team-report.ts";
import { leadGoneReason } from "../../team/end-reasons.ts";
import { findLeftovers, reap } from "../../team/leftovers.ts";
import { optionsOf } from "../../team/place.ts";
import { errorText } from "../../wording/error-text.ts";
import { holderWords } from "../holder-words.ts";
import type { World } from "../world.ts";
import type { TeamFolder } from "./open-team.ts";
import { teamPorts } from "./team-ports.ts";
import { openTrees } from "./team-trees.ts";

/** `force`: also if worktrees with unmerged work stay behind, or the team cannot be looked at. */
export type DeleteOrder = { force: boolean };

/** `kept`: lines about branches and worktrees that stay. */
export type Deleted = { ok: true; kept: string[] } | { ok: false; reason: string; kept: string[] };

/** Refuses while anything of it runs. A kill in the middle leaves a team, or a folder that the next deletion removes. */
export async function deleteTeam(world: World, team: TeamFolder, { force }: DeleteOrder): Promise<Deleted> {
  const { board, ports } = team;
  const atWork = await runningWords(world, team);
  if (atWork !== undefined) return { ok: false, reason: `${atWork}. Stop it first: ${world.command} team stop ${board.name}`, kept: [] };
  ports.disk.makeFolder(board.layout.resume);
  const claim = (await world.edges.lock()).claimForLife(board.layout.resume); // nobody resumes it meanwhile
  if (!claim.ok) return { ok: false, reason: `${holderWords(claim.holder)} is resuming it just now`, kept: [] };
  try {
    const kept = await clearAway(world, team, { force });
    if (!kept.ok) return kept;
    const root = teamsFolder(world.configDir);
    const gone = `${root}/${deletedPrefix}${board.name}`;
    await world.edges.removeFolder(gone); // of a deletion that was killed
    ports.disk.move(`${root}/${board.name}`, gone);
    await world.edges.removeFolder(gone);
    return kept;
  } finally {
    claim.release();
  }
}

/** In front of the name of a team that is being deleted: no team's name can begin like this. */
const deletedPrefix = ".deleted-";

/** Folders of deletions that were killed. */
export async function unfinishedDeletions({ edges, configDir }: World): Promise<{ team: string; folder: string }[]> {
  const root = teamsFolder(configDir);
  const names = (await edges.disk()).list(root).filter((name) => name.startsWith(deletedPrefix));
  return names.map((name) => ({ team: name.slice(deletedPrefix.length), folder: `${root}/${name}` }));
}

/** Claims are files of the team, so they are found even where its record cannot be read. */
async function runningWords({ edges }: World, { board, ports }: TeamFolder): Promise<string | undefined> {
  const lock = await edges.lock();
  const { layout } = board;
  const members = ports.disk.list(layout.member("lead").slice(0, -"/lead".length));
  const found = members.flatMap((name) => {
    const holder = lock.holder(layout.claim(name));
    return holder ? `${name} is running as ${holderWords(holder)}` : [];
  });
  return found.length > 0 ? found.join(", ") : undefined;
}

async function clearAway(world: World, { board, ports }: TeamFolder, { force }: DeleteOrder): Promise<Deleted> {
  const read = board.record();
  if (!read.ok)
    return force ? { ok: true, kept: [] } : { ok: false, reason: `${read.reason}. To delete it all the same: --force`, kept: [] };
  if (read.record.name !== board.name) return { ok: true, kept: [] }; // a copy: what its record names is another team's
  const team = await teamPorts(world, { board, ports, record: read.record });
  const { found, problems } = await findLeftovers(team, { note: false, patient: false });
  const failed = [...problems];
  for (const leftover of found) {
    if (leftover.kind === "task") continue;
    const reaped = await reap(leftover, team, leadGoneReason);
    if (reaped.kind === "failed") failed.push(reaped.how);
  }
  if (failed.length > 0 && !force) return { ok: false, reason: `${failed.join(" ")} To delete it all the same: --force`, kept: [] };
  return settleTrees(world, team, { force });
}

async function settleTrees(
  world: World,
  { record, disk }: Awaited<ReturnType<typeof teamPorts>>,
  { force }: DeleteOrder,
): Promise<Deleted> {
  const { worktrees } = optionsOf(record);
  if (!worktrees || disk.changedAt(worktrees.root) === undefined) return { ok: true, kept: [] };
  try {
    const trees = await openTrees(world, { worktrees, team: record.name, name: "delete", cwd: record.cwd });
    if (!trees) return { ok: true, kept: [] };
    const left = await trees.left();
    const unmerged = left.length > 0 ? await trees.settle(left.map(({ name }) => name)) : [];
    const how = byGit(worktrees.root, trees.merged);
    const { commits, isTaken } = await trees.handed();
    const kept = settledLines({ branch: trees.merged, commits, isTaken, how }, unmerged);
    if (unmerged.length === 0 || force) return { ok: true, kept };
    return { ok: false, reason: "worktrees have work that is not merged. To keep them and delete the rest of the team: --force", kept };
  } catch (error) {
    if (force) return { ok: true, kept: [] };
    const fault = errorText(error);
    return { ok: false, reason: `${fault}. To delete it without looking at its worktrees: --force`, kept: [] };
  }
}
