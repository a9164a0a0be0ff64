// A shell that waits for the next command: making a sandbox takes longer than most commands, and starting a shell outside of one half as long
// as everything else between a reply and the next request, so both are done while the model thinks. It is used only in exactly that place.
import { statSync } from "node:fs";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SandboxRun } from "../../agent/ports/sandbox-port.ts";
import { killGroup } from "../processes/end-group.ts";
import { ifPossible } from "../system-error.ts";
import { startWithLifeline } from "./lifeline.ts";
import { hasEnded, type Started, type StartOptions, startShell } from "./shell-process.ts";

/**
 * `began` is false if the waiting shell was ended before it began the script: then no part of the script ran, and another shell may run it.
 */
export type Handed = Started & { began: Promise<boolean> };

export type WaitingShell = {
  /** The process, which runs this script as `bash -c` would; undefined if the script cannot be passed to it. */
  run(script: string): Handed | undefined;
};

/** Where a shell waits: in this sandbox, or outside of any. Equal marks are the same place. */
export type WaitingPlace = Pick<StartOptions, "cwd" | "env"> & { stay?: SandboxRun; mark: string };

export type WaitingShells = {
  /** A shell that waits in exactly this place. One that waits elsewhere is ended. */
  take(place: WaitingPlace): WaitingShell | undefined;
  /** Starts one, unless one is waiting already. */
  prepare(place: WaitingPlace): void;
  close(): void;
};

export const insidePlace = (stay: SandboxRun, { cwd, env }: StartOptions): WaitingPlace => ({ cwd, env, stay, mark: stay.mark });

/** Another folder may come to have the name of the one in which a shell waits. Undefined if there is none. */
export function outsidePlace({ cwd, env }: StartOptions): WaitingPlace | undefined {
  const folder = ifPossible(() => statSync(cwd, { bigint: true }));
  return folder && { cwd, env, mark: JSON.stringify([`${folder.dev}:${folder.ino}`, env]) };
}

/** After this long without a command, it ends; the next command starts a new one. */
const patienceMs = 30_000;

/** Reads up to a zero byte; if we are gone it reads nothing, and ends. Before it begins the script it says so on the same socket. */
const waits = 'IFS= read -r -d "" -u 4 script && printf . >&4 && exec 4<&- && exec "$BASH" -c "$script" bash';

/** execve(2): the limit of one argument (MAX_ARG_STRLEN of Linux). */
const longestScript = 128 * 1024 - 1;

export function waitingShell(): WaitingShells {
  let waiting: { mark: string; started: Handed; deadline: NodeJS.Timeout } | undefined;
  let isClosed = false;
  const dismiss = () => {
    if (!waiting) return;
    clearTimeout(waiting.deadline);
    endNow(waiting.started);
    waiting = undefined;
  };
  return {
    take({ mark }) {
      const found = waiting;
      if (found?.mark !== mark || !isWaiting(found.started)) dismiss();
      if (!waiting) return undefined;
      clearTimeout(waiting.deadline);
      const { started } = waiting;
      waiting = undefined;
      return {
        run(script) {
          if (script.includes("\0") || Buffer.byteLength(script) > longestScript) {
            endNow(started);
            return undefined;
          }
          started.child.ref();
          for (const stream of streamsOf(started)) stream.ref();
          speaker(started).end(`${script}\0`);
          return started;
        },
      };
    },
    prepare({ mark, ...place }) {
      if (isClosed || (waiting?.mark === mark && isWaiting(waiting.started))) return;
      dismiss();
      const options = { ...place, spoken: true };
      const started = place.stay ? startShell(["-c", waits], options) : startWithLifeline(waits, options);
      speaker(started).on("error", () => {});
      // If bubblewrap is killed while it starts, it may leave its child, which ends when the socket closes.
      void started.ended.then(() => speaker(started).destroy());
      started.child.unref();
      for (const stream of streamsOf(started)) stream.unref();
      const began = saysThatItBegins(speaker(started));
      waiting = { mark, started: { ...started, began }, deadline: setTimeout(dismiss, patienceMs).unref() };
    },
    close() {
      isClosed = true;
      dismiss();
    },
  };
}

/**
 * A new shell for this script, which reports when it begins, as a waiting one does: before it reads the script, in which a mistake is the
 * command's own.
 */
export function startSaying(script: string, options: StartOptions): Handed {
  const started = startShell(["-c", script], { ...options, spoken: true, first: "printf . >&4; exec 4<&-; " });
  const socket = speaker(started);
  socket.on("error", () => {}); // it did not start, or ended at once, which is reported elsewhere
  const began = saysThatItBegins(socket);
  socket.end();
  return { ...started, began };
}

function endNow(started: Started): void {
  const { group } = started;
  if (!hasEnded(started)) killGroup(group.outer); // otherwise its process id may be another's by now
}

/** The shell may be gone before bubblewrap, which is its parent, has ended: then its socket is closed. */
const isWaiting = (started: Started) => !hasEnded(started) && !speaker(started).destroyed;

/** The end of the shell closes the socket, which is told once: this must be called when the shell has just been started. */
function saysThatItBegins(socket: Duplex): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("data", () => resolve(true));
    socket.once("close", () => resolve(false));
  });
}

const speaker = ({ child }: Started) => (child.stdio as unknown as Duplex[])[4]!;
const streamsOf = ({ child }: Started) => (child.stdio as unknown as (Socket | null)[]).filter((stream) => stream !== null);
