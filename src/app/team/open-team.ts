// Opens the team that a command means, and the member that it acts as.
import { type Board, openBoard } from "../../board/board.ts";
import { teamsFolder } from "../../board/layout.ts";
import type { Actor } from "../../board/tasks/task.ts";
import type { BoardPorts } from "../../board/tasks/task-file.ts";
import { namesOf, type TeamRecord } from "../../board/team-record.ts";
import { projectRoot } from "../../settings/files.ts";
import { meantTeam, type Purpose, type Standing } from "../../team/meant-team.ts";
import { optionsOf } from "../../team/place.ts";
import { UsageError, type World } from "../world.ts";

export type OpenTeam = { board: Board; record: TeamRecord; ports: BoardPorts };

/** The named team; without a name one of this folder, as `meantTeam` chooses. Throws UsageError with the list of teams. */
export async function openTeam(world: World, name: string | undefined): Promise<OpenTeam> {
  return opened(world, name, "act");
}

/** For commands that only look: may open a team that is not meant for certain, and says on standard error which. */
export async function openTeamToSee(world: World, name: string | undefined): Promise<OpenTeam> {
  return opened(world, name, "look");
}

/** As openTeam, but undefined if no team is named, this folder has none that could be meant, and none runs elsewhere. */
export async function openTeamIfAny(world: World, name: string | undefined): Promise<OpenTeam | undefined> {
  const teams = await allTeams(world);
  const isThere = name !== undefined || teams.some(isLive) || meantTeam(standings(teams, world), "act").kind === "team";
  return isThere ? openTeam(world, name) : undefined;
}

/** The team with the most recent activity. */
export function latest(teams: TeamFolder[]): TeamFolder | undefined {
  return teams.toSorted((a, b) => lastWritten(b) - lastWritten(a))[0];
}

const lastWritten = ({ board, ports }: TeamFolder): number => ports.disk.changedAt(board.layout.log)?.getTime() ?? 0;

async function opened(world: World, name: string | undefined, purpose: Purpose): Promise<OpenTeam> {
  const teams = await allTeams(world);
  const chosen = name === undefined ? await chosenFor(world, teams, purpose) : teams.find((team) => team.board.name === name);
  if (!chosen) throw new UsageError(noSuchTeam(name ?? "", teams, world));
  const read = chosen.board.record();
  if (!read.ok) throw new UsageError(read.reason);
  return { board: chosen.board, record: read.record, ports: chosen.ports };
}

export type TeamFolder = { board: Board; ports: BoardPorts };

/** `tool team stop atlas` and `tool team stop --team atlas` are the same. Throws UsageError if both are given and differ. */
export function teamNamed(argument: string | undefined, option: string | undefined): string | undefined {
  if (argument !== undefined && option !== undefined && argument !== option)
    throw new UsageError(`Which team, ${JSON.stringify(argument)} or ${JSON.stringify(option)}? Name it once.`);
  return argument ?? option;
}

/** Every folder that has a team record, readable or not. */
export async function allTeams(world: World): Promise<TeamFolder[]> {
  return (await teamFolders(world)).filter(({ board, ports }) => ports.disk.size(board.layout.record) !== undefined);
}

/** Those as well whose record is missing: they can only be deleted. */
export async function teamFolders({ configDir, edges }: World): Promise<TeamFolder[]> {
  const ports = await boardPorts(edges);
  const root = teamsFolder(configDir);
  return ports.disk
    .list(root)
    .filter((name) => !name.startsWith(".")) // a team that is being deleted
    .map((name) => ({ board: openBoard(ports, `${root}/${name}`), ports }));
}

export async function boardPorts(edges: World["edges"]): Promise<BoardPorts> {
  const [disk, lock, clock] = await Promise.all([edges.disk(), edges.lock(), edges.clock()]);
  return { disk, lock, clock };
}

/** The actor with that name. Throws UsageError with the known names. */
export function actorNamed(name: string, record: TeamRecord): Actor {
  if (name === "user") return { name, role: "user" };
  const member = record.members.find((candidate) => candidate.name === name);
  if (member) return { name, role: member.role };
  throw new UsageError(
    `Cannot act as ${JSON.stringify(name)}: team ${record.name} has no such member. Its members are ${namesOf(record).join(", ")}; user is you.`,
  );
}

/** Splits a comma-separated list. An empty text is an empty list. */
export function commaList(text: string): string[] {
  return text.trim() === "" ? [] : text.split(",").map((part) => part.trim());
}

/** Throws UsageError if none is meant. */
async function chosenFor(world: World, teams: TeamFolder[], purpose: Purpose): Promise<TeamFolder | undefined> {
  if (teams.length === 0) throw new UsageError(noTeams(world));
  const meant = meantTeam(standings(teams, world), purpose);
  if (meant.kind === "refused") throw new UsageError(meant.reason);
  if (meant.said !== undefined) {
    const [{ errorLine }, { fitted }] = await Promise.all([import("../print/error-line.ts"), import("../print/fitted.ts")]);
    world.stderr.write(await fitted(world.stderr, errorLine(meant.said)));
  }
  return teams.find(({ board }) => board.name === meant.name);
}

/** Whether a team's folder and the working directory are of one repository. */
export function isOfHere(disk: Parameters<typeof projectRoot>[0], folder: string, { cwd }: Pick<World, "cwd">): boolean {
  return projectRoot(disk, folder) === projectRoot(disk, cwd);
}

/** The only team counts as one of here when its record cannot be read. */
function standings(teams: TeamFolder[], world: World): Standing[] {
  return teams.map((team) => {
    const record = recordOf(team);
    const { disk } = team.ports;
    return {
      name: team.board.name,
      folder: record?.cwd,
      isHere: record === undefined ? teams.length === 1 : isOfHere(disk, record.cwd, world),
      isLive: isLive(team),
      isPastDemo: isPastDemo(team),
      createdAt: record?.created_at ?? "",
      writtenAt: lastWritten(team),
    };
  });
}

function isLive(team: TeamFolder): boolean {
  const record = recordOf(team);
  return record !== undefined && namesOf(record).some((name) => team.board.holder(name)?.kind === "alive");
}

/** A demo that has ended: nobody means it who does not name it, and the next demo removes it. */
export function isPastDemo(team: TeamFolder): boolean {
  const record = recordOf(team);
  return record !== undefined && optionsOf(record).demo === true && !isLive(team);
}

/** Undefined if it cannot be read. */
function recordOf({ board }: TeamFolder): TeamRecord | undefined {
  const read = board.record();
  return read.ok ? read.record : undefined;
}

export function noSuchTeam(name: string, teams: TeamFolder[], world: World): string {
  return teams.length === 0
    ? noTeams(world)
    : `There is no team ${JSON.stringify(name)}. ${teams.length === 1 ? "The only team is" : "The teams are"} ${names(teams)}.`;
}

/** The printed command works when it is pasted. */
function noTeams({ command, env }: World): string {
  const enabled = env["TOOL_EXPERIMENTAL_AGENT_TEAMS"] === "1" ? "" : "TOOL_EXPERIMENTAL_AGENT_TEAMS=1 ";
  return `There are no teams yet. Start one: ${enabled}${command} team "what to do"`;
}

function names(teams: TeamFolder[]): string {
  return teams.map(({ board }) => board.name).join(", ");
}
