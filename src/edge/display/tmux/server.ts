// A tmux server of the team's own, for terminals outside tmux and for runs without a terminal. The user's own tmux is not affected.
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DisplayError } from "../display-error.ts";
import { type Environment, keptEnvironment } from "../kept-environment.ts";
import { requireStart } from "../start-check.ts";
import { callTmux, literal, requireVersion, tmuxVersion } from "./call.ts";
import { borderFormat, fillPane, mark, placeholder } from "./fill.ts";
import { type ServerIdentity, type Survey, survey } from "./panes.ts";

export type Size = { columns: number; rows: number };

export type PrivateServerRequest = {
  team: string;
  leadArgv: string[];
  /** The same as in tmuxDisplay: the lead's pane carries the team's mark too. */
  owner: string;
  cwd: string;
  size: Size;
  env: Environment;
  /** The team's own servers on which teammates have outlived a lead: the new lead gets a window on the first one that is alive. */
  former?: ServerIdentity[];
};

/**
 * Starts a private server with the lead in its first pane; no client is attached yet. Throws DisplayError. The lead gets only the variables
 * that keptEnvironment keeps of `env`: its launch file contains the rest.
 */
export async function startPrivateServer({ leadArgv, owner, former = [], ...request }: PrivateServerRequest): Promise<ServerIdentity> {
  const { cwd, env } = request;
  requireStart({ name: "lead", argv: leadArgv, cwd });
  const { server, pane } = (await windowOnFormer(former, { owner, cwd, env })) ?? (await startServer({ ...request, window: "lead" }));
  const lead = {
    pane,
    argv: leadArgv,
    cwd,
    env: {},
    owner: mark(owner, "lead"),
    label: "lead",
    afterFailure: "close" as const,
    before: [],
  };
  await fillPane(lead, server, keptEnvironment(env));
  return server;
}

type FormerRequest = Pick<PrivateServerRequest, "owner" | "cwd" | "env">;

/** Undefined if none of them is alive with a pane of the team. */
async function windowOnFormer(former: ServerIdentity[], { owner, cwd, env }: FormerRequest): Promise<FirstPane | undefined> {
  const kept = keptEnvironment(env);
  for (const server of former) {
    const ours = (await privateServer(server, kept))?.panes.find((pane) => !pane.dead && pane.owner.startsWith(mark(owner, "")));
    if (!ours) continue;
    const window = ["new-window", "-t", `${ours.session}:`, "-n", "lead", "-c", literal(cwd), "-P", "-F", "#{pane_id}", ...placeholder];
    const answer = await callTmux({ server: ["-S", server.socket], commands: [window], env: kept });
    if (answer.kind === "done") return { server, pane: answer.lines[0] ?? "" };
  }
  return undefined;
}

/** A team's own server, if it is still the recorded one. */
export async function privateServer(recorded: ServerIdentity, env: Record<string, string>): Promise<Survey | undefined> {
  const found = await survey(recorded.socket, env);
  return found && isStill(found, recorded) ? found : undefined;
}

function isStill({ isPrivate, server }: Survey, { pid, start }: ServerIdentity): boolean {
  return isPrivate && server.pid === pid && server.start === start;
}

/**
 * The state of a recorded private server: `none`, also if another server has its name now; `socket`: it has ended and left its socket;
 * `runs`: with the number of living panes that do not have this team's mark.
 */
export async function lookAtPrivateServer(recorded: ServerIdentity & { owner: string }, env: Environment): Promise<PrivateServerState> {
  const found = await survey(recorded.socket, keptEnvironment(env));
  if (!found) return basename(recorded.socket).startsWith("tool-") && existsSync(recorded.socket) ? { kind: "socket" } : { kind: "none" };
  if (!isStill(found, recorded)) return { kind: "none" };
  const team = recorded.owner.slice(0, recorded.owner.lastIndexOf(":") + 1);
  return { kind: "runs", others: found.panes.filter(({ dead, owner }) => !dead && !owner.startsWith(team)).length };
}

export type PrivateServerState = { kind: "none" } | { kind: "socket" } | { kind: "runs"; others: number };

/** Ends a private server if it is still the recorded one, and removes its socket. */
export async function stopPrivateServer(server: ServerIdentity, env: Environment): Promise<void> {
  const kept = keptEnvironment(env);
  const found = await survey(server.socket, kept);
  if (found && (found.server.pid !== server.pid || found.server.start !== server.start)) return;
  if (found) await callTmux({ server: ["-S", server.socket], commands: [["kill-server"]], env: kept });
  rmSync(server.socket, { force: true });
}

/** Starts a server with a placeholder in its first pane. A server that already has the name is never shared: the next name is tried. */
export async function startServer(request: FirstPaneRequest): Promise<FirstPane> {
  requireVersion(await tmuxVersion(keptEnvironment(request.env)));
  const session = request.team.replace(/[^\p{L}\p{N}_-]/gu, "-");
  for (let attempt = 1; attempt <= mostServersOfOneName; attempt++) {
    const started = await newServer({ ...request, session, name: attempt === 1 ? `tool-${session}` : `tool-${session}-${attempt}` });
    if (started) return started;
  }
  throw new DisplayError(`Cannot start a tmux server for the team: ${mostServersOfOneName} of the name tool-${session} run already.`);
}

export type FirstPaneRequest = Omit<PrivateServerRequest, "leadArgv" | "owner" | "former"> & { window: string };
export type FirstPane = { server: ServerIdentity; pane: string };
type NewServer = FirstPaneRequest & { name: string; session: string };

const mostServersOfOneName = 9;

/** Undefined if another server has that name. */
async function newServer({ name, session, window, cwd, size, env }: NewServer): Promise<FirstPane | undefined> {
  const kept = keptEnvironment(env);
  const nonce = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), "tool-tmux-"));
  try {
    const config = join(folder, "tmux.conf");
    writeFileSync(config, configuration(size, nonce), { mode: 0o600 });
    const where = ["-x", String(size.columns), "-y", String(size.rows), "-c", literal(cwd)];
    const command = ["new-session", "-d", "-s", session, "-n", literal(window), ...where, "-P", "-F", firstPaneFormat, ...placeholder];
    const answer = await callTmux({ server: ["-L", name, "-f", config], commands: [command], env: kept });
    if (answer.kind !== "done") {
      if (answer.reason.startsWith("duplicate session")) return undefined;
      throw new DisplayError(`Cannot start a tmux server for the team: ${answer.reason}.`);
    }
    const [pid = "", start = "", sessionId = "", pane = "", seen, ...socket] = (answer.lines[0] ?? "").split(" ");
    const server = { socket: socket.join(" "), pid: Number(pid), start };
    if (seen === nonce) return { server, pane };
    await callTmux({ server: ["-S", server.socket], commands: [["kill-session", "-t", sessionId]], env: kept });
    return undefined;
  } finally {
    // The server has read its configuration once, at its start.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only a server that has read our configuration knows the nonce. */
const firstPaneFormat = "#{pid} #{start_time} #{session_id} #{pane_id} #{@tool_server} #{socket_path}";

/** In front of them stands the list of windows, which they must not cover: what is least needed goes first where there are fewer columns. */
const keyHints = [
  "Ctrl-B, then  ",
  "#{?#{!=:#{session_windows},1},n: next window   ,}",
  "#{?#{&&:#{!=:#{session_windows},1},#{e|<:#{client_width},100}},,arrow: other pane   }",
  "#{?#{e|<:#{client_width},100},,z: zoom   }",
  "d: leave#{?#{e|<:#{client_width},120},,#, the team goes on}",
].join("");

/** Minimal, so that tmux's default prefix and key bindings stay. */
function configuration(size: Size, nonce: string): string {
  // Half for the lead, as long as the teammates beside it get 80 columns.
  const leadColumns = Math.max(80, Math.min(Math.floor(size.columns / 2), size.columns - 81));
  return `# The tmux server of one team. It ends with its last pane.
set -g @tool_server "${nonce}"
set -s exit-empty on
set -g destroy-unattached off
set -g remain-on-exit off
set -s escape-time 10
set -s extended-keys on
set -g focus-events on
set -g default-terminal "screen-256color"
set -as terminal-features ",*:RGB"
set -g mouse on
set -g history-limit 50000
set -g main-pane-width ${leadColumns}
set -g pane-border-status top
set -g pane-border-format "${borderFormat}"
set -g pane-border-style "fg=colour240"
set -g pane-active-border-style "fg=default"
set -g status-style "fg=colour244,bg=default"
set -g status-left ""
set -g status-right "${keyHints}"
set -g status-right-length 100
set -g window-status-format " #I #W "
set -g window-status-current-format " #I #W "
set -g window-status-current-style "fg=default"
`;
}
