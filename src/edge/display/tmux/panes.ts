// What a tmux server has just now: who it is, and every pane it shows. Read afresh before each decision, since a person may change all of it at any time.
import { DisplayError } from "../display-error.ts";
import { callTmux, type TmuxCommand } from "./call.ts";

/** A server by its own word: pids and sockets are reused, pane ids start again at %0 in a new server. */
export type ServerIdentity = {
  socket: string;
  pid: number;
  /** Seconds since the epoch, as the server prints it. */
  start: string;
};

export type Pane = {
  id: string;
  pid: number;
  /** The program ended and the pane is kept. `status` and `signal` are empty as long as tmux has not collected them. */
  dead: boolean;
  status: string;
  signal: string;
  /** Our mark; empty on panes that are not ours. */
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
  /** It was started for a team, by tmux-server.ts. */
  isPrivate: boolean;
  panes: Pane[];
};

/** Undefined when no server listens on that socket. Throws DisplayError when tmux cannot be asked. */
export async function survey(socket: string, env: Record<string, string>): Promise<Survey | undefined> {
  const answer = await callTmux({ server: ["-S", socket], commands: surveyCommands, env });
  if (answer.kind === "no_server") return undefined;
  const read = readSurvey(socket, answer.lines);
  // A server that has no session left refuses to list panes, after it has said who it is.
  if (!read)
    throw new DisplayError(
      `Cannot list the panes of the tmux server at ${socket}: ${answer.kind === "done" ? "no answer" : answer.reason}.`,
    );
  return read;
}

/** Fields are separated by spaces: ids, numbers and our own mark have none. The mark comes last, since it may be empty. */
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
  // A window linked to several sessions is listed with each of them.
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
