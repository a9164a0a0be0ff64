// The state of a tmux server: its identity, and every pane. Read again before each decision, because the user may change it at any time.
import { DisplayError } from "../display-error.ts";
import { callTmux, type TmuxCommand } from "./call.ts";

/** A server's identity: process ids and sockets are reused, and pane ids start again at %0 in a new server. */
export type ServerIdentity = {
  socket: string;
  pid: number;
  /** Seconds since the epoch, as printed by the server. */
  start: string;
};

export type Pane = {
  id: string;
  pid: number;
  /** The program ended and the pane is kept. `status` and `signal` are empty until tmux has collected them. */
  dead: boolean;
  status: string;
  signal: string;
  /** Our mark; empty on other panes. */
  owner: string;
  session: string;
  window: Window;
};

export type Window = {
  id: string;
  columns: number;
  rows: number;
  /** The option `main-pane-width`: columns, or a percentage. */
  mainWidth: string;
  /** The option `pane-border-status`: `off`, `top`, `bottom`. */
  titles: string;
};

export type Survey = {
  server: ServerIdentity;
  version: string;
  /** Started for a team, by server.ts. */
  isPrivate: boolean;
  panes: Pane[];
};

/** Undefined if no server listens on that socket. Throws DisplayError if tmux fails. */
export async function survey(socket: string, env: Record<string, string>): Promise<Survey | undefined> {
  const answer = await callTmux({ server: ["-S", socket], commands: surveyCommands, env });
  if (answer.kind === "no_server") return undefined;
  const read = readSurvey(socket, answer.lines);
  // A server without sessions refuses to list panes, after printing its identity.
  if (!read)
    throw new DisplayError(
      `Cannot list the panes of the tmux server at ${socket}: ${answer.kind === "done" ? "no answer" : answer.reason}.`,
    );
  return read;
}

/** Fields are separated by spaces, which ids, numbers and our mark do not contain. The mark is last, because it may be empty. */
const surveyCommands: TmuxCommand[] = [
  ["display-message", "-p", "#{pid} #{start_time} #{version} #{@tool_server}"],
  [
    "list-panes",
    "-a",
    "-F",
    "#{pane_id} #{pane_pid} #{pane_dead} s#{pane_dead_status} g#{pane_dead_signal} #{session_id} #{window_id} #{window_width} #{window_height} #{main-pane-width} #{pane-border-status} #{@tool_owner}",
  ],
];

function readSurvey(socket: string, [first = "", ...rows]: string[]): Survey | undefined {
  const [pid, start, version, nonce] = first.split(" ");
  if (!pid || !start) return undefined;
  const panes = new Map<string, Pane>();
  // A window linked to several sessions is listed once for each of them.
  for (const pane of rows.map(readPane)) if (!panes.has(pane.id)) panes.set(pane.id, pane);
  return { server: { socket, pid: Number(pid), start }, version: version ?? "", isPrivate: Boolean(nonce), panes: [...panes.values()] };
}

function readPane(row: string): Pane {
  const [
    id = "",
    pid,
    dead,
    status = "s",
    signal = "g",
    session = "",
    window = "",
    columns,
    rows,
    mainWidth = "",
    titles = "",
    owner = "",
  ] = row.split(" ");
  return {
    id,
    pid: Number(pid),
    dead: dead === "1",
    status: status.slice(1),
    signal: signal.slice(1),
    owner,
    session,
    window: { id: window, columns: Number(columns), rows: Number(rows), mainWidth, titles },
  };
}
