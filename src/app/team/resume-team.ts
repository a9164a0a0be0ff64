// `tool team --resume [team]`: finds the team, prevents a second resume, cleans up after its former processes, and runs it with a lead that
// continues.
import type { TeamRecord } from "../../board/team-record.ts";
import { leadGoneReason } from "../../team/end-reasons.ts";
import { readResult } from "../../team/lead/result.ts";
import { findLeftovers, type Leftover, reap, type TeamPorts } from "../../team/leftovers.ts";
import { readStatus } from "../../team/member-files.ts";
import { memberProcess } from "../../team/member-process.ts";
import { handlesOf, optionsOf } from "../../team/place.ts";
import { flagsOfResume } from "../../team/resume/kept-options.ts";
import { lastHeardOf } from "../../team/resume/member-facts.ts";
import { placesNow } from "../../team/resume/places-now.ts";
import { type Resumable, resumable } from "../../team/resume/resumable.ts";
import { faultSentence } from "../../wording/error-text.ts";
import { holderWords } from "../holder-words.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { leadGraceOf, leadLaunch } from "./new-team.ts";
import { allTeams, isOfHere, latest, type TeamFolder } from "./open-team.ts";
import { runTeam } from "./run-team.ts";
import { untilLead } from "./team-place.ts";
import { teamPorts } from "./team-ports.ts";
import type { Run } from "./team-run.ts";

/** Throws UsageError, with nothing changed, if it cannot be resumed. */
export async function resumeTeam(world: World, name: string | undefined, run: Omit<Run, "cwd" | "resumed">): Promise<ExitCode> {
  const found = await teamToResume(world, name);
  const claim = await claimResume(world, found);
  try {
    const { record, session } = stillResumable(found);
    const hasWork = run.attended || run.prompt !== undefined || run.piped !== undefined || !isDone(found, record);
    if (!hasWork && !(await hasRunningMember(world, found, record))) throw new UsageError(nothingToDo(record.name, world.command));
    const flags = flagsOfResume(run.flags, record.options);
    const leadGraceMs = leadGraceOf(world, optionsOf(record).lead_grace_ms);
    return await runTeam(world, {
      ...run,
      flags,
      cwd: record.cwd,
      resumed: {
        hasTrees: optionsOf(record).worktrees !== undefined,
        hasKeptPlaces: run.flags.places === undefined,
        async launch(flagsNow, { places, isThere }) {
          const team = await teamPorts(world, { ...found, record });
          const since = lastHeardOf(team, record);
          await clearAway(team);
          const said = await movedHands(found, { isThere, places: places ?? [] });
          const led = { team: record.name, session, leadGraceMs, resumed: { since, said }, worktrees: optionsOf(record).worktrees, places };
          return leadLaunch(world, { ...run, flags: flagsNow, cwd: record.cwd }, led);
        },
        panes: handlesOf(record).flatMap(({ role, handle }) => (role === "teammate" && handle.kind === "tmux" ? handle : [])),
        onLead: () => untilLead(world, record.name, { runs: true, atMostMs: leadStartMs }).finally(claim.release),
      },
    });
  } finally {
    claim.release();
  }
}

/** The named team; without a name the most recent one of this folder's repository. */
async function teamToResume(world: World, name: string | undefined): Promise<TeamFolder> {
  const teams = await allTeams(world);
  const judged = await Promise.all(teams.map(async (team) => ({ team, found: await resumableNow(world, team) })));
  const able = judged.flatMap(({ team, found }) => (found.ok ? { team, cwd: found.record.cwd } : []));
  const list =
    able.length === 0 ? "No team can be resumed." : `These can be resumed: ${able.map(({ team }) => team.board.name).join(", ")}.`;
  if (name !== undefined) {
    const chosen = judged.find(({ team }) => team.board.name === name);
    if (!chosen) throw new UsageError(`Cannot resume team ${JSON.stringify(name)}: there is no such team. ${list}`);
    if (!chosen.found.ok) throw new UsageError(`Cannot resume team ${name}: ${chosen.found.reason}.`);
    return chosen.team;
  }
  const here = able.filter(({ team, cwd }) => isOfHere(team.ports.disk, cwd, world)).map(({ team }) => team);
  const newest = latest(here);
  if (newest) return newest;
  throw new UsageError(
    `No team of this folder can be resumed. ${able.length === 0 ? "" : `${list} Choose one: ${world.command} team --resume <team>`}`.trim(),
  );
}

async function resumableNow({ edges }: World, { board, ports }: TeamFolder): Promise<Resumable> {
  return resumable({ board, disk: ports.disk, lock: await edges.lock() });
}

/** Held for this process's life, or until the lead runs. Throws UsageError with the process that was faster. */
async function claimResume({ edges }: World, { board, ports }: TeamFolder): Promise<{ release(): void }> {
  const lock = await edges.lock();
  try {
    ports.disk.makeFolder(board.layout.resume);
    const claim = lock.claimForLife(board.layout.resume);
    if (claim.ok) return claim;
    throw new UsageError(`Cannot resume team ${board.name}: ${holderWords(claim.holder)} is resuming it just now.`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new Error(`Cannot resume team ${board.name}: ${faultSentence(error, "Nothing was changed")}.`);
  }
}

/** Checks again, because another process may have resumed it before the claim. */
function stillResumable({ board, ports }: TeamFolder): Extract<Resumable, { ok: true }> {
  const found = resumable({ board, disk: ports.disk, lock: { holder: () => undefined } });
  if (!found.ok) throw new UsageError(`Cannot resume team ${board.name}: ${found.reason}.`);
  return found;
}

/** A team with worktrees whose lead did not come to its end still has merged work to test and worktrees to remove. */
function isDone({ board, ports }: TeamFolder, record: TeamRecord): boolean {
  const read = board.tasks.read();
  if (!read.ok || read.list.tasks.length === 0 || read.list.tasks.some(({ status }) => status !== "completed")) return false;
  const how = readResult(ports.disk, board.layout)?.end.how;
  return !optionsOf(record).worktrees || (how !== undefined && how !== "interrupted");
}

/** Teammates that outlived their lead must be ended, and the report is still to be made. */
async function hasRunningMember({ edges }: World, { board }: TeamFolder, { members }: TeamRecord): Promise<boolean> {
  const processes = await edges.processes();
  return members.some(({ name }) => memberProcess(board, name, processes).kind === "running");
}

function nothingToDo(team: string, command: string): string {
  return `Nothing to resume: all tasks of team ${team} are completed. Say what to do next: ${command} team --resume ${team} "…"`;
}

/** Says which teammates go on at another place. */
async function movedHands({ board, ports }: TeamFolder, now: Omit<Parameters<typeof placesNow>[1], "statusOf">): Promise<string[]> {
  const statusOf = (name: string) => readStatus(ports.disk, board.layout, name);
  let said: string[] = [];
  const changed = await board.changeRecord((before) => {
    const { record, lines } = placesNow(before, { ...now, statusOf });
    said = lines;
    return lines.length > 0 ? record : before;
  });
  if (!changed.ok) throw new Error(changed.reason);
  return said;
}

/** Leftovers that nobody else will clean up. Everything that belongs to a living teammate stays. */
async function clearAway(team: TeamPorts): Promise<void> {
  const { found } = await findLeftovers(team, { note: false, patient: true });
  const anybody = team.record.members.some(({ name }) => memberProcess(team.board, name, team.processes).kind === "running");
  const wanted: Leftover["kind"][] = ["commands", "pane", "launch_file", ...(anybody ? [] : (["server", "socket"] as const))];
  for (const leftover of found) if (wanted.includes(leftover.kind)) await reap(leftover, team, leadGoneReason);
}

/** A lead that cannot start says why in its own pane. */
const leadStartMs = 10_000;
