// A person at a terminal who starts a team, inside a tmux of their own or without one. What they type goes through the terminal, and what
// they see is read from it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Place, tool } from "../team-kit.ts";
import { personsTmux } from "./persons-tmux.ts";

export type Attended = {
  /** The current text of the terminal. */
  screen(): string;
  /** Types a line and Enter. */
  type(line: string): void;
  /** Presses keys, named as in tmux. */
  press(...keys: string[]): void;
  /** Every pane of the server that shows the team: its id, its agent, its size. */
  panes(): { id: string; agent: string; columns: number; rows: number }[];
  /** Runs a tmux command on that server. */
  tmux(...command: string[]): string;
  /** The program's exit code; undefined while it runs. */
  code(): number | undefined;
};

export type Seat = { tmux: "inside" | "outside"; team: string; columns?: number; rows?: number; env?: Record<string, string> };

/** Starts `tool` with these arguments from the shell of that terminal. */
export async function attend(place: Place, args: string[], { tmux, team, columns = 200, rows = 50, env = {} }: Seat): Promise<Attended> {
  const person = await personsTmux({ columns, rows });
  onTestFinished(async () => {
    const left = await person.end();
    if (left.length > 0) throw new Error(`This was left behind in the person's tmux:\n${left.join("\n")}`);
  });
  const variables = Object.entries({ ...place.env, ...env }).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const outside = tmux === "outside" ? ["env", "-u", "TMUX", "-u", "TMUX_PANE"] : [];
  const shell = ["/bin/sh", "-c", '"$@"; echo "ended with $?"; exec sleep 1000', "sh", ...outside, ...tool, ...args];
  const [server, pane] = tmux === "inside" ? ["person", person.pane] : ["terminal", "%0"];
  person.tmuxOf(server, "respawn-pane", "-k", "-t", pane, "-c", place.repository, ...variables, ...shell);

  const screen = () => person.screen().join("\n").trimEnd();
  const own = join(place.env["TMUX_TMPDIR"]!, `tmux-${process.getuid?.()}`, `tool-${team}`);
  const teams = (...command: string[]) =>
    tmux === "inside"
      ? person.tmux(...command)
      : execFileSync("tmux", ["-S", own, ...command], { encoding: "utf8", stdio: "pipe" }).trimEnd();
  return {
    screen,
    type(line) {
      person.tmuxOf("terminal", "send-keys", "-l", line);
      person.tmuxOf("terminal", "send-keys", "Enter");
    },
    press: (...keys) => void person.tmuxOf("terminal", "send-keys", ...keys),
    panes: () =>
      teams("list-panes", "-a", "-F", "#{pane_id} #{pane_width} #{pane_height} #{@tool_owner}")
        .split("\n")
        .map((line) => {
          const [id = "", width, height, owner = ""] = line.split(" ");
          return { id, agent: owner.split(":").at(-1) ?? "", columns: Number(width), rows: Number(height) };
        }),
    tmux: teams,
    code: () => {
      const [, code] = /^ended with (\d+)$/m.exec(screen()) ?? [];
      return code === undefined ? undefined : Number(code);
    },
  };
}
