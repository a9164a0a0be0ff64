// What a teammate's process is started with, whichever display starts it. A tmux server even keeps it, and gives it to every pane as long as it lives.

export type Environment = Record<string, string | undefined>;

/** What programs need to find themselves and the terminal. Provider keys and everything unknown stay out: the launch file carries the rest. */
export function keptEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && keptNames.test(entry[0]));
  return Object.fromEntries(kept);
}

const keptNames =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TERM|COLORTERM|TMPDIR|TMUX_TMPDIR|TOOL_CONFIG_DIR|TOOL_DISPLAY_MODE|TOOL_EXPERIMENTAL_AGENT_TEAMS)$/;
