// A user's machine in a folder: a home with keys, a repository that an agent works in, files outside, and listening sockets.

import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join, relative, resolve } from "node:path";
import { hiddenOutside } from "../../src/agent/hidden-outside.ts";
import { sandboxView } from "../../src/agent/ports/mounts.ts";
import type { Sandbox, SandboxRules } from "../../src/agent/ports/sandbox-port.ts";
import { stateAfterTrial } from "../../src/agent/ports/sandbox-state.ts";
import type { AgentShell, MayStay } from "../../src/agent/ports/shell-port.ts";
import { isChanging, secretPlaces } from "../../src/agent/workspace/secret-places.ts";
import { ownFolders } from "../../src/edge/git/repository/own-folders.ts";
import type { LinkMemory } from "../../src/edge/shell/sandbox/links/link-memory.ts";
import { openSandbox } from "../../src/edge/shell/sandbox/sandbox.ts";
import { trySandbox } from "../../src/edge/shell/sandbox/trial.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { ifPossible } from "../../src/edge/system-error.ts";
import type { LeftBehind } from "../../src/permissions/call.ts";
import type { RunPass } from "../../src/permissions/grants.ts";
import type { Policy } from "../../src/permissions/policy.ts";
import { hidesByName, pathClasses } from "../../src/permissions/sandbox/sandbox-view.ts";
import { commandEnvironment } from "../../src/secrets/environment.ts";
import type { ShellEnd } from "../../src/tools/shell.ts";
import type { DeniedOnTheWay } from "../../src/tools/tool.ts";
import { policyFor } from "../tools/agent.ts";
import { type Tree, tree } from "../tools/tree.ts";

export type Ran = { end: ShellEnd; output: string; denied?: DeniedOnTheWay[] };

export type EscapeWorld = {
  tree: Tree;
  policy: Policy;
  sandbox: Sandbox;
  /** Text that occurs in no place that a command may read. */
  canary: string;
  run(command: string, request?: Request): Promise<Ran>;
  /** Every file outside the working directory and every protected one in it, with content, mode and owner. */
  snapshot(): string[];
  /** How many connections came from inside. */
  connections(): number;
  close(): Promise<void>;
};

export type WorldOptions = {
  network?: boolean;
  enabled?: boolean;
  shared?: string[];
  socketsClosed?: boolean;
  namedSockets?: string[];
  deny?: string[];
  /** Whether rules hide names in installed packages, so that these are searched; by default as the rules say. */
  packages?: boolean;
  /** Where it is made: in /tmp by default, which a sandbox does not show. */
  folder?: string;
  mayStay?: (path: string, left: LeftBehind) => Promise<boolean>;
  /** Settings, as the person writes their paths. */
  settings?: string[];
  /** Of the sandboxes of one process; by default of this one alone. */
  memory?: LinkMemory | undefined;
  repository?: { branch: string };
  onOpen?: (paths: string[]) => void;
  /** What classifies names, around what does so by the rules. */
  classifying?: (byRules: SandboxRules["classOf"]) => SandboxRules["classOf"];
};

export async function escapeWorld(options: WorldOptions = {}): Promise<EscapeWorld> {
  const canary = `CANARY-${Math.random().toString(36).slice(2)}`;
  const inHome = ["id_ed25519", "credentials"].map((name) => [name === "credentials" ? `.aws/${name}` : `.ssh/${name}`, canary]);
  const home = Object.fromEntries([
    ...inHome,
    [".netrc", canary],
    [".bash_history", canary],
    [".tool/settings.json", canary],
    [".bashrc", "# rc"],
  ]);
  const folder = tree(
    {
      ...Object.fromEntries(Object.entries(home).map(([name, text]) => [`home/${name}`, text])),
      "outside/file": "outside",
      "work/src/a.ts": "a",
      "work/secret/denied.txt": canary,
      "work/.tool/settings.json": "{}",
    },
    options.folder,
  );
  const work = folder.at("work");
  git(work, "init", "-q");
  folder.put("work/.git/hooks/pre-commit", "#!/bin/sh\n");
  // Outside the folder, in the machine's own temporary folder.
  const hostTmp = mkdtempSync("/tmp/tool-host-"); // where the path of a socket is short
  writeFileSync(join(hostTmp, "file"), canary);
  const listeners = await listen(join(hostTmp, "socket"), canary);
  const made = await policyFor(work, {
    home: folder.at("home"),
    configDir: folder.at("home/.tool"),
    deny: [`Read(/${work}/secret/denied.txt)`, ...(options.deny ?? [])],
  });
  const policy = { ...made, ...ownFolders() };
  const sandbox = await sandboxOf(policy, options);
  const owner = `escape-${process.pid}-${canary.slice(7)}:ada`;
  const env = {
    ...commandEnvironment({ PATH: process.env["PATH"], HOME: policy.home }, owner),
    OUTSIDE: folder.at("outside"),
    HOST_TMP: join(realpathSync(hostTmp), "file"),
    TEST_PID: String(process.pid),
    LOOPBACK_PORT: String(listeners.port),
    UNIX_SOCKET: join(hostTmp, "socket"),
    ABSTRACT: listeners.abstract,
  };
  const mayStay = async (path: string, left: LeftBehind): Promise<MayStay> =>
    (await options.mayStay?.(path, left)) ? { allowed: true } : { allowed: false, reason: "Nobody is here." };
  const here = shell({ cwd: work, env, sandbox: async () => sandbox, mayStay });
  return {
    tree: folder,
    policy,
    sandbox,
    canary,
    run: (command, request) => runIn(here, command, request),
    snapshot: () => [...listing(folder.path, folder.path), ...listing(hostTmp, hostTmp)],
    connections: listeners.count,
    async close() {
      await here.endAll();
      listeners.close();
      rmSync(hostTmp, { recursive: true, force: true });
      folder.remove();
    },
  };
}

async function sandboxOf(policy: Policy, options: WorldOptions): Promise<Sandbox> {
  return openSandbox({
    enabled: options.enabled ?? true,
    trial: () => trySandbox(policy.cwd),
    stateAfter: (trial) => stateAfterTrial(trial, undefined),
    known: undefined,
    cwd: policy.cwd,
    directories: [],
    stateFolder: join(policy.configDir, "sandbox/world"),
    shared: options.shared ?? [],
    onLost: () => {},
    onHeld: () => {},
    onOpen: options.onOpen ?? (() => {}),
    view: (found, once) => sandboxView(policy, options.network === true || once, found),
    repository: options.repository ?? "whole",
    secretPlaces: secretPlaces(policy),
    changing: isChanging,
    settings: options.settings ?? [policy.configDir],
    ...(options.memory && { memory: options.memory }),
    tracked: () => [],
    attributes: () => new Map(),
    env: {},
    gitVariables: () => ({}),
    sockets: { closed: options.socketsClosed ?? false, named: options.namedSockets ?? [] },
    rules: () => ({
      classOf: options.classifying?.(pathClasses(policy)) ?? pathClasses(policy),
      hidesByName: options.packages ?? hidesByName(policy),
      outside: hiddenOutside(policy),
      ownFolders: policy.ownFolders,
    }),
  });
}

type Request = { signal?: AbortSignal; timeoutMs?: number; inside?: true; network?: true; shown?: string[]; changes?: RunPass["changes"] };

async function runIn(here: AgentShell, command: string, request: Request = {}) {
  const { signal = new AbortController().signal, timeoutMs = 20_000, ...pass } = request;
  const printed: Buffer[] = [];
  const onOutput = (bytes: Buffer) => void printed.push(bytes);
  const { end, denied } = await here.run({ command, signal, timeoutMs, onOutput, ...pass });
  return { end, output: Buffer.concat(printed).toString(), ...(denied && { denied }) };
}

/** An agent in another working directory of the same world. Its name is its own: at its end all processes of that name end. */
export async function openAt(
  cwd: string,
  { tree: { at }, policy: { home, configDir, deny } }: EscapeWorld,
  options: { configDir?: string | undefined } & Pick<WorldOptions, "memory" | "repository"> = {},
) {
  const written = resolve(home, options.configDir ?? configDir);
  const policy = await policyFor(cwd, { home, configDir: written });
  const sandbox = await sandboxOf({ ...policy, deny, ...ownFolders() }, { ...options, settings: [written] });
  // its own: closing a shell ends every process of its owner on this machine
  const owner = `escape-${process.pid}-${Math.random().toString(36).slice(2)}:bo`;
  const env = { ...commandEnvironment({ PATH: process.env["PATH"], HOME: home }, owner), OUTSIDE: at("outside") };
  const here = shell({ cwd, env, sandbox: async () => sandbox });
  return { sandbox, run: (command: string) => runIn(here, command), close: () => here.endAll() };
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, env: { PATH: process.env["PATH"], HOME: "/nonexistent" } });

async function listen(path: string, reply: string) {
  let count = 0;
  const answer = (socket: net.Socket) => {
    count++;
    socket.on("error", () => {});
    socket.end(reply);
  };
  const servers = [net.createServer(answer), net.createServer(answer)];
  await new Promise<void>((resolve) => servers[0]!.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => servers[1]!.listen(path, resolve));
  return {
    port: (servers[0]!.address() as net.AddressInfo).port,
    abstract: "tool-no-such-socket",
    count: () => count,
    close: () => servers.forEach((server) => void server.close()),
  };
}

/** Without what a command may change, and without files that were moved away after a command. */
function listing(path: string, top: string): string[] {
  const name = relative(top, path) || ".";
  if (name === "home/.tool/sandbox") return [];
  const stats = lstatSync(path);
  const below = stats.isDirectory() ? readdirSync(path).flatMap((child) => listing(join(path, child), top)) : [];
  if (/^work(\/|$)/.test(name) && !protectedNames.test(name)) return below;
  const what = `${name} ${stats.mode.toString(8)} ${stats.uid} ${stats.isDirectory() ? "" : stats.mtimeMs}`;
  if (stats.isSymbolicLink()) return [`${what} -> ${readlinkSync(path)}`];
  return stats.isFile() ? [`${what} ${readFileSync(path, "utf8")}`] : [what, ...below];
}

const protectedNames =
  /\/\.git\/(hooks|config|info|commondir|objects\/info)|\/\.(tool|vscode|husky|envrc|mcp|claude|codex|cursor)|\/(denied\.txt|\.git)$/;

/**
 * The arguments of a shell that waits for the next command, and of the sandbox around it; programs that the command starts do not have
 * them.
 */
const waiting = 'IFS= read -r -d "" -u 4 script';

/** Processes with the marker of this world's agent. */
export function survivors(world: EscapeWorld): string[] {
  return marked(world, (line) => !line.includes(waiting));
}

/** The processes of the shell that waits for the next command. */
export function waitingProcesses(world: EscapeWorld): number[] {
  return marked(world, (line) => line.includes(waiting)).map(Number);
}

/**
 * bubblewrap, the first process inside it, and the shell; undefined until all three run, and while a process of the previous sandbox is
 * left.
 */
export function preparedSandbox(world: EscapeWorld): number[] | undefined {
  const all = waitingProcesses(world).flatMap((pid) => statusOf(pid) ?? []);
  const outer = all.find(({ parent }) => parent === process.pid);
  const first = all.find(({ parent }) => parent === outer?.pid);
  const inner = all.find(({ parent, name }) => parent === first?.pid && name === "bash");
  return all.length === 3 && outer && first && inner ? [outer.pid, first.pid, inner.pid] : undefined;
}

/** proc(5): undefined if the process has ended since it was listed. */
function statusOf(pid: number): { pid: number; name: string; parent: number } | undefined {
  const text = ifPossible(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const [, name = "", parent] = /^\d+ \((.*)\) \S (\d+) /s.exec(text ?? "") ?? [];
  return text === undefined ? undefined : { pid, name, parent: Number(parent) };
}

function marked(world: EscapeWorld, fits: (commandLine: string) => boolean): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/environ`))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/environ`, "utf8").includes(`:ada\0`) &&
          readFileSync(`/proc/${pid}/environ`, "utf8").includes(world.tree.path) &&
          fits(readFileSync(`/proc/${pid}/cmdline`, "utf8"))
        );
      } catch {
        return false; // ended in the meantime
      }
    });
}
