// What a command may use of the outside world. main.ts builds it from argv, env and the edges; inner code receives only what it needs of it.
import type { Clock } from "../agent/clock.ts";
import type { Model } from "../agent/model.ts";
import type { WorkspaceRequest } from "../agent/workspace/workspace-request.ts";
import type { Workspace } from "../agent/workspace.ts";
import type { DemoForge } from "../batch/demo.ts";
import type { ForgeChoice } from "../batch/forge.ts";
import type { LineProcess, LineProcessOrder } from "../batch/line-process.ts";
import type { Remote, Repository, RepositoryFacts } from "../batch/repository.ts";
import type { BoardDisk, Lock, PatientDisk, ProcessIdentity, Watch } from "../board/disk.ts";
import type { RunHook } from "../hooks/hook-process.ts";
import type { Change } from "../permissions/commit-gate.ts";
import type { ProgramPlaces, SandboxFinding } from "../permissions/policy.ts";
import type { Terminal } from "../screen/terminal/terminal.ts";
import type { ScannedFile } from "../secrets/scan-files.ts";
import type { Scanner } from "../secrets/secrets.ts";
import type { DefinitionFiles } from "../subagents/definitions.ts";
import type { AgentWorktrees } from "../subagents/isolation.ts";
import type { DisplayChoice, DisplayFacts } from "../team/choose-display.ts";
import type { ScratchRepository } from "../team/demo.ts";
import type { Display } from "../team/display.ts";
import type { DriverPorts } from "../team/driver-display.ts";
import type { PrivateServers } from "../team/leftovers.ts";
import type { ProcessTable } from "../team/member-process.ts";
import type { TmuxHandle } from "../team/place.ts";
import type { TeamTrees } from "../team/worktrees.ts";
import type { OutputStore } from "../tools/output.ts";
import type { Machine } from "./machine.ts";

export interface Output {
  write(text: string): void;
  /** Resolves once what was written has continued; `closed` when nobody reads any more. */
  drained(): Promise<"open" | "closed">;
  isTTY: boolean;
  columns: number;
}

export type Environment = Record<string, string | undefined>;

/** Which model answers: the scripted one when a script is given, else the provider that the environment names, or settings in its place. */
export type ModelChoice = {
  env: Environment;
  script?: string;
  paced: boolean;
  baseURL?: string;
  /** A command that prints the key. */
  keyHelper?: string;
};

export type DisplayRequest = {
  choice: Extract<DisplayChoice, { ok: true }>;
  team: string;
  owner: string;
  env: Environment;
  size: { columns: number; rows: number };
  /** Where output goes that no screen shows. */
  logOf: (name: string) => string;
};

export type TmuxServer = { socket: string; pid: number; start: string };

export type SecretEdges = {
  scanner: Scanner;
  /** Files and what is below folders, without what git ignores. Throws for a path that is not there. */
  files: (cwd: string, paths: string[]) => AsyncIterable<ScannedFile>;
  staged: (cwd: string) => Promise<ScannedFile[]>;
  /** What references would get, by the input of git's hook `reference-transaction`. */
  newChanges: (at: { folder: string; hidden: string | undefined }, updates: string) => AsyncIterable<Change>;
};

export type HookOutcome = { ok: true; path: string } | { ok: false; reason: string };

export type CommitHook = {
  install: (cwd: string, options: { self: string[]; force: boolean }) => Promise<HookOutcome>;
  uninstall: (cwd: string) => Promise<HookOutcome>;
};

/** Edges are loaded on first use, so that the start does not pay for unused ones. */
/**
 * `owner`: of its processes, as in TOOL_OWNER; its branches begin with `tool/<owner>/`. What a killed process of that owner left is ended first,
 * so nothing else of it may be at work. `home`: the folder of this batch's worktrees. `isHidden`: what rules keep from agents.
 */
export type BatchRepositoryOrder = {
  /** Where a token for pushes is looked for. */
  env: Environment;
  owner: string;
  root: string;
  home: string;
  ignored: "copy" | "link";
  isHidden: (path: string, kind: "file" | "folder") => boolean;
};

/** `within`: the session's folder below the root of the repository. The rest as for a batch. */
export type AgentWorktreesOrder = Pick<BatchRepositoryOrder, "owner" | "root" | "home" | "isHidden"> & { within: string };

/** `id`: in the names of branches. `base`: the commit that everything begins at. */
export type TeamTreesOrder = AgentWorktreesOrder & { id: string; base: string };

export type PrivateServerRequest = {
  team: string;
  owner: string;
  argv: string[];
  cwd: string;
  env: Environment;
  /** Where teammates that outlived their lead were seen. */
  former: TmuxHandle[];
};

export type Edges = {
  /** A file whose name a person gave as input, a pipe too; undefined when there is none. */
  input: (path: string) => Promise<AsyncIterable<Buffer> | undefined>;
  disk: () => Promise<BoardDisk>;
  /** For a process that waits while the disk takes nothing: `onWait` hears why, and of the end of it. */
  patientDisk: (onWait: (fault: string | undefined) => void) => Promise<PatientDisk>;
  lock: () => Promise<Lock>;
  watch: () => Promise<Watch>;
  /** Follows links, also for a path whose end is not there yet. */
  realPath: () => Promise<(path: string) => Promise<string>>;
  clock: () => Promise<Clock>;
  processes: () => Promise<ProcessTable & { self(): ProcessIdentity }>;
  model: (choice: ModelChoice) => Promise<Model>;
  /** One sentence when that choice cannot answer: no key, a script that is not one. */
  modelProblem: (choice: ModelChoice) => Promise<string | undefined>;
  work: (request: WorkspaceRequest) => Promise<Workspace>;
  runHook: () => Promise<RunHook>;
  /** Makes `folder` when the first output is too long to be shown whole. */
  outputs: (folder: string) => Promise<OutputStore>;
  machine: (where: { cwd: string; configDir: string }) => Promise<Machine>;
  /** Whether commands can be confined here. The first folder is the working directory, the others count as it does. */
  sandboxTrial: (folders: string[]) => Promise<SandboxFinding>;
  /** The maintained scanner, and the files that are to be looked through. */
  secrets: () => Promise<SecretEdges>;
  commitHook: () => Promise<CommitHook>;
  /** Files with definitions of agents. */
  definitions: () => Promise<DefinitionFiles>;
  display: (request: DisplayRequest) => Promise<Display>;
  /** For the displays that the person has configured. */
  driverPorts: (env: Environment) => Promise<DriverPorts>;
  /** A new folder of our own outside the working directory, until it is removed. */
  testFolder: () => Promise<{ path: string; read: (name: string) => string | undefined; remove: () => void }>;
  displayFacts: (env: Environment) => Promise<DisplayFacts>;
  /** A tmux server of the team's own with the lead in a pane of it: a new one, or one on which a pane of `former` lives. */
  startPrivateServer: (request: PrivateServerRequest) => Promise<TmuxServer>;
  attach: (socket: string, env: Environment) => Promise<"detached" | "ended">;
  /** Shows a recorded pane: in this terminal, or by turning the tmux that this terminal is in to it. */
  showPane: (pane: TmuxHandle, env: Environment) => Promise<"selected" | "detached" | "ended" | "gone">;
  /** The tmux pane that this process is in; undefined outside tmux. */
  ownPane: (env: Environment) => Promise<TmuxHandle | undefined>;
  closeOwnPane: (env: Environment) => Promise<void>;
  privateServers: (env: Environment) => Promise<PrivateServers>;
  /** The person's terminal, or null when there is none. */
  terminal: () => Promise<Terminal | null>;
  /** Where the programs lie that commands find by name. */
  programPlaces: (path: string, folders: string[]) => Promise<ProgramPlaces>;
  /** What a batch has to know of the repository around a folder. */
  repositoryFacts: (cwd: string) => Promise<RepositoryFacts>;
  /** The worktrees of the isolated agents of a session. */
  agentWorktrees: (order: AgentWorktreesOrder) => Promise<AgentWorktrees>;
  /** The worktrees of a team, for one of its processes. */
  teamTrees: (order: TeamTreesOrder) => Promise<TeamTrees>;
  /** The repository that a batch works in. */
  batchRepository: (order: BatchRepositoryOrder) => Promise<Repository>;
  /** The forge that a remote belongs to, with the login that is there. */
  forge: (remote: Remote, env: Environment) => Promise<ForgeChoice>;
  /** A forge on this machine in front of a bare copy of this repository, which becomes its remote. */
  demoForge: (repository: string) => Promise<DemoForge>;
  /** A child process with which we talk in lines. */
  lineProcess: () => Promise<(order: LineProcessOrder) => LineProcess>;
  /** Opens the person's editor on a file, in this terminal; a sentence when that was not possible. */
  editFile: (path: string, env: Environment) => Promise<string | undefined>;
  scratchRepository: (source: string) => Promise<ScratchRepository>;
  /** `TOOL_OWNER` of this process or one above it: set when an agent runs us. */
  actingAgent: () => Promise<string | undefined>;
};

export type World = {
  argv: string[];
  env: Environment;
  cwd: string;
  /** `~/.tool`, or where TOOL_CONFIG_DIR points. */
  configDir: string;
  /** The person's home. */
  home: string;
  /** Settings of whoever administers this machine: files that need not be there. */
  managedSettings: string[];
  /** The folder of package.json: fixtures lie below it. */
  packageDir: string;
  version: string;
  /** What a person types to start this program: for commands that are printed to be pasted. */
  readonly command: string;
  /** Processor cores that this process may use. */
  readonly cores: number;
  /** The argument vector that starts this program again. */
  self: string[];
  stdin: AsyncIterable<Buffer> & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  /** Calls the listener at SIGINT, SIGTERM and SIGHUP until the returned function is called. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void): () => void;
  uniqueId(): string;
  edges: Edges;
};

/** 0 done; 1 the work failed; 2 wrong usage or settings; 3 a permission was missing; 4 budget or turn limit; 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** Wrong usage or settings: printed without a stack, exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** How a command hands its exit code to the program. */
export type Finish = (code: ExitCode) => void;
