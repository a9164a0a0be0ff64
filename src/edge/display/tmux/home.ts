// Where a team's panes are opened: on which server, how a new one is created there, and what is restored when the team ends.
import { rmSync } from "node:fs";
import type { Outlook } from "../../../team/display/display.ts";
import { DisplayError } from "../display-error.ts";
import { callTmux, literal, requireVersion, type TmuxAnswer, type TmuxCommand } from "./call.ts";
import { borderFormat, mark, placeholder } from "./fill.ts";
import { type Layout, mainColumns, nextPlace, type Place, roomBesideLead } from "./layout.ts";
import { type Pane, type ServerIdentity, type Survey, survey } from "./panes.ts";
import { privateServer, type Size, startServer, stopPrivateServer } from "./server.ts";

export type Team = { team: string; owner: string; env: Record<string, string> };

/** A pane with a placeholder, and the commands to run before its program starts. */
type NewPane = { server: ServerIdentity; pane: string; before: TmuxCommand[] };

export interface Home {
  newPane(teammate: { name: string; cwd: string }): Promise<NewPane>;
  /** Opens further panes on that server, if it is the team's own and still the same. Absent if the lead's pane decides. */
  takeOver?(server: ServerIdentity): void;
  /** Where the first teammate's pane goes, or is: a resumed team's may be there already. Undefined without a lead's pane. */
  outlook(): Promise<Outlook | undefined>;
  /** The lead's pane, if there is one. */
  lead: string | undefined;
  dispose(): Promise<void>;
}

/** Opens panes beside the lead. `tmux` and `pane` are the lead's TMUX and TMUX_PANE. */
export function insideHome(team: Team, { tmux, pane: lead }: { tmux: string; pane: string }): Home {
  const socket = tmux.replace(/,\d+,\d+$/, "");
  const look = () => survey(socket, team.env);
  return {
    async newPane({ name }) {
      const found = await look();
      if (!found)
        throw new DisplayError(
          `Cannot open a pane for ${name}: the tmux server at ${socket} is gone. Start tmux again and resume the team.`,
        );
      requireVersion(found.version);
      const own = found.panes.find((pane) => pane.id === lead);
      if (!own)
        throw new DisplayError(`Cannot open a pane for ${name}: the lead's own pane, ${lead}, is gone from the tmux server at ${socket}.`);
      return addPane(team, { name, found, session: own.session, lead: own });
    },
    lead,
    async outlook() {
      const found = await look();
      const own = found?.panes.find((pane) => pane.id === lead);
      if (!found || !own) return undefined;
      const before = found.panes.filter((pane) => pane.window.id !== own.window.id || !isOurs(team, pane));
      const outlook = outlookOf(nextPlace(before, { lead, isOurs: (pane) => isOurs(team, pane) }), own);
      return outlook.where === "window" ? { ...outlook, prefix: await prefixKey(found, own, team) } : outlook;
    },
    async dispose() {
      const found = await look();
      if (!found) return;
      const ended = found.panes.filter((pane) => pane.dead && isOurs(team, pane));
      const commands = [...ended.map(killIfStill), ...returnTitles(lead)];
      await callTmux({ server: ["-S", socket], commands, env: team.env });
      // A private server ends with the lead's pane, and leaves its socket behind.
      if (found.isPrivate) rmSync(socket, { force: true });
    },
  };
}

/** Opens panes without a lead's pane: the first teammate's pane starts the server, also after it has ended. */
export function detachedHome(team: Team, size: Size): Home {
  let server: ServerIdentity | undefined;
  let ownServer: ServerIdentity | undefined;
  return {
    async newPane({ name, cwd }) {
      const found = server && (await privateServer(server, team.env));
      const own = found?.panes.find((pane) => isOurs(team, pane));
      if (found && own) return addPane(team, { name, found, session: own.session, lead: undefined });
      const started = await startServer({ team: team.team, window: team.team, cwd, size, env: team.env });
      server = ownServer = started.server;
      return { ...started, before: [] };
    },
    takeOver(former) {
      server ??= former;
    },
    lead: undefined,
    outlook: async () => undefined,
    async dispose() {
      if (ownServer) await stopPrivateServer(ownServer, team.env);
    },
  };
}

/** The user's own prefix key; undefined if they have none. */
async function prefixKey({ server }: Survey, { id }: Pane, { env }: Team): Promise<string | undefined> {
  const answer = await callTmux({ server: ["-S", server.socket], commands: [["display-message", "-p", "-t", id, "#{prefix}"]], env });
  const key = answer.kind === "done" ? answer.lines[0] : undefined;
  return key === "None" ? undefined : key && keyName(key);
}

/** tmux's `C-b` as everything else on the screen writes it: `Ctrl-B`. */
export function keyName(key: string): string {
  return key.replace(/^C-(.)$/, (_, letter: string) => `Ctrl-${letter.toUpperCase()}`);
}

function outlookOf(place: Place, { window }: Pane): Outlook {
  if (place.kind === "window") return { where: "window" };
  const room = roomBesideLead(window);
  return place.layout.kind === "main-vertical" ? { where: "beside", room, leadColumns: mainColumns(window) } : { where: "below", room };
}

type Addition = { name: string; found: Survey; session: string; lead: Pane | undefined };

async function addPane(team: Team, { name, found, session, lead }: Addition): Promise<NewPane> {
  const { server } = found;
  const make = (command: TmuxCommand) =>
    callTmux({ server: ["-S", server.socket], commands: [[...command, "-P", "-F", "#{pane_id}", ...placeholder]], env: team.env });
  const place = nextPlace(found.panes, { lead: lead?.id, isOurs: (pane) => isOurs(team, pane) });
  if (place.kind === "split") {
    const split = await make(["split-window", "-d", place.direction, "-t", place.beside]);
    // tmux refuses if the window has become too small meanwhile: then a new window is opened.
    if (split.kind === "done") return { server, pane: paneIn(split), before: dress(paneIn(split), { found, lead, place }) };
  }
  const called = place.kind === "window" && place.namedAfter === "team" ? team.team : name;
  const window = await make(["new-window", "-d", "-t", `${session}:`, "-n", literal(called)]);
  if (window.kind === "done") return { server, pane: paneIn(window), before: dressWindow(paneIn(window), found) };
  throw new DisplayError(`Cannot open a pane or a further window for ${name}: ${window.reason}.`);
}

function paneIn({ lines }: Extract<TmuxAnswer, { kind: "done" }>): string {
  return lines[0] ?? "";
}

type Split = Extract<Place, { kind: "split" }>;

function dress(pane: string, { found, lead, place }: { found: Survey; lead: Pane | undefined; place: Split }): TmuxCommand[] {
  return [...showLabel(pane, found), ...borrowTitles(lead, place.layout), ...layOut(pane, lead, place.layout)];
}

function dressWindow(pane: string, found: Survey): TmuxCommand[] {
  return [...showLabel(pane, found), ["set-option", "-w", "-t", pane, "pane-border-status", "top"]];
}

/** Resizes the lead's pane directly: the layout option would change the user's whole window. */
function layOut(pane: string, lead: Pane | undefined, layout: Layout): TmuxCommand[] {
  const select: TmuxCommand = ["select-layout", "-t", pane, layout.kind];
  if (layout.kind !== "main-horizontal" || !lead) return [select];
  return [select, ["resize-pane", "-t", lead.id, "-y", String(layout.rows)]];
}

/** For this pane only. Before tmux 3.3 the option would affect the whole window; there the user's format shows tmux's title. */
function showLabel(pane: string, { version }: Survey): TmuxCommand[] {
  return version.startsWith("3.2") ? [] : [["set-option", "-p", "-t", pane, "pane-border-format", borderFormat]];
}

function isOurs({ owner }: Team, pane: Pane): boolean {
  return pane.owner.startsWith(mark(owner, ""));
}

function killIfStill({ id, owner, pid }: Pane): TmuxCommand {
  const still = `#{&&:#{==:#{pane_id},${id}},#{&&:#{==:#{@tool_owner},${owner}},#{==:#{pane_pid},${pid}}}}`;
  return ["if-shell", "-F", "-t", id, still, `kill-pane -t ${id}`];
}

/** The only option of the user's window that we change: title lines, if it has none, as long as every pane in it is the team's. */
function borrowTitles(lead: Pane | undefined, { kind }: Layout): TmuxCommand[] {
  if (lead?.window.titles !== "off" || (kind !== "main-vertical" && kind !== "main-horizontal")) return [];
  return [
    ["set-option", "-w", "-t", lead.id, "@tool_titles", "on"],
    ["set-option", "-w", "-t", lead.id, "pane-border-status", "top"],
  ];
}

/** It was off: so it is unset, and set to off only if the user's default is different. */
function returnTitles(lead: string): TmuxCommand[] {
  const target = `-w -t ${lead}`;
  const off = `if-shell -F -t ${lead} "#{!=:#{pane-border-status},off}" "set-option ${target} pane-border-status off"`;
  return [
    [
      "if-shell",
      "-F",
      "-t",
      lead,
      "#{@tool_titles}",
      `set-option -u ${target} @tool_titles ; set-option -u ${target} pane-border-status ; ${off}`,
    ],
  ];
}
