// The Bash tool's port for background commands.
import type { ShellRun } from "./shell.ts";

export interface Background {
  /** Creates a command, which the caller then starts unless it did so before, at `startedAt`; `refused` says why that is not possible. */
  begin(command: string, startedAt?: Date): BackgroundCommand | { refused: string };
  /**
   * Until the returned function is called, the user may send the foreground command to the background: `send` does it, or returns false. It gets
   * the time of the offer.
   */
  offer(send: (offeredAt: Date) => boolean): () => void;
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
