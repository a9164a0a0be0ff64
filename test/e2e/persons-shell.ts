// A user's shell: bash in a terminal that a test can read and type into, with `tool` on its PATH.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { onTestFinished } from "vitest";
import { skipWithoutTmux } from "../needs.ts";
import { eventually, quoted } from "../scratch.ts";
import type { Place } from "../team-kit.ts";

export type PersonsShell = {
  /** Types a line and Enter. */
  type(line: string): void;
  /** Presses keys, named as in tmux. */
  press(...keys: string[]): void;
  /** The current screen, without empty lines. */
  screen(): string[];
  /** Resolves with the screen once a line matches. Throws as `eventually` does. */
  sees(pattern: RegExp): Promise<string[]>;
  /** Resolves once no line matches. Throws as `eventually` does. */
  misses(pattern: RegExp): Promise<void>;
};

/** `inTmux`: the shell is inside a tmux of the user's and has its variables. Otherwise its terminal looks like an ordinary one. */
export function personsShell(
  place: Place,
  { inTmux = false, env = {} }: { inTmux?: boolean; env?: Record<string, string> } = {},
): PersonsShell {
  skipWithoutTmux();
  const rc = place.write("rc", `PS1='$ '\n${inTmux ? "" : "unset TMUX TMUX_PANE\n"}`);
  const bash = `bash --noprofile --rcfile ${quoted(rc)} -i`;
  const settings = `set -g prefix C-a\nset -g status off\nset -g escape-time 0\nset -g default-command "${bash}"\n`;
  const config = place.write("person.conf", settings);
  const own = { ...place.env, ...env };
  const tmuxOf = (server: string) => ["-u", "-L", server, "-f", config];
  const tmux = (...command: string[]) => execFileSync("tmux", [...tmuxOf("terminal"), ...command], { env: own, encoding: "utf8" });
  const program = inTmux ? ["env", "-u", "TMUX", "-u", "TMUX_PANE", "tmux", ...tmuxOf("person"), "new-session"] : [];
  tmux("new-session", "-d", "-x", "170", "-y", "50", "-c", place.repository, ...program);
  onTestFinished(() => {
    for (const server of inTmux ? ["terminal", "person"] : ["terminal"]) {
      const whose = ["display-message", "-p", "#{pid} #{socket_path}"];
      const [pid, socket = ""] = execFileSync("tmux", [...tmuxOf(server), ...whose], { env: own, encoding: "utf8" })
        .trim()
        .split(" ");
      process.kill(Number(pid), "SIGKILL");
      rmSync(socket);
    }
  });
  const screen = () =>
    tmux("capture-pane", "-p", "-J")
      .split("\n")
      .filter((line) => line.trim() !== "");
  const shell: PersonsShell = {
    type(line) {
      tmux("send-keys", "-l", line);
      tmux("send-keys", "Enter");
    },
    press: (...keys) => void tmux("send-keys", ...keys),
    screen,
    async sees(pattern) {
      try {
        return await eventually(() => (screen().some((line) => pattern.test(line)) ? screen() : undefined));
      } catch {
        throw new Error(`The screen never had ${pattern}:\n${screen().join("\n")}`);
      }
    },
    async misses(pattern) {
      await eventually(() => !screen().some((line) => pattern.test(line)));
    },
  };
  return shell;
}
