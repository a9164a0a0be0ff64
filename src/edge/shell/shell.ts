// The real shell under the Bash tool. Not through execa, whose result waits for the pipes, which a server started in the background holds
// forever. Here the pipe is drained after the shell has ended, so that such a server neither blocks us nor dies of a closed pipe.

import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import type { Answer, PutAside, Sandbox, SandboxRun } from "../../agent/ports/sandbox-port.ts";
import type { AgentShell, ShellOptions } from "../../agent/ports/shell-port.ts";
import type { RunPass } from "../../permissions/grants.ts";
import type { ShellEnd, ShellRequest } from "../../tools/shell.ts";
import type { DeniedOnTheWay } from "../../tools/tool.ts";
import { diskErrorWords, errorCode, errorText, faultSentence } from "../../wording/error-text.ts";
import { whyAside } from "../../wording/why-aside.ts";
import { endGroup } from "../processes/end-group.ts";
import { lastOutput } from "../processes/last-output.ts";
import { sweep } from "../processes/sweep.ts";
import { startWithLifeline, withoutLifeline } from "./lifeline.ts";
import { pacedOutput } from "./paced-output.ts";
import { putAsideContent } from "./put-aside-content.ts";
import { hints } from "./sandbox/hint.ts";
import { preamble, withoutPreamble } from "./shell-preamble.ts";
import type { Child, ChildEnd, Started } from "./shell-process.ts";
import { insidePlace, outsidePlace, startSaying, type WaitingShell, waitingShell } from "./waiting-shell.ts";

export function shell(options: ShellOptions): AgentShell {
  let sandbox: Sandbox | undefined;
  let running = 0;
  const waiting = waitingShell();
  const outside = () => ({ ...options, env: { ...options.env, ...sandbox?.outside() } });
  const runOutside = async (request: ShellRequest, where: ShellOptions): Promise<ShellEnd> => {
    const place = outsidePlace(where);
    const end = await runCommand(request, { ...where, ready: () => place && waiting.take(place) });
    return end.kind === "not_begun" ? failed(end.why) : end;
  };
  const getReady = () => {
    try {
      const stay = sandbox?.prepareNext();
      const place = stay ? insidePlace(stay, options) : outsidePlace(outside());
      if (place) waiting.prepare(place);
    } catch {
      // If preparing fails, it is repeated with the next command, which reports the error if it fails again.
    }
  };
  return {
    async run(request) {
      const start = performance.now();
      const begun = await unlessDiskRefuses(async () => {
        sandbox ??= await options.sandbox?.();
        const wasActive = request.inside === true || sandbox?.state().kind === "active";
        return { wasActive, stay: sandbox?.begin(request) };
      });
      const { wasActive, stay } = "refused" in begun ? { wasActive: false, stay: begun } : begun;
      if (stay && "refused" in stay) return { end: failed(stay.refused), ms: 0 };
      if (wasActive && !stay) return { end: failed(notRun(sandbox)), ms: 0 };
      const { watch, hint } = hints(stay ?? { offline: false }, request.command);
      const onOutput = (bytes: Buffer) => {
        watch(bytes);
        request.onOutput(bytes);
      };
      running++;
      const attempt = (run: SandboxRun, uncovered: AbortSignal) =>
        runCommand({ ...request, onOutput }, { ...options, stay: run, ready: () => waiting.take(insidePlace(run, options)), uncovered });
      const {
        end,
        finish = () => [],
        said = () => [],
      }: Inside = stay
        ? await inSandbox(stay, { sandbox: sandbox!, pass: request, attempt })
        : { end: await runOutside(request, outside()) };
      const wall = stay && hint(end);
      if (wall) request.onOutput(Buffer.from(`\n[${wall}]\n`));
      const ms = Math.round(performance.now() - start);
      running--;
      const asides = finish();
      const asked = performance.now();
      const denied: DeniedOnTheWay[] = [];
      const say = (text: string, notice?: string) => {
        request.onOutput(Buffer.from(`\n[${text}]\n`));
        if (notice !== undefined) options.onKept?.(`${text.replace(/\.?$/, ".")}${notice}`);
      };
      for (const sentence of said()) say(sentence, "");
      for (const aside of asides) {
        if (aside.earlier) say(keptEarlier(aside, aside.earlier), isYours);
        const answer = running > 0 ? stillRunning : await answerOn(aside, options, request.signal);
        const verdict = sandbox!.settle(aside, answer);
        if (!verdict.allowed) {
          denied.push({ tool: "Write", subject: aside.path, reason: verdict.reason });
          say(keptAside(aside, verdict.reason), running > 0 || request.signal.aborted ? isYours : undefined);
        }
      }
      const askedMs = Math.round(performance.now() - asked);
      if (wasActive && end.kind !== "failed" && sandbox?.state().kind === "lost") say(lostSandbox(sandbox));
      setImmediate(getReady); // not before the result has been passed on
      return { end, ms, ...(asides.length > 0 && { askedMs }), ...(denied.length > 0 && { denied }) };
    },
    async endAll() {
      waiting.close();
      sandbox?.close(); // at once: a process in a hurry does not wait for the cleanup
      if (options.env["TOOL_OWNER"]) await sweep(options.env["TOOL_OWNER"]);
    },
  };
}

const isYours = " Move it back if it is yours.";

/** What must be written before a command can run. */
async function unlessDiskRefuses<T>(begin: () => Promise<T>): Promise<T | { refused: string }> {
  try {
    return await begin();
  } catch (error) {
    if (diskErrorWords(errorCode(error)) === undefined) throw error;
    return { refused: faultSentence(error, "Nothing was run") };
  }
}

const failed = (reason: string): ShellEnd => ({ kind: "failed", reason });

function lostSandbox(sandbox: Sandbox | undefined): string {
  const state = sandbox?.state();
  return `the sandbox cannot be used any more: ${state && "why" in state ? state.why : "it was closed"}`;
}

/** The command was permitted to run inside the sandbox; without it, permission is a different question. */
const notRun = (sandbox: Sandbox | undefined) =>
  `${lostSandbox(sandbox)}. Nothing was run, and whether a command may run without a sandbox is decided for each one from now on`;

/** If it were moved back, it would be moved away again. */
const stillRunning: Answer = {
  verdict: { allowed: false, reason: "Another command still runs in the background, and may have made it." },
  shown: { lines: [], more: 0 },
};

async function answerOn({ path, kept }: PutAside, { mayStay }: ShellOptions, signal: AbortSignal): Promise<Answer> {
  const shown = putAsideContent(kept);
  const verdict = await mayStay?.(path, { kept, ...shown }, signal);
  return { verdict: verdict ?? { allowed: false, reason: "Nobody can be asked." }, shown };
}

function keptAside({ path, kept }: PutAside, reason: string): string {
  return `${path} was moved to ${kept}: ${whyAside(path, "runs later or sets rights")}, and nobody has allowed it. ${reason}`;
}

const keptEarlier = ({ path }: PutAside, earlier: string[]) =>
  `${path} came up more than once while the command ran, each time with other contents. One of them may be the person's: the earlier ones are kept as ${earlier.join(", ")}`;

/** The command did not begin, because there was no sandbox around it. `error`: of its start. */
type NotBegun = { kind: "not_begun"; why: string; error?: Error };

type Attempts = {
  sandbox: Sandbox;
  pass: RunPass;
  /** `uncovered`: aborts when the command must be ended at once. */
  attempt: (run: SandboxRun, uncovered: AbortSignal) => Promise<ShellEnd | NotBegun>;
};

/** `finish` must be called once. */
type Inside = { end: ShellEnd; finish?: () => PutAside[]; said?: () => string[] };

/** How many times a sandbox is made for one command. */
const mostSandboxes = 4;

/**
 * Files that a sandbox covers may vanish while it is made, such as git's folder for another agent's worktree: then it is made again, as long as
 * it works at all.
 */
async function inSandbox(first: SandboxRun, { sandbox, pass, attempt }: Attempts): Promise<Inside> {
  const asides: PutAside[] = [];
  const without = (reason: string) => ({ end: failed(reason), finish: () => asides });
  let run = first;
  for (let count = 1; ; count++) {
    const end = await attempt(run, run.watch());
    const { finish, said } = run;
    if (end.kind !== "not_begun") return { end, finish: () => [...asides, ...finish()], said };
    asides.push(...finish());
    if (!(await sandbox.stillWorks())) return without(notRun(sandbox));
    if (count === mostSandboxes) return { ...without(`no sandbox could be made for it, so it did not run: ${end.why}`), said };
    const next = sandbox.begin(pass);
    if (!next) return without(notRun(sandbox));
    if ("refused" in next) return without(next.refused);
    run = next;
  }
}

type RunOptions = ShellOptions & { stay?: SandboxRun; ready?: () => WaitingShell | undefined; uncovered?: AbortSignal };

async function runCommand(request: ShellRequest, { ready, uncovered, ...options }: RunOptions): Promise<ShellEnd | NotBegun> {
  const { command, signal, timeoutMs, untimed, onOutput } = request;
  if (signal.aborted) return { kind: "aborted" };
  const script = `${preamble()}${command}`;
  const limit = limitOf({ ...request, uncovered });
  const isUnlimited = () => timeoutMs === undefined || untimed?.aborted === true;
  const watched = { limit: limit.reached, onOutput, isPaced: isUnlimited };
  try {
    const handed = ready?.()?.run(script);
    const end = handed && (await follow(handed, watched));
    if (end && end.kind !== "not_begun") return end;
    // bubblewrap's commands end with this process by themselves.
    const started = options.stay ? startSaying(script, options) : startWithLifeline(script, options);
    const last = await follow(started, watched);
    if (last.kind === "not_begun" && last.error) throw last.error;
    return last;
  } catch (error) {
    const ours = ownFault(error, options.cwd);
    return options.stay && ours === undefined ? { kind: "not_begun", why: errorText(error) } : failed(ours ?? errorText(error));
  } finally {
    limit.forget();
  }
}

type Watched = {
  limit: Promise<keyof typeof graceMs>;
  onOutput: ShellRequest["onOutput"];
  /** Whether it is a background command, whose output is read at a limited rate. */
  isPaced: () => boolean;
};

/** What a shell prints that ends before it begins the command is not the command's output, but says why. */
async function follow(
  started: Started & { began?: Promise<boolean> },
  { limit, onOutput, isPaced }: Watched,
): Promise<ShellEnd | NotBegun> {
  const { child, group, ended, began } = started;
  const output = heldOutput(onOutput);
  const onEarly = (bytes: Buffer) => output.add(withoutPreamble(withoutLifeline(bytes)));
  child.stdout.on("data", output.add);
  child.stderr.on("data", onEarly);
  const stopPacing = pacedOutput(child.stdout, isPaced);
  if (began) void began.then((is) => is && output.pass());
  else output.pass();
  const first = await Promise.race([ended, limit]);
  stopPacing();
  if (typeof first === "string") await endGroup(group, graceMs[first]);
  const isBegun = typeof first === "string" || ((await began) ?? true);
  await lastOutput([child.stdout, child.stderr]);
  child.stdout.off("data", output.add);
  child.stderr.off("data", onEarly);
  letGo(child);
  if (!isBegun && typeof first !== "string") return notBegun(first, output.held());
  output.pass();
  if (first === "uncovered") return { kind: "killed", signal: "SIGKILL" };
  if (typeof first === "string") return { kind: first };
  if (first.kind === "failed") throw first.error;
  return first;
}

function notBegun(end: ChildEnd, output: string): NotBegun {
  if (end.kind === "failed") return { kind: "not_begun", why: errorText(end.error), error: end.error };
  const how = end.kind === "exited" ? `it ended with ${end.code}` : `${end.signal} ended it`;
  return { kind: "not_begun", why: output.trim().split("\n")[0] || how };
}

/** Keeps output until it may be passed on. */
function heldOutput(onOutput: ShellRequest["onOutput"]) {
  let held: Buffer[] | undefined = [];
  return {
    held: () => Buffer.concat(held ?? []).toString(),
    add: (bytes: Buffer) => void (held ? held.push(bytes) : onOutput(bytes)),
    pass() {
      for (const bytes of held ?? []) onOutput(bytes);
      held = undefined;
    },
  };
}

type Limits = Pick<ShellRequest, "timeoutMs" | "untimed" | "signal" | "askedMs"> & { uncovered: AbortSignal | undefined };

/** Reasons to end a command early. */
function limitOf({ timeoutMs, untimed, signal, askedMs = () => 0, uncovered }: Limits) {
  const start = performance.now();
  let forget = () => {};
  const reached = new Promise<keyof typeof graceMs>((resolve) => {
    const look = (limitMs: number) => {
      const leftMs = limitMs + askedMs() - (performance.now() - start);
      if (leftMs <= 0) resolve("timed_out");
      else deadline = setTimeout(look, leftMs, limitMs);
    };
    let deadline = timeoutMs === undefined ? undefined : setTimeout(look, timeoutMs, timeoutMs);
    const noTimeLimit = () => clearTimeout(deadline);
    if (uncovered?.aborted) resolve("uncovered");
    const unheard = [
      onAbort(signal, () => resolve("aborted")),
      onAbort(uncovered, () => resolve("uncovered")),
      onAbort(untimed, noTimeLimit),
    ];
    forget = () => {
      noTimeLimit();
      for (const stop of unheard) stop();
    };
  });
  return { reached, forget };
}

/** Returns a function that takes `act` back. */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  signal?.addEventListener("abort", act, { once: true });
  return () => signal?.removeEventListener("abort", act);
}

/** Why a shell could not be started, if that is no fault of what it was to be started in. */
function ownFault(error: unknown, cwd: string): string | undefined {
  const message = errorText(error);
  if (!existsSync(cwd)) return `the working directory ${cwd} is gone`;
  if (message.includes("E2BIG")) return "it is too long. Write it to a file and run that";
  if (message.includes("null bytes")) return "it has a null byte. Use printf '\\0' where a program is to get one";
  const code = errorCode(error);
  return code === undefined || ofThisProcess.includes(code) ? message : undefined;
}

/** fork(2), pipe(2): it, or the machine, has no room for another process. */
const ofThisProcess = ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"];

/** A command that ran too long may clean up; a user who interrupts does not want to wait. One whose cover is lost gets no time. */
const graceMs = { timed_out: 2000, aborted: 500, uncovered: 0 };

/** Continues to drain the output, without keeping this process alive for it. */
function letGo(child: Child): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("error", () => {}); // nobody is left to be told
    stream.resume();
    (stream as Socket).unref();
  }
}
