// A child process that exchanges lines of text with a batch.

export type LineProcessOrder = {
  argv: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  onLine(line: string): void;
  /** When it aborts, the child's input is closed; later its process group is killed. */
  signal: AbortSignal;
};

export type LineProcess = {
  write(line: string): void;
  /** How it ended, with the last lines of standard error, such as `exit 1: tool: …`. */
  ended: Promise<string>;
};
