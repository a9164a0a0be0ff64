// Opens the team that a command means, and the member that it acts as.
import { type Board, openBoard } from "../../board/board.ts";
import { teamsFolder } from "../../board/layout.ts";
import type { Actor } from "../../board/tasks/task.ts";
import type { BoardPorts } from "../../board/tasks/task-file.ts";
import { namesOf, type TeamRecord } from "../../board/team-record.ts";
import { optionsOf } from "../../team/place.ts";
import { UsageError, type World } from "../world.ts";

export type OpenTeam = { board: Board; record: TeamRecord; ports: BoardPorts };

/** The named team; without a name the only one, or the newest with a live member. Throws UsageError with the list of teams. */
export async function openTeam(world: World, name: string | undefined): Promise<OpenTeam> {
  return opened(world, name, withoutName);
}

/** For commands that do no harm to the wrong team: if no team runs, opens the most recent one of this folder and says so on standard error. */
export async function openTeamToSee(world: World, name: string | undefined): Promise<OpenTeam> {
  return opened(world, name, (teams) => {
    const live = withoutName(teams);
    if (live) return live;
    const here = latest(teams.filter((team) => recordOf(team)?.cwd === world.cwd));
    if (here) world.stderr.write(`tool: no team is running. This is team ${here.board.name}, the newest of this folder.\n`);
    return here;
  });
}

/** As openTeam, but undefined if no team is named and it cannot be the only one or a running one. */
export async function openTeamIfAny(world: World, name: string | undefined): Promise<OpenTeam | undefined> {
  return name === undefined && !withoutName(await allTeams(world)) ? undefined : openTeam(world, name);
}

/** The team with the most recent activity. */
export function latest(teams: TeamFolder[]): TeamFolder | undefined {
  const lastWritten = ({ board, ports }: TeamFolder) => ports.disk.changedAt(board.layout.log)?.getTime() ?? 0;
  return teams.toSorted((a, b) => lastWritten(b) - lastWritten(a))[0];
}

type Choose = (teams: TeamFolder[]) => TeamFolder | undefined;

async function opened(world: World, name: string | undefined, choose: Choose): Promise<OpenTeam> {
  const teams = await allTeams(world);
  const chosen = name === undefined ? choose(teams) : teams.find((team) => team.board.name === name);
  if (!chosen) throw new UsageError(name === undefined ? severalTeams(teams, world) : noSuchTeam(name, teams, world));
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

function withoutName(all: TeamFolder[]): TeamFolder | undefined {
  const teams = all.filter((team) => !isPastDemo(team));
  if (teams.length === 1) return teams[0];
  return teams
    .filter(isLive)
    .flatMap((team) => {
      const record = recordOf(team);
      return record ? { ...team, record } : [];
    })
    .toSorted((a, b) => b.record.created_at.localeCompare(a.record.created_at))[0];
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

function severalTeams(teams: TeamFolder[], world: World): string {
  const [last] = teams;
  if (last && teams.every(isPastDemo)) return `No team is running. To look at the demo that has ended: --team ${last.board.name}`;
  return teams.length === 0 ? noTeams(world) : `Which team? Name it with --team. None of them is running: ${names(teams)}.`;
}

/** The printed command works when it is pasted. */
function noTeams({ command, env }: World): string {
  const enabled = env["TOOL_EXPERIMENTAL_AGENT_TEAMS"] === "1" ? "" : "TOOL_EXPERIMENTAL_AGENT_TEAMS=1 ";
  return `There are no teams yet. Start one: ${enabled}${command} team "what to do"`;
}

function names(teams: TeamFolder[]): string {
  return teams.map(({ board }) => board.name).join(", ");
}
