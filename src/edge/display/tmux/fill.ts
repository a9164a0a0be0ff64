// A pane is opened empty, marked, and only then given its program: nothing of ours ever runs unmarked, and a program that ends
// at once finds `remain-on-exit` in place. (Set on the pane after a start it comes too late; set on the window it touches the person's panes.)
import { DisplayError } from "../display-error.ts";
import { callTmux, literal, type TmuxCommand } from "./call.ts";
import type { ServerIdentity } from "./panes.ts";

export type Filling = {
  pane: string;
  argv: string[];
  cwd: string;
  /** Short and not secret: it is on a command line for a moment. */
  env: Record<string, string>;
  /** The mark by which the pane is known to be ours: no spaces, nothing that a tmux format would read. */
  owner: string;
  label: string;
  /** What becomes of the pane when its program fails. A success closes it in any case. */
  afterFailure: "keep" | "close";
  /** Done between the marking and the start, so that the program starts in its final size. */
  before: TmuxCommand[];
};

/** What stands in a pane until it is filled. It ends by itself when we die in between. */
export const placeholder: TmuxCommand = ["sleep", "10"];

/** Starts `argv` in the pane; resolves with its pid. Throws DisplayError, and the pane is closed, when tmux refuses. */
export async function fillPane(filling: Filling, server: ServerIdentity, env: Record<string, string>): Promise<number> {
  const call = (commands: TmuxCommand[]) => callTmux({ server: ["-S", server.socket], commands, env });
  try {
    const answer = await call(fillCommands(filling));
    const [id, pid] = answer.kind === "done" ? (answer.lines.at(-1) ?? "").split(" ") : [];
    // A target that is gone may be answered for by another pane, so its id is compared.
    if (id === filling.pane) return Number(pid);
    const reason = answer.kind === "done" ? "it was closed meanwhile" : answer.reason;
    throw new DisplayError(`Cannot start a program in tmux pane ${filling.pane}: ${reason}.`);
  } catch (error) {
    await call([["kill-pane", "-t", filling.pane]]);
    throw error;
  }
}

function fillCommands(filling: Filling): TmuxCommand[] {
  const { pane, owner, label, afterFailure, before } = filling;
  const set = (option: string, value: string): TmuxCommand => ["set-option", "-p", "-t", pane, option, value];
  return [
    set("remain-on-exit", afterFailure === "keep" ? "failed" : "off"),
    set("@tool_owner", owner),
    ...labelCommands(pane, label),
    ...before,
    respawn(filling),
    ["display-message", "-p", "-t", pane, "#{pane_id} #{pane_pid}"],
  ];
}

/** What a border shows of a pane: our label where it has one, which no program in the pane can change. */
export const borderFormat = " #{?#{@tool_label},#{@tool_label},#{pane_title}} ";

/** The label for the border, and tmux's own title, for its lists. */
export function labelCommands(pane: string, text: string): TmuxCommand[] {
  const shown = inert(text);
  return [
    ["set-option", "-p", "-t", pane, "@tool_label", shown],
    ["select-pane", "-t", pane, "-T", shown],
  ];
}

/** With `-k` for the placeholder. One argument alone would be a line for a shell, so it is given a second. */
function respawn({ pane, argv, cwd, env }: Filling): TmuxCommand {
  const flags = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  return ["respawn-pane", "-k", "-t", pane, "-c", literal(cwd), ...flags, ...(argv.length === 1 ? ["/usr/bin/env", ...argv] : argv)];
}

/** One line in which tmux finds neither styles nor formats, and a terminal no control or direction characters. */
function inert(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .slice(0, maxLabel)
    .replaceAll("#", "##");
}

const maxLabel = 200;

/** `atlas:ada`, without anything that a tmux format would read: whose pane it is. */
export function mark(owner: string, name: string): string {
  return `${encodeURIComponent(owner)}:${encodeURIComponent(name)}`;
}
