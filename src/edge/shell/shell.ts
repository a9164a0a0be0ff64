// The real shell under the Bash tool. Not through execa, whose result waits for the pipes, which a server started in the background holds
// forever. Here the pipe is drained after the shell has ended, so that such a server neither blocks us nor dies of a closed pipe.

import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import type { Answer, PutAside, Sandbox, SandboxRun } from "../../agent/ports/sandbox-port.ts";
import type { AgentShell, ShellOptions } from "../../agent/ports/shell-port.ts";
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
import { type Child, type Started, startShell } from "./shell-process.ts";
import { insidePlace, outsidePlace, startSaying, type WaitingShell, waitingShell, withoutSaying } from "./waiting-shell.ts";

export function shell(options: ShellOptions): AgentShell {
  let sandbox: Sandbox | undefined;
  let running = 0;
  const waiting = waitingShell();
  const outside = () => ({ ...options, env: { ...options.env, ...sandbox?.outside() } });
  const runOutside = (request: ShellRequest, where: ShellOptions) => {
    const place = outsidePlace(where);
    return runCommand(request, { ...where, ready: () => place && waiting.take(place) });
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
        return { wasActive: sandbox?.state().kind === "active", stay: sandbox?.begin(request) };
      });
      const { wasActive, stay } = "refused" in begun ? { wasActive: false, stay: begun } : begun;
      if (stay && "refused" in stay) return { end: { kind: "failed", reason: stay.refused }, ms: 0 };
      if (wasActive && !stay) return { end: { kind: "failed", reason: lostSandbox(sandbox) }, ms: 0 };
      const { watch, hint } = hints(stay ?? { offline: false });
      const onOutput = (bytes: Buffer) => {
        watch(bytes);
        request.onOutput(bytes);
      };
      running++;
      const inside = (run: SandboxRun, { isLast, uncovered }: Attempt) =>
        runCommand(
          { ...request, onOutput },
          { ...options, stay: run, ready: () => waiting.take(insidePlace(run, options)), isLast, uncovered },
        );
      const {
        end = { kind: "failed", reason: lostSandbox(sandbox) } as const,
        finish = () => [],
        said = () => [],
      } = stay
        ? await inSandbox(stay, { again: () => sandbox?.begin(request), attempt: inside })
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
      if (wasActive && sandbox?.state().kind === "lost") request.onOutput(Buffer.from(`\n[${lostSandbox(sandbox)}]\n`));
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

/** The command was permitted to run inside the sandbox; without it, permission is a different question. */
function lostSandbox(sandbox: Sandbox | undefined): string {
  const state = sandbox?.state();
  return `the sandbox cannot be used any more: ${state && "why" in state ? state.why : "it was closed"}. From now on a person is asked for each command`;
}

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

type Attempts = {
  /** A sandbox for the current tree; undefined if none can be made any more. */
  again: () => ReturnType<Sandbox["begin"]>;
  /** Undefined if the sandbox could not be made, and so the command did not begin. The last attempt always has an end. */
  attempt: (run: SandboxRun, how: Attempt) => Promise<ShellEnd | undefined>;
};

/** `uncovered`: aborts when the command must be ended at once. */
type Attempt = { isLast: boolean; uncovered: AbortSignal };

/** How many times a sandbox is made for one command. */
const mostSandboxes = 4;

/**
 * Files that a sandbox covers may vanish while it is made, such as git's folder for another agent's worktree: then it is made again. `end`
 * is undefined if none can be made any more. `finish` must be called once.
 */
async function inSandbox(
  first: SandboxRun,
  { again, attempt }: Attempts,
): Promise<{ end?: ShellEnd | undefined; finish: () => PutAside[]; said?: () => string[] }> {
  const asides: PutAside[] = [];
  let run = first;
  for (let count = 1; ; count++) {
    const end = await attempt(run, { isLast: count === mostSandboxes, uncovered: run.watch() });
    const { finish, said } = run;
    if (end) return { end, finish: () => [...asides, ...finish()], said };
    asides.push(...finish());
    const next = again();
    if (next && "refused" in next) return { end: { kind: "failed", reason: next.refused }, finish: () => asides };
    if (!next) return { finish: () => asides };
    run = next;
  }
}

type RunOptions = ShellOptions & {
  stay?: SandboxRun;
  ready?: () => WaitingShell | undefined;
  /** False: the result is undefined if the sandbox cannot be made, because there is another attempt. */
  isLast?: boolean;
  uncovered?: AbortSignal;
};

async function runCommand(
  request: ShellRequest,
  { ready, isLast = true, uncovered, ...options }: RunOptions,
): Promise<ShellEnd | undefined> {
  const { command, signal, timeoutMs, untimed, onOutput } = request;
  if (signal.aborted) return { kind: "aborted" };
  const script = `${preamble()}${command}`;
  const limit = limitOf({ ...request, uncovered });
  const isUnlimited = () => timeoutMs === undefined || untimed?.aborted === true;
  const watched = { limit: limit.reached, onOutput, isPaced: isUnlimited };
  try {
    const handed = ready?.()?.run(script);
    const end = handed && (await follow(handed, watched));
    if (end) return end;
    // bubblewrap's commands end with this process by themselves.
    const start = () => (options.stay ? startShell(["-c", script], options) : startWithLifeline(script, options));
    return await (isLast ? follow(start(), watched) : follow(startSaying(script, options), { ...watched, isVoid: saysNoSandbox }));
  } catch (error) {
    return { kind: "failed", reason: startFault(error, options.cwd) };
  } finally {
    limit.forget();
  }
}

/** bwrap(1) prefixes its own messages with its name, and exits with 1. */
const saysNoSandbox = (output: string) => output.startsWith("bwrap: ");

type Watched = {
  limit: Promise<keyof typeof graceMs>;
  onOutput: ShellRequest["onOutput"];
  /** Whether it is a background command, whose output is read at a limited rate. */
  isPaced: () => boolean;
  /** Judges the output of a shell that ended before it began the command: whether the attempt is void, as with a waiting shell. */
  isVoid?: (output: string) => boolean;
};

/** Undefined if the shell ended before it began the command, and its output is void. */
async function follow(
  started: Started & { began?: Promise<boolean> },
  { limit, onOutput, isPaced, isVoid = () => true }: Watched,
): Promise<ShellEnd | undefined> {
  const { child, group, ended, began } = started;
  const output = heldOutput(onOutput);
  const onEarly = (bytes: Buffer) => output.add(withoutPreamble(withoutSaying(withoutLifeline(bytes))));
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
  if (!isBegun && isVoid(output.held())) return undefined;
  output.pass();
  if (first === "uncovered") return { kind: "killed", signal: "SIGKILL" };
  if (typeof first === "string") return { kind: first };
  if (first.kind === "failed") throw first.error;
  return first;
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

function startFault(error: unknown, cwd: string): string {
  const message = errorText(error);
  if (!existsSync(cwd)) return `the working directory ${cwd} is gone`;
  if (message.includes("E2BIG")) return "it is too long. Write it to a file and run that";
  if (message.includes("null bytes")) return "it has a null byte. Use printf '\\0' where a program is to get one";
  return message;
}

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
