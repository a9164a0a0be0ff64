// What the Bash tool needs of the place where commands run that nobody waits for.
import type { ShellRun } from "./shell.ts";

export interface Background {
  /** A new one, which its caller starts; `refused` says why there can be none. */
  begin(command: string): BackgroundCommand | { refused: string };
  /** Until the returned function is called, the person may send what runs in the foreground there: `send` does it, or says that it cannot. */
  offer(send: () => boolean): () => void;
}

export type BackgroundCommand = {
  id: string;
  /** The file that takes its output. */
  path: string | undefined;
  /** What was printed before it was there; the agent has that. */
  earlier(bytes: Buffer): void;
  add(bytes: Buffer): void;
  /** Aborting `controller` ends the run. */
  follow(run: Promise<ShellRun>, controller: AbortController): void;
};
