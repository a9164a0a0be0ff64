// The environment in which every display starts a teammate. A tmux server keeps it and passes it to every pane as long as it lives.

export type Environment = Record<string, string | undefined>;

/**
 * Variables that programs need to find themselves and the terminal. Provider keys and unknown variables are left out: the launch file
 * carries the rest.
 */
export function keptEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && keptNames.test(entry[0]));
  return Object.fromEntries(kept);
}

const keptNames =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TERM|COLORTERM|TMPDIR|TMUX_TMPDIR|TOOL_CONFIG_DIR|TOOL_DISPLAY_MODE|TOOL_EXPERIMENTAL_AGENT_TEAMS)$/;
