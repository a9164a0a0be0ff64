// One call of the tmux program: argument vectors in, lines out, at most five seconds; its errors become sentences for the user.

import { helperProgram } from "../../processes/helper-programs.ts";
import { run } from "../../processes/run.ts";
import { DisplayError } from "../display-error.ts";

/** One tmux command with its arguments; several commands of one call run back to back. */
export type TmuxCommand = string[];

/** `refused`: tmux answered with an error. `lines`: what it printed before that. */
export type TmuxAnswer =
  | { kind: "done"; lines: string[] }
  | { kind: "no_server"; reason: string }
  | { kind: "refused"; reason: string; lines: string[] };

export type TmuxCall = {
  /** Which server: `["-S", socket]`, or `["-L", name, "-f", file]` to start one. */
  server: string[];
  commands: TmuxCommand[];
  env: Record<string, string>;
};

/**
 * Runs the commands in order up to the first that fails. Throws DisplayError if tmux is missing, hangs, or cannot be reached. Always with
 * `-u`: without a UTF-8 locale tmux replaces many characters by `_`.
 */
export async function callTmux({ server, commands, env }: TmuxCall): Promise<TmuxAnswer> {
  const argv = ["tmux", "-u", ...server, ...commands.flatMap((command, index) => [...(index > 0 ? [";"] : []), ...command.map(escaped)])];
  const bytes = argv.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0);
  if (bytes > maxCommandBytes) {
    throw new DisplayError(
      `Cannot hand ${bytes} bytes to tmux: it takes at most ${maxCommandBytes} in one command. Shorten the arguments.`,
    );
  }
  const result = await run(argv, { env, extendEnv: false, timeoutMs: deadlineMs });
  if (result.timedOut) {
    throw new DisplayError(
      `tmux did not answer "${commands[0]?.[0]}" within ${deadlineMs / 1000} s. Check whether its server (${server[1]}) is stopped or overloaded.`,
    );
  }
  if (result.code === null) throw new DisplayError(`Cannot run tmux: ${result.failed ?? `signal ${result.signal}`}. ${adviceFor(env)}`);
  const lines = result.stdout.split("\n").slice(0, -1);
  if (result.code === 0) return { kind: "done", lines };
  return judge(result.stderr.trim(), lines);
}

/** The version of the tmux on PATH, such as `3.3a`; undefined if there is none. */
export async function tmuxVersion(env: Record<string, string>): Promise<string | undefined> {
  const result = await run(["tmux", "-V"], { env, extendEnv: false, timeoutMs: deadlineMs });
  return result.code === 0 ? result.stdout.trim().replace(/^tmux /, "") : undefined;
}

/** Throws DisplayError for versions before 3.2: `remain-on-exit failed` and `new-session -e` came with it. */
export function requireVersion(version: string | undefined): void {
  if (version === undefined) throw new DisplayError(`Cannot find tmux: no "tmux" on PATH runs. ${installAdvice}`);
  const [major = 0, minor = 0] = (version.match(/\d+/g) ?? []).map(Number);
  if (major > 3 || (major === 3 && minor >= 2)) return;
  throw new DisplayError(
    `tmux ${version} is too old: panes of a team need tmux 3.2. Update tmux (and restart its server), or ${otherDisplay}.`,
  );
}

/**
 * Escapes a path or name that tmux would expand as a format, in which `#(…)` runs a command. tmux does not expand runs of `#` before `[`.
 */
export function literal(text: string): string {
  return text.replace(/#+(\[)?/g, (hashes, bracket) => (bracket ? hashes : hashes + hashes));
}

const deadlineMs = 5000;
/** tmux's own limit is 16,384 including its header. */
const maxCommandBytes = 16_000;
const otherDisplay = "use --display in-process";
const installAdvice = `Install tmux 3.2 or newer, or ${otherDisplay}.`;

/** In a folder that everything is inside of, such as /, an installed tmux is not used. */
function adviceFor(env: Record<string, string>): string {
  const tmux = helperProgram("tmux", env["PATH"]);
  return tmux.kind === "missing" && tmux.passedOver ? `Run this in another folder, or ${otherDisplay}.` : installAdvice;
}

/** An argument that ends in `;` would end the command. */
function escaped(argument: string): string {
  return argument.endsWith(";") ? `${argument.slice(0, -1)}\\;` : argument;
}

function judge(complaint: string, lines: string[]): TmuxAnswer {
  if (/^(no server running|error connecting to .*\((No such file|Connection refused)|server exited|lost server)/.test(complaint)) {
    return { kind: "no_server", reason: complaint };
  }
  for (const [pattern, advice] of unusable) if (pattern.test(complaint)) throw new DisplayError(`Cannot use tmux: ${complaint}. ${advice}`);
  return { kind: "refused", reason: complaint || "it gave no reason", lines };
}

const unusable: [RegExp, string][] = [
  [
    /^(directory .* has unsafe permissions|couldn't create directory|couldn't read directory|.* is not a directory|no suitable socket path|error creating|error connecting)/,
    "Its socket needs a directory of your own with mode 0700 and a short path: correct that directory, or set TMUX_TMPDIR to another.",
  ],
  [
    /^protocol version mismatch/,
    "The running server is of another version than the tmux on PATH: end that server, or put its tmux first on PATH.",
  ],
  [/^access not allowed/, "That server belongs to another user."],
];
