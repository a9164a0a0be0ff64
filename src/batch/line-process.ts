// A child process with which a batch talks in lines.

export type LineProcessOrder = {
  argv: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  onLine(line: string): void;
  /** Its input ends, and after a while so does its group. */
  signal: AbortSignal;
};

export type LineProcess = {
  write(line: string): void;
  /** How it ended, and the last lines of what it said on standard error: `exit 1: tool: …`. */
  ended: Promise<string>;
};
