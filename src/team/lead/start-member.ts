// Starts a teammate's process in a place of the display, and waits until it says that it runs.
import type { Clock } from "../../agent/ports/clock.ts";
import { type Display, type DisplayHandle, isDisplayError } from "../display/display.ts";
import type { MemberExit, MemberStatus } from "../report/status.ts";
import type { MemberFiles } from "./supervisor.ts";

export type Failed = { ok: false; reason: string; cause?: MemberExit["cause"] };

/** `nonce`: what tells this process from a former one of that name. */
export type StartedProcess = { handle: DisplayHandle; nonce: string; process: { pid: number; start: string } };

type StarterSetup = {
  display: Display;
  files: MemberFiles;
  clock: Clock;
  ownerOf: (name: string) => string;
  nonce: () => string;
  launcher: (launchPath: string) => string[];
  cwd: string;
};

const readyMs = 10_000;

/** Resolves once it runs; the reason says what the check saw otherwise. */
export function memberStarter(setup: StarterSetup): (name: string) => Promise<{ ok: true; process: StartedProcess } | Failed> {
  const { display, files } = setup;
  return async (name) => {
    const nonce = setup.nonce();
    try {
      const prepared = await files.prepare(name, nonce);
      if (!prepared.ok) return prepared;
      const argv = setup.launcher(prepared.path);
      const handle = await display.open({ name, argv, cwd: setup.cwd, env: { TOOL_OWNER: setup.ownerOf(name) } });
      const recorded = await files.recordPlace(name, handle);
      if (!recorded.ok) {
        await unlessRefused(display.close(handle), undefined); // a pane that is not recorded would never be closed
        return recorded;
      }
      const status = await ready({ name, nonce, handle }, setup);
      if (!status) return await failedStart({ name, nonce, handle }, setup);
      return { ok: true, process: { handle, nonce, process: { pid: status.pid, start: status.start } } };
    } catch (error) {
      if (isDisplayError(error)) return { ok: false, reason: error.message };
      throw error;
    } finally {
      files.discard(name);
    }
  };
}

type Begun = { name: string; nonce: string; handle: DisplayHandle };

/** Its status with our nonce, or undefined when it died or did not answer in time. */
async function ready({ name, nonce, handle }: Begun, { display, files, clock }: StarterSetup): Promise<MemberStatus | undefined> {
  const deadline = clock.monotonicMs() + readyMs;
  for (let look = 1; clock.monotonicMs() < deadline; look++) {
    const status = files.status(name);
    if (status?.nonce === nonce) return status;
    if (files.exit(name)?.nonce === nonce) return undefined;
    if (look % 20 === 0 && (await display.state(handle)) !== "open") return undefined;
    await clock.sleep(10);
  }
  return undefined;
}

async function failedStart({ name, nonce, handle }: Begun, { display, files }: StarterSetup): Promise<Failed> {
  const exit = files.exit(name);
  const said = exit?.detail;
  const words = (await unlessRefused(display.lastWords(handle), "")).trim();
  await unlessRefused(display.close(handle), undefined);
  const saw = said ?? (words ? `its last lines were:\n${words}` : `its process did not report within ${readyMs / 1000} s`);
  return { ok: false, reason: `${name} did not start: ${saw}`, cause: exit?.nonce === nonce ? exit.cause : undefined };
}

/** A display that does not answer counts as lost, but its member is still watched. */
export async function unlessRefused<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (isDisplayError(error)) return otherwise;
    throw error;
  }
}
