// The Bash tool's port for background commands.
import type { ShellRun } from "./shell.ts";

export interface Background {
  /** Creates a command, which the caller then starts; `refused` says why that is not possible. */
  begin(command: string): BackgroundCommand | { refused: string };
  /**
   * Until the returned function is called, the user may send the foreground command to the background: `send` does it, or returns false.
   */
  offer(send: () => boolean): () => void;
}

export type BackgroundCommand = {
  id: string;
  /** The file that receives its output. */
  path: string | undefined;
  /** Output from before it went to the background, which the agent has already. */
  earlier(bytes: Buffer): void;
  add(bytes: Buffer): void;
  /** Aborting `controller` ends the run. */
  follow(run: Promise<ShellRun>, controller: AbortController): void;
};
