// The sandbox on Linux: the arguments of bubblewrap for a view, and the trial that shows whether it works on this machine.
import { type ExecFileException, execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { Mount, SandboxView } from "../../../agent/ports/mounts.ts";
import type { CommandNetwork } from "../../../agent/ports/network-port.ts";
import type { SandboxFinding } from "../../../permissions/policy.ts";
import { helperProgram } from "../../processes/helper-programs.ts";
import { systemCallFilter } from "./seccomp.ts";
import { failureOf, type TrialEnd } from "./trial-failure.ts";

/** `base`: the program and the arguments that every sandbox has. */
export type Bwrap = { kind: "works"; base: string[] } | Exclude<SandboxFinding, { kind: "works" }>;

const trials = new Map<string, Promise<Bwrap>>();

/**
 * A successful trial of a program is remembered, because commands and our own git ask at the same moment. One that failed is for a second: the hook of
 * a commit in the sandbox, where there can be no other, starts git several times.
 */
export async function tryBwrap(): Promise<Bwrap> {
  const bwrap = helperProgram("bwrap");
  if (bwrap.kind === "missing") return bwrap;
  const known = trials.get(bwrap.path);
  if (known) return known;
  const trial = tried(bwrap.path);
  trials.set(bwrap.path, trial);
  const found = await trial;
  if (found.kind !== "works") setTimeout(() => trials.delete(bwrap.path), failureLastsMs).unref();
  return found;
}

const failureLastsMs = 1_000;

/**
 * What has worked, now: alone, and in the network that commands join. Whoever asks after a failure tries for himself, so that our own git does
 * not go on in what there is no more.
 */
export async function tryAgain(base: string[], network: Descriptors["network"]): Promise<SandboxFinding> {
  const found = await tryWith(base);
  if (found.kind !== "works") trials.delete(base[0] ?? "");
  return found.kind === "works" && network ? tryWith(beginning(base, network), []) : found;
}

/** With and without what older versions and some containers do not support. */
async function tried(bwrap: string): Promise<Bwrap> {
  const ways = [[...noNamespaces, ...ground, ...closedMemory], [...noNamespaces, ...ground], ground];
  let found: Bwrap = { kind: "missing", why: "" };
  for (const way of ways) {
    found = await tryWith([bwrap, ...isolation, ...way]);
    if (found.kind !== "missing") break;
  }
  return found;
}

/** Nested ones, of users. */
const noNamespaces = ["--disable-userns"];

async function tryWith(base: string[], network = ["--unshare-net"]): Promise<Bwrap> {
  const echo = helperProgram("echo");
  if (echo.kind === "missing") return echo;
  const input = filter(true);
  const calls = input ? ["--seccomp", "0"] : [];
  const end = await ended([...base, ...network, ...calls, echo.path, sign], input).catch(startFault);
  return failureOf("bwrap", end) ?? (end.stdout === `${sign}\n` ? { kind: "works", base } : { kind: "missing", why: startedNothing });
}

type Trial = TrialEnd & { stdout: string };

/** What is replaced by an empty file is run by a shell, which ends with 0. */
const sign = "inside";
const startedNothing = "bwrap ended without a failure and without starting anything";

/** Each start waits for it, and needs no other helper program: without execa (run.ts) it takes a twentieth less. */
function ended([program = "", ...args]: string[], input: Uint8Array = Buffer.alloc(0)): Promise<Trial> {
  return new Promise((resolve) => {
    const trial = execFile(program, args, { cwd: "/", timeout: 5000, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === "number" ? error.code : null) : 0;
      const found = { code, stdout, stderr, timedOut: error?.killed === true };
      resolve(typeof error?.code === "string" ? startFault(error) : found);
    });
    trial.stdin?.on("error", () => {}); // it ended without reading: its end says why
    trial.stdin?.end(input);
  });
}

/** Most errors of a start come to the callback, and rare ones are thrown, such as that the program is being written. */
function startFault(error: Pick<ExecFileException, "code" | "path" | "message">): Trial {
  const program = error.path ?? "bwrap";
  const failed = existsSync(program) ? `${program} cannot be started: ${error.code ?? error.message}` : `${program} is gone`;
  return { code: null, stdout: "", stderr: "", timedOut: false, failed };
}

const filter = (withoutUnixSockets: boolean) => systemCallFilter({ withoutUnixSockets });

/**
 * bwrap(1). A session of its own and no inherited terminal, so that nothing can be typed into it (TIOCSTI). Even root gets no capabilities,
 * so that no mount can be undone. It ends with us.
 */
// Not --unshare-cgroup: Java fails in a namespace of that kind where the machine has the first version of control groups, which are read-only here.
const isolation = "bwrap --die-with-parent --new-session --unshare-user --unshare-pid --unshare-ipc --unshare-uts --cap-drop ALL"
  .split(" ")
  .slice(1);

/** Kernel settings are mounted read-only explicitly: bwrap leaves /proc/sys writable if it is run by root. */
const ground =
  "--ro-bind / / --dev /dev --proc /proc --ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger".split(
    " ",
  );

/** Of the first process, which would not end with us if a command changed it; seccomp.ts closes the other ways to it. */
const closedMemory = "--ro-bind /dev/null /proc/1/mem --ro-bind /dev/null /proc/1/task/1/mem".split(" ");

/** File descriptors: where bwrap writes the process id of the child, and where it reads a seccomp program. `network`: the one to join. */
export type Descriptors = { info: number; seccomp: number; network?: Pick<CommandNetwork, "enter"> | undefined };

/** The program with its arguments up to the mounts. In the network of a session we are root, so bubblewrap is told who it is outside. */
export function beginning(base: string[], network: Pick<CommandNetwork, "enter"> | undefined): string[] {
  if (!network) return base;
  return [...network.enter, ...base, "--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)];
}

export function bwrapArgs(base: string[], view: SandboxView, { info, seccomp, network: joined }: Descriptors): string[] {
  const mounts = view.mounts.flatMap(mountArgs);
  const sealed = view.mounts.flatMap((mount) =>
    mount.kind === "hidden" && mount.as === "folder" && mount.decoy === undefined ? ["--remount-ro", mount.path] : [],
  );
  const network = view.network || joined ? [] : ["--unshare-net"];
  const calls = filter(view.socketsClosed === true) ? ["--seccomp", String(seccomp)] : [];
  return [
    ...beginning(base, view.network ? undefined : joined),
    ...network,
    ...mounts,
    ...sealed,
    ...calls,
    "--chdir",
    view.cwd,
    "--info-fd",
    String(info),
    "--",
  ];
}

function mountArgs(mount: Mount): string[] {
  switch (mount.kind) {
    case "writable":
      return ["--bind", mount.path, mount.path];
    case "fixed":
      return ["--ro-bind-try", mount.path, mount.path];
    case "hidden":
      if (mount.decoy !== undefined) return ["--ro-bind", mount.decoy, mount.path];
      return mount.as === "file" ? ["--ro-bind", "/dev/null", mount.path] : ["--perms", "0555", "--tmpfs", mount.path];
    case "scratch":
      return mount.from === undefined ? ["--tmpfs", mount.path] : ["--bind", mount.from, mount.path];
  }
}
