// Shows a team that runs in tmux: attaches this terminal, or switches the tmux that this terminal is in to the team's pane.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import type { TmuxHandle } from "../../../team/place.ts";
import { helperProgram } from "../../processes/helper-programs.ts";
import { DisplayError } from "../display-error.ts";
import { type Environment, keptEnvironment } from "../kept-environment.ts";
import { callTmux, type TmuxCommand } from "./call.ts";
import { type Survey, survey } from "./panes.ts";

/** `selected`: this terminal is already in that tmux and now shows the pane. `gone`: the pane or its server no longer exists. */
export type Shown = "selected" | "detached" | "ended" | "gone";

/**
 * Attaches this terminal to a private server until the user detaches or the server ends, and then removes the socket. Throws DisplayError
 * if that fails.
 */
export async function attach(socket: string, env: Environment): Promise<"detached" | "ended"> {
  const how = await runClient(socket, env, [["attach-session"]]);
  if (how === "ended") rmSync(socket, { force: true });
  return how;
}

/** Shows a recorded pane, if it is still the same one, until the user detaches or its server ends. Throws DisplayError. */
export async function showPane(handle: TmuxHandle, env: Environment): Promise<Shown> {
  const { socket, pane } = handle;
  const kept = keptEnvironment(env);
  const found = await survey(socket, kept);
  if (!isThere(found, handle)) return "gone";
  const select: TmuxCommand[] = [
    ["select-window", "-t", pane],
    ["select-pane", "-t", pane],
  ];
  if (isInside(handle, env)) {
    await callTmux({ server: ["-S", socket], commands: select, env: kept });
    // The pane may be in another session than the one shown here. tmux refuses if no client is attached, which is fine.
    const own = { ...kept, TMUX: env["TMUX"] ?? "", TMUX_PANE: env["TMUX_PANE"] ?? "" };
    await callTmux({ server: ["-S", socket], commands: [["switch-client", "-t", pane]], env: own });
    return "selected";
  }
  const how = await runClient(socket, env, [...select, ["attach-session", "-t", pane]]);
  if (how === "ended" && found?.isPrivate) rmSync(socket, { force: true });
  return how;
}

/** The pane that this process is in, in its recorded form; undefined outside tmux. Its mark is empty if the pane is the user's own. */
export async function ownPane(env: Environment): Promise<TmuxHandle | undefined> {
  return (await ownPlace(env))?.handle;
}

async function ownPlace(env: Environment): Promise<{ handle: TmuxHandle; isPrivate: boolean } | undefined> {
  const [, socket, inPid] = /^(.*),(\d+),\d+$/.exec(env["TMUX"] ?? "") ?? [];
  const id = env["TMUX_PANE"];
  if (!socket || !id) return undefined;
  const found = await survey(socket, keptEnvironment(env));
  const pane = found?.panes.find((candidate) => candidate.id === id);
  if (!found || !pane || found.server.pid !== Number(inPid)) return undefined;
  const { pid: serverPid, start: serverStart } = found.server;
  const handle: TmuxHandle = { kind: "tmux", socket, serverPid, serverStart, pane: id, panePid: pane.pid, owner: pane.owner };
  return { handle, isPrivate: found.isPrivate };
}

/**
 * Closes the pane that this process is in, and with it this process; does nothing outside tmux. Removes the socket of a private server that
 * ends with it.
 */
export async function closeOwnPane(env: Environment): Promise<void> {
  const own = await ownPlace(env);
  if (!own) return;
  const { socket, pane } = own.handle;
  if (own.isPrivate) removeSocketAtEnd(socket, env);
  await callTmux({ server: ["-S", socket], commands: [["kill-pane", "-t", pane]], env: keptEnvironment(env) });
}

/** Runs a client that waits for a signal that never comes: it ends with the server, which has no hook that runs that late. */
function removeSocketAtEnd(socket: string, env: Environment): void {
  const tmux = helperProgram("tmux", env["PATH"]);
  if (tmux.kind === "missing") return;
  const script = `"$0" -S "$1" wait-for tool-ended; rm -f "$1"`;
  const options = { detached: true, stdio: "ignore", env: keptEnvironment(env) } as const;
  spawn("/bin/sh", ["-c", script, tmux.path, socket], options)
    .on("error", () => {})
    .unref(); // gc removes whatever is left
}

function isThere(found: Survey | undefined, { serverPid, serverStart, pane, panePid }: TmuxHandle): boolean {
  if (found?.server.pid !== serverPid || found.server.start !== serverStart) return false;
  return found.panes.some(({ id, pid }) => id === pane && pid === panePid);
}

function isInside({ serverPid }: TmuxHandle, env: Environment): boolean {
  return env["TMUX_PANE"] !== undefined && env["TMUX"]?.split(",").at(-2) === String(serverPid);
}

async function runClient(socket: string, env: Environment, commands: TmuxCommand[]): Promise<"detached" | "ended"> {
  // Attaching inside another tmux was requested explicitly; tmux allows nesting if TMUX is unset.
  const { TMUX: _tmux, TMUX_PANE: _pane, ...outside } = env;
  const words = commands.flatMap((command, index) => [...(index > 0 ? [";"] : []), ...command]);
  const tmux = helperProgram("tmux", env["PATH"]);
  if (tmux.kind === "missing") throw new DisplayError(`Cannot run tmux to show the team: ${tmux.why}.`);
  const client = spawn(tmux.path, ["-u", "-S", socket, ...words], { stdio: "inherit", env: outside });
  const code = await new Promise<number | null>((resolve, reject) => {
    client.once("error", (error) => reject(new DisplayError(`Cannot run tmux to show the team: ${error.message}.`)));
    client.once("exit", resolve);
  });
  const found = await survey(socket, keptEnvironment(env));
  if (!found || found.panes.length === 0) return "ended"; // a server without panes is about to end
  if (code !== 0) throw new DisplayError(`tmux cannot show the team in this terminal (TERM is ${env["TERM"] || "not set"}).`);
  return "detached";
}
