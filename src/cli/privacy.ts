// `tool privacy`: answers whether a file ever left the machine, from the ledgers of all sessions.

import { createHash } from "node:crypto";
import { Command } from "commander";
import type { SentEntry } from "../agent/session/ledger.ts";
import type { HostTraffic } from "../agent/traffic.ts";
import { fitted } from "../app/print/fitted.ts";
import { type Finish, UsageError, type World } from "../app/world.ts";
import { dayAndTime } from "../wording/figures.ts";

type Flags = { session?: string; all?: boolean; json?: boolean };
/** `network`: where its commands went. `places`: where its hands were. `times`: of all of it, the first one first. */
type SessionLedger = {
  session: string;
  project: string;
  times: string[];
  entries: SentEntry[];
  network: HostTraffic[];
  places: HostTraffic[];
};

export function privacyCommand(world: World, finish: Finish): Command {
  return new Command("privacy")
    .description("Show what was sent to the model provider, by session, or whether a file was ever sent.")
    .argument("[path]", "a file or a folder")
    .option("--session <id>", "only this session")
    .option("--all", "include sessions of all folders")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tool privacy\n  tool privacy config/database.yml\n  tool privacy ~/notes.txt --all")
    .action((path: string | undefined, flags: Flags) =>
      path === undefined ? showSessions(world, finish, flags) : showPath(world, finish, { path, flags }),
    );
}

async function showSessions(world: World, finish: Finish, flags: Flags): Promise<void> {
  const { summarise, summaryText } = await import("../agent/sent-summary.ts");
  const { trafficText } = await import("../agent/traffic.ts");
  const sessions = (await ledgers(world, flags)).map(({ session, project, times, entries, network, places }) => ({
    session,
    project,
    network,
    places: places.map(({ host, sent, received }) => ({ place: host, sent, received })),
    first: times[0],
    last: times.at(-1),
    ...summarise(entries),
  }));
  if (flags.json) world.stdout.write(`${JSON.stringify({ ok: true, sessions })}\n`);
  else {
    const lines = sessions.flatMap((session) => [
      `${dayAndTime(session.first ?? "")}  ${session.session}  ${summaryText(session)}`,
      ...session.network.map((host) => `  by ${host.tool ?? "its commands"}, to ${trafficText(host)}`),
      ...session.places.map(
        ({ place, ...bytes }) => `  to the place ${trafficText({ host: place, connections: 0, ...bytes })}; with the code of its tree`,
      ),
    ]);
    const text = lines.length > 0 ? `What left these sessions:\n${lines.map((line) => `  ${line}\n`).join("")}` : `${nothing(flags)}\n`;
    world.stdout.write(await fitted(world.stdout, text));
  }
  finish(0);
}

/** `tool` is empty for an instruction file, which no tool read. `agent` is the sub-agent that sent the file. */
type Departure = {
  at: string;
  session: string;
  path: string;
  sha256: string;
  bytes: number;
  tool: string;
  agent: string | null;
  same: boolean | null;
};

async function showPath(world: World, finish: Finish, { path, flags }: { path: string; flags: Flags }): Promise<void> {
  const { resolve } = await import("node:path");
  const { visibleLine } = await import("../screen/visible-text.ts");
  const { plural } = await import("../wording/figures.ts");
  const absolute = resolve(world.cwd, path);
  const found = await ledgers(world, flags);
  const disk = await world.edges.disk();
  const departures = found.flatMap(({ session, entries }) =>
    entries.flatMap(({ at, files = [], tool = "", agent = null }) =>
      files
        .filter((file) => file.path === absolute || file.path.startsWith(`${absolute}/`))
        .map((file): Departure => ({ at, session, tool, agent, ...file, same: sameNow(disk, file) })),
    ),
  );
  const mentions = found.flatMap(({ session, entries }) =>
    entries
      .filter(({ kind, command = "" }) => kind === "command" && mentionsFile(command, absolute))
      .map(({ at, command, agent = null }) => ({ at, session, agent, command })),
  );
  if (flags.json)
    world.stdout.write(`${JSON.stringify({ ok: true, path: absolute, left: departures.length > 0, departures, commands: mentions })}\n`);
  else {
    const lines = [
      departures.length > 0
        ? `${path} left this machine:`
        : `No tool that reads files has sent ${path} (${plural(found.length, "session")} checked).`,
      ...departures.map(
        ({ at, session, path: file, bytes, tool, agent, same }) =>
          `  ${dayAndTime(at)}  ${whose(session, agent)}  ${file === absolute ? "" : `${file.slice(absolute.length + 1)}  `}${bytes} bytes ${tool ? `by ${tool}` : "as instructions"}; ${state(same)}`,
      ),
      ...(mentions.length > 0 ? ["Commands that name it, whose output was sent:"] : []),
      ...mentions.map(({ at, session, agent, command }) => `  ${dayAndTime(at)}  ${whose(session, agent)}  ${command?.slice(0, 200)}`),
    ];
    world.stdout.write(await fitted(world.stdout, lines.map((line) => `${visibleLine(line)}\n`).join("")));
  }
  finish(0);
}

const whose = (session: string, agent: string | null) => (agent === null ? session : `${session} agent ${agent}`);

function state(same: boolean | null): string {
  return same === null ? "it is no longer there" : same ? "the content it has now" : "a content it no longer has";
}

function sameNow(disk: Awaited<ReturnType<World["edges"]["disk"]>>, { path, sha256 }: { path: string; sha256: string }): boolean | null {
  try {
    const bytes = disk.read(path);
    return bytes === undefined ? null : createHash("sha256").update(bytes).digest("hex") === sha256;
  } catch {
    return null; // unreadable or a folder: its content at that time is gone
  }
}

function mentionsFile(command: string, absolute: string): boolean {
  const name = absolute.slice(absolute.lastIndexOf("/") + 1);
  return command.split(/[\s;|&()<>`'"=]+/).some((word) => word === name || word.endsWith(`/${name}`));
}

/** Oldest first. Throws UsageError for a session that is not there: that it has sent nothing would be no answer. */
async function ledgers(world: World, { session, all }: Flags): Promise<SessionLedger[]> {
  const { readLedger } = await import("../agent/session/ledger.ts");
  const { byHost, placesFile, readTraffic, trafficFile } = await import("../agent/traffic.ts");
  const { projectName } = await import("../agent/session/transcript.ts");
  const disk = await world.edges.disk();
  const root = `${world.configDir}/projects`;
  const own = projectName(world.cwd);
  const wanted = disk.list(root).filter((project) => all || project === own);
  const found = wanted.flatMap((project) =>
    sessionsIn(disk, `${root}/${project}`).flatMap((name): SessionLedger[] => {
      if (session !== undefined && name !== session) return [];
      const folder = `${root}/${project}/${name}`;
      const bytes = disk.read(`${folder}/sent.jsonl`);
      const trafficIn = (file: string) => readTraffic(disk.read(file)?.toString("utf8") ?? "");
      const [network, places] = [trafficIn(trafficFile(folder)), trafficIn(placesFile(folder))];
      const entries = readLedger(bytes?.toString("utf8") ?? "");
      const times = [...entries, ...network, ...places].map(({ at }) => at).toSorted();
      return times.length === 0 ? [] : [{ session: name, project, times, entries, network: byHost(network), places: byHost(places) }];
    }),
  );
  const isThere = () =>
    wanted.some((project) => disk.list(`${root}/${project}`).some((name) => name === session || name === `${session}.jsonl`));
  if (session !== undefined && found.length === 0 && !isThere()) {
    throw new UsageError(`There is no session ${session}${all ? "" : " in this folder; --all looks in all of them"}.`);
  }
  return found.toSorted((a, b) => (a.times[0]! < b.times[0]! ? -1 : 1));
}

/** Session folders are beside their transcripts. */
function sessionsIn(disk: Awaited<ReturnType<World["edges"]["disk"]>>, folder: string): string[] {
  return disk
    .list(folder)
    .filter(
      (name) =>
        !name.endsWith(".jsonl") &&
        ["sent.jsonl", "network.jsonl", "places.jsonl"].some((file) => disk.size(`${folder}/${name}/${file}`) !== undefined),
    );
}

function nothing({ all, session }: Flags): string {
  if (session) return `The session ${session} has sent nothing.`;
  return all
    ? "Nothing has left this machine through this program."
    : "No session of this folder has sent anything. --all shows those of all folders.";
}
