// Opens a pane with a placeholder, marks it, and only then starts its program: nothing of ours ever runs unmarked, and `remain-on-exit` is
// set before a program can end. (Set on the pane after the start, it may come too late; set on the window, it affects the user's panes.)
import { DisplayError } from "../display-error.ts";
import { callTmux, literal, type TmuxCommand } from "./call.ts";
import type { ServerIdentity } from "./panes.ts";

export type Filling = {
  pane: string;
  argv: string[];
  cwd: string;
  /** Short and not secret, because it is on a command line for a moment. */
  env: Record<string, string>;
  /** The mark that identifies the pane as ours: without spaces or characters that a tmux format interprets. */
  owner: string;
  label: string;
  /** What happens to the pane if its program fails. After a success it always closes. */
  afterFailure: "keep" | "close";
  /** Run between marking and start, so that the program starts with its final size. */
  before: TmuxCommand[];
};

/** Runs in a pane until the real program starts. It ends by itself if we die in between. */
export const placeholder: TmuxCommand = ["sleep", "10"];

/** Starts `argv` in the pane; resolves with its process id. If tmux refuses, closes the pane and throws DisplayError. */
export async function fillPane(filling: Filling, server: ServerIdentity, env: Record<string, string>): Promise<number> {
  const call = (commands: TmuxCommand[]) => callTmux({ server: ["-S", server.socket], commands, env });
  try {
    const answer = await call(fillCommands(filling));
    const [id, pid] = answer.kind === "done" ? (answer.lines.at(-1) ?? "").split(" ") : [];
    // If the target is gone, tmux may answer for another pane, so its id is compared.
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

/** The text on a pane's border: our label if it has one, which no program in the pane can change. tmux's own first title is the name of the machine. */
export const borderFormat = " #{?#{@tool_label},#{@tool_label},#{?#{==:#{pane_title},#{host}},,#{pane_title}}} ";

/** The label for the border, and tmux's own title, for its lists. */
export function labelCommands(pane: string, text: string): TmuxCommand[] {
  const shown = inert(text);
  return [
    ["set-option", "-p", "-t", pane, "@tool_label", shown],
    ["select-pane", "-t", pane, "-T", shown],
  ];
}

/** `-k` replaces the placeholder. tmux passes a single argument to a shell, so there are always two. */
function respawn({ pane, argv, cwd, env }: Filling): TmuxCommand {
  const flags = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  return ["respawn-pane", "-k", "-t", pane, "-c", literal(cwd), ...flags, ...(argv.length === 1 ? ["/usr/bin/env", ...argv] : argv)];
}

/** One line without tmux styles or formats, control characters, or direction marks. */
function inert(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .slice(0, maxLabel)
    .replaceAll("#", "##");
}

const maxLabel = 200;

/** `atlas:ada`, without characters that a tmux format interprets: the owner of the pane. */
export function mark(owner: string, name: string): string {
  return `${encodeURIComponent(owner)}:${encodeURIComponent(name)}`;
}
