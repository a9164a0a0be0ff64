// Teammates in tmux panes: beside the lead in the user's own tmux, or on a server of the team's own. Nothing is typed into a pane, and no
// state is read off its screen.
import type { Display, DisplayHandle } from "../../../team/display/display.ts";
import { quotedWord } from "../../../wording/shell-word.ts";
import { oneAtATime } from "../../one-at-a-time.ts";
import { ifPossible } from "../../system-error.ts";
import { type Environment, keptEnvironment } from "../kept-environment.ts";
import { type End, lastWords } from "../last-words.ts";
import { requireStart } from "../start-check.ts";
import { callTmux, type TmuxCommand } from "./call.ts";
import { fillPane, labelCommands, mark } from "./fill.ts";
import { detachedHome, insideHome, keyName } from "./home.ts";
import { type Pane, type ServerIdentity, survey } from "./panes.ts";
import { lookAtPrivateServer, type Size, stopPrivateServer } from "./server.ts";

export type TmuxOptions = {
  team: string;
  /** Marks the team's panes on a server that others use too: unique among the teams of this machine, and stable across resumes. */
  owner: string;
  place: TmuxPlace;
  env: Environment;
};

/**
 * `inside`: beside the lead, with its TMUX and TMUX_PANE; on the user's server or on one started by startPrivateServer. `detached`: on a
 * server without a lead's pane, started at the first `open`.
 */
type TmuxPlace = { kind: "inside"; tmux: string; pane: string } | { kind: "detached"; size: Size };

/** tmux is not called before the first `open`. */
export function tmuxDisplay({ team, owner, place, env: everything }: TmuxOptions): Display {
  const env = keptEnvironment(everything);
  const home = place.kind === "inside" ? insideHome({ team, owner, env }, place) : detachedHome({ team, owner, env }, place.size);
  const inTurn = oneAtATime();
  const former = formerServers(env, place);
  const labels = new Map<string, string>();
  const call = (handle: TmuxHandle, commands: TmuxCommand[]) => callTmux({ server: ["-S", handle.socket], commands, env });

  return {
    kind: "tmux",
    async open(request) {
      requireStart(request);
      const marked = { ...request, owner: mark(owner, request.name), label: request.name, afterFailure: "keep" as const };
      // Two at once would both be promised the same free space.
      return inTurn(async () => {
        const { server, pane, before } = await home.newPane(request);
        former.isOwn(server);
        const panePid = await fillPane({ ...marked, pane, before }, server, env);
        labels.set(pane, marked.label);
        return {
          kind: "tmux",
          socket: server.socket,
          serverPid: server.pid,
          serverStart: server.start,
          pane,
          panePid,
          owner: marked.owner,
        };
      });
    },
    takeOver(handle) {
      if (handle.kind !== "tmux") return;
      former.meet(handle);
      home.takeOver?.(serverOf(handle));
    },
    async state(handle) {
      if (handle.kind !== "tmux") return "server_gone";
      former.meet(handle);
      const found = await lookAt(handle, env);
      return typeof found === "string" ? found : "open";
    },
    async lastWords(handle) {
      if (handle.kind !== "tmux") return "";
      const found = await lookAt(handle, env);
      if (typeof found === "string") return "";
      const shown = await call(handle, [["capture-pane", "-p", "-J", "-S", "-200", "-t", handle.pane]]);
      const lines = shown.kind === "done" ? shown.lines : [];
      // tmux adds its own line below the output of a dead program; ours says the same.
      return lastWords(found.dead ? lines.filter((line) => !line.startsWith("Pane is dead")) : lines, endOf(found));
    },
    outlook: () => home.outlook(),
    async wayTo(handle) {
      if (handle.kind !== "tmux" || home.lead === undefined) return undefined;
      const about = (pane: string) => ["display-message", "-p", "-t", pane, "#{window_id} #{window_index} #{prefix}"];
      const asked = await call(handle, [about(home.lead), about(handle.pane)]);
      const [here, there] = asked.kind === "done" ? asked.lines : [];
      return here === undefined || there === undefined ? undefined : wayBetween(here, there);
    },
    async label(handle, text) {
      if (handle.kind !== "tmux") return;
      former.meet(handle);
      if (labels.get(handle.pane) === text) return;
      await call(handle, [whileStill(handle, labelCommands(handle.pane, text))]);
      labels.set(handle.pane, text);
    },
    async close(handle) {
      // A pane without a mark is the user's own, in which a lead runs.
      if (handle.kind !== "tmux" || handle.owner === "") return;
      await call(handle, [whileStill(handle, [["kill-pane", "-t", handle.pane]])]);
    },
    dispose: () =>
      inTurn(async () => {
        await home.dispose();
        await former.dispose();
      }),
  };
}

/**
 * The team's own servers that earlier leads have started. Teammates that outlived their lead are there; a pane kept after a failure would
 * keep the server forever, and a server that ends by itself leaves its socket.
 */
function formerServers(env: Record<string, string>, place: TmuxPlace) {
  const own = new Set<string>();
  const met = new Map<string, ServerIdentity & { owner: string }>();
  const key = ({ socket, pid, start }: ServerIdentity) => `${socket} ${pid} ${start}`;
  const isLeads = ({ socket, pid }: ServerIdentity) => place.kind === "inside" && place.tmux.startsWith(`${socket},${pid},`);
  return {
    isOwn(server: ServerIdentity): void {
      if (!met.has(key(server))) own.add(key(server));
    },
    meet(handle: TmuxHandle): void {
      const server = { ...serverOf(handle), owner: handle.owner };
      if (server.owner !== "") met.set(key(server), server);
    },
    /** Servers in which the user has opened something are left running. */
    async dispose(): Promise<void> {
      for (const server of met.values()) {
        if (own.has(key(server)) || isLeads(server)) continue;
        const state = await lookAtPrivateServer(server, env);
        if (state.kind === "socket" || (state.kind === "runs" && state.others === 0)) await stopPrivateServer(server, env);
      }
    },
  };
}

/** With the user's own prefix key. Windows above 9 have no key, and without a prefix key none has. */
function wayBetween(here: string, there: string): string | undefined {
  const [own] = here.split(" ");
  const [window, index = "", prefix = ""] = there.split(" ");
  if (!window || window === own) return undefined;
  if (prefix === "" || prefix === "None") return `tmux select-window -t :${index}`;
  const key = keyName(prefix);
  return Number(index) <= 9 ? `${key} ${index}` : `${key} ' ${index}`;
}

function serverOf({ socket, serverPid, serverStart }: TmuxHandle): ServerIdentity {
  return { socket, pid: serverPid, start: serverStart };
}

type TmuxHandle = Extract<DisplayHandle, { kind: "tmux" }>;

/** The pane, if it is still the one we opened, on the server where we opened it. */
async function lookAt(handle: TmuxHandle, env: Record<string, string>): Promise<Pane | "gone" | "server_gone"> {
  const found = await find(handle, env);
  if (typeof found === "string" || !found.dead || found.status || found.signal) return found;
  // A tmux with utempter (Debian's) loses SIGCHLD of a child that ends while the helper runs: the pane then stays, without a status, until
  // the next child ends. Sending the signal again makes tmux check; any other process ignores it.
  ifPossible(() => process.kill(handle.serverPid, "SIGCHLD")); // if the server has ended meanwhile, the next look reports it
  return find(handle, env);
}

async function find(handle: TmuxHandle, env: Record<string, string>): Promise<Pane | "gone" | "server_gone"> {
  const found = await survey(handle.socket, env);
  if (found?.server.pid !== handle.serverPid || found.server.start !== handle.serverStart) return "server_gone";
  return found.panes.find(({ id, pid, owner }) => id === handle.pane && pid === handle.panePid && owner === handle.owner) ?? "gone";
}

/** Those commands, if the pane is still the one we opened: checked by tmux, so that nothing can change between the check and the action. */
function whileStill({ serverPid, serverStart, pane, panePid, owner }: TmuxHandle, commands: TmuxCommand[]): TmuxCommand {
  const facts = { pid: serverPid, start_time: serverStart, pane_id: pane, pane_pid: panePid, "@tool_owner": owner };
  const still = Object.entries(facts).reduce((rest, [name, value]) => `#{&&:${rest},#{==:#{${name}},${value}}}`, "1");
  return ["if-shell", "-F", "-t", pane, still, commands.map((command) => command.map(quotedWord).join(" ")).join(" ; ")];
}

function endOf({ dead, status, signal }: Pane): End | undefined {
  if (!dead) return undefined;
  if (signal) return { kind: "signalled", signal: Number(signal) };
  return status ? { kind: "exited", code: Number(status) } : { kind: "unknown" };
}
