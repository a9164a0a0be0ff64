// Which team a command means that names none. One function decides for all commands.

export type Standing = {
  name: string;
  /** Undefined if the record cannot be read. */
  folder: string | undefined;
  /** Of the repository that the command is given in. */
  isHere: boolean;
  isLive: boolean;
  /** Nobody means it who does not name it. */
  isPastDemo: boolean;
  createdAt: string;
  /** Of its log. */
  writtenAt: number;
};

/** A command that only looks does no harm to the wrong team. */
export type Purpose = "look" | "act";

/** `said`: what the person is told when the team is not certainly the one that was meant. */
export type Meant = { kind: "team"; name: string; said?: string } | { kind: "refused"; reason: string };

/**
 * Of the teams of this folder's repository the newest that runs, or the only one. Who looks may also see the one that was active last, or
 * else one of another folder, whose folder is then said.
 */
export function meantTeam(all: Standing[], purpose: Purpose): Meant {
  const teams = all.filter(({ isPastDemo }) => !isPastDemo);
  const here = teams.filter(({ isHere }) => isHere);
  const certain = newestRunning(here) ?? (here.length === 1 ? here[0] : undefined);
  if (certain) return { kind: "team", name: certain.name };
  const seen = purpose === "look" ? seenInstead(here, teams) : undefined;
  return seen ?? { kind: "refused", reason: refusal({ all, teams, here }) };
}

function seenInstead(here: Standing[], teams: Standing[]): Meant | undefined {
  const [last] = here.toSorted((a, b) => b.writtenAt - a.writtenAt);
  const running = newestRunning(teams);
  if (last) {
    const none = `no team ${running ? "of this folder " : ""}is running`;
    return { kind: "team", name: last.name, said: `${none}. This is team ${last.name}, the newest of this folder.` };
  }
  const { name, folder } = running ?? (teams.length === 1 ? teams[0] : undefined) ?? {};
  if (name === undefined) return undefined;
  const which = running ? `which runs in ${folder}` : `which is not running, of ${folder ?? "an unknown folder"}`;
  return { kind: "team", name, said: `this folder has no team. This is team ${name}, ${which}.` };
}

type Found = { all: Standing[]; teams: Standing[]; here: Standing[] };

function refusal({ all, teams, here }: Found): string {
  const [demo] = all;
  if (demo && teams.length === 0) return `No team is running. To look at the demo that has ended: --team ${demo.name}`;
  const running = teams.filter(({ isLive }) => isLive);
  const elsewhere = running.length === 0 ? "" : ` Running elsewhere: ${places(running)}.`;
  if (here.length > 0) return `Which team? Name it with --team. None of them is running: ${names(here)}.${elsewhere}`;
  if (running.length > 0) return `This folder has no team.${elsewhere} To mean one, name it: --team ${running[0]?.name}`;
  return `This folder has no team. Name one with --team. None of them is running: ${places(teams)}.`;
}

const newestRunning = (teams: Standing[]): Standing | undefined =>
  teams.filter(({ isLive }) => isLive).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];

const names = (teams: Standing[]): string => teams.map(({ name }) => name).join(", ");

const places = (teams: Standing[]): string =>
  teams.map(({ name, folder }) => (folder === undefined ? name : `${name} in ${folder}`)).join(", ");
