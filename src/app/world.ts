// The ports to the outside world that a command may use. main.ts builds them from argv, env and the edges; inner code receives only what it needs.

import type { Clock } from "../agent/ports/clock.ts";
import type { Model } from "../agent/ports/model.ts";
import type { FoundOwnFolders } from "../agent/ports/own-folders-port.ts";
import type { RepositoryChange, Searches } from "../agent/ports/repository-port.ts";
import type { IdleMemory } from "../agent/session/idle-memory.ts";
import type { WorkspaceRequest } from "../agent/workspace/workspace-request.ts";
import type { Workspace } from "../agent/workspace.ts";
import type { DemoForge } from "../batch/demo.ts";
import type { ForgeChoice } from "../batch/forge.ts";
import type { LineProcess, LineProcessOrder } from "../batch/line-process.ts";
import type { GitAnswer, LackingFiles, Remote, Repository, RepositoryFacts, UsableRepository } from "../batch/repository.ts";
import type { BoardDisk, DiskRefusal, Lock, PatientDisk, ProcessIdentity, Watch } from "../board/disk.ts";
import type { ChangesRepository } from "../changes/repository.ts";
import type { ProgramFault } from "../hooks/configured.ts";
import type { RunHook } from "../hooks/hook-process.ts";
import type { OpenLink } from "../mcp/link.ts";
import type { LoginOrder, LoginResult } from "../mcp/login.ts";
import type { KeptByGit } from "../permissions/commands/kept-files.ts";
import type { IsHidden } from "../permissions/paths/hidden.ts";
import type { Policy, ProgramPlaces, SandboxFinding } from "../permissions/policy.ts";
import type { Findings } from "../places/messages.ts";
import type { Meetings, PlacePorts } from "../places/ports.ts";
import type { Travel } from "../places/travel.ts";
import type { Works } from "../places/works.ts";
import type { Theme } from "../screen/style.ts";
import type { Terminal } from "../screen/terminal/terminal.ts";
import type { Change } from "../secrets/commit-gate.ts";
import type { IgnoredPath, ScannedFile, UnreadPath } from "../secrets/scan-files.ts";
import type { Scanner } from "../secrets/secrets.ts";
import type { Forges, PullRequestSettings } from "../settings/settings.ts";
import type { DefinitionFiles } from "../subagents/definitions/definitions.ts";
import type { AgentWorktrees } from "../subagents/isolation.ts";
import type { DemoPlaces, ScratchRepository } from "../team/demo.ts";
import type { DisplayChoice, DisplayFacts } from "../team/display/choose-display.ts";
import type { Display } from "../team/display/display.ts";
import type { DriverPorts } from "../team/display/driver-display.ts";
import type { PrivateServers } from "../team/leftovers.ts";
import type { ProcessTable } from "../team/member-process.ts";
import type { TmuxHandle } from "../team/place.ts";
import type { TeamTrees } from "../team/worktrees.ts";
import type { OutputStore } from "../tools/output.ts";
import type { Machine } from "./settings/machine.ts";

export interface Output {
  write(text: string): void;
  /** Resolves once the written data has been passed on; `closed` if the reader has gone. */
  drained(): Promise<"open" | "closed">;
  isTTY: boolean;
  columns: number;
}

export type Environment = Record<string, string | undefined>;

/** Which model answers: the scripted one if a script is given, otherwise the provider from the environment, or from settings. */
export type ModelChoice = {
  env: Environment;
  /** The model's maker if absent. */
  cloud?: "bedrock" | "vertex";
  /** What the provider calls a model, by the name that is used here. */
  modelIds?: Readonly<Record<string, string>>;
  script?: string;
  paced: boolean;
  baseURL?: string;
  /** A command that prints the key. */
  keyHelper?: string;
  /** Where a key may be that the person has stored. */
  keyFile?: string;
  /** A key that the person has just typed, to be tried. */
  typedKey?: string;
};

export type DisplayRequest = {
  choice: Extract<DisplayChoice, { ok: true }>;
  team: string;
  owner: string;
  env: Environment;
  /** The log of output that no screen shows. */
  logOf: (name: string) => string;
};

export type TmuxServer = { socket: string; pid: number; start: string };

export type SecretEdges = {
  scanner: Scanner;
  /** The files, and those below the folders that git does not ignore, with the names of what it ignores. Throws for a path that does not exist. */
  files: (cwd: string, paths: string[]) => AsyncIterable<ScannedFile | UnreadPath | IgnoredPath>;
  staged: (cwd: string) => Promise<ScannedFile[]>;
  /** The commits that an update of references would add, from the input of git's `reference-transaction` hook. */
  newChanges: (at: { folder: string; hidden: string | undefined }, updates: string) => AsyncIterable<Change>;
};

export type HookOutcome = { ok: true; path: string } | { ok: false; reason: string };

export type CommitHook = {
  install: (cwd: string, options: { self: string[]; force: boolean }) => Promise<HookOutcome>;
  uninstall: (cwd: string) => Promise<HookOutcome>;
};

/**
 * `owner`: the marker of its processes, as in TOOL_OWNER; its branches begin with `tool/<owner>/`. Processes of that owner are ended first, so none
 * may be in use. `home`: the folder of this batch's worktrees. `closed`: which files of the tree are in no copy of it.
 */
export type BatchRepositoryOrder = {
  /** The environment with a token for pushes. */
  env: Environment;
  /** Which forge a host is, by the person's settings. */
  forges: Forges;
  owner: string;
  root: string;
  home: string;
  ignored: "copy" | "link";
  closed: () => Promise<IsHidden>;
};

/** `env`: with a token for pushes. `remote`: its name. */
export type TryPushOrder = Pick<BatchRepositoryOrder, "env" | "forges" | "root"> & { remote: string };

/** `within`: the session's folder below the root of the repository. The rest as for a batch. */
type TreesOrder = Pick<BatchRepositoryOrder, "owner" | "root" | "home" | "closed"> & { within: string };

/** `own`: which worktree and branches are its, if others work in the same home; else all are, and its branches are called after the owner. */
export type AgentWorktreesOrder = TreesOrder & { own?: { folder: string; branches: string } };

/** `id`: used in the names of branches. `base`: the commit that everything starts at. */
export type TeamTreesOrder = TreesOrder & { id: string; base: string };

export type PrivateServerRequest = {
  team: string;
  owner: string;
  argv: string[];
  cwd: string;
  env: Environment;
  /** Where teammates that outlived their lead were last seen. */
  former: TmuxHandle[];
};

/** Each edge is loaded on first use, so that the start does not pay for unused ones. */
export type Edges = {
  /** A file that a person named as input, or a pipe; undefined if there is none. */
  input: (path: string) => Promise<AsyncIterable<Buffer> | undefined>;
  disk: () => Promise<BoardDisk>;
  /** For a process that waits while the disk refuses writes: `onWait` is told the reason, and the end of the wait. */
  patientDisk: (onWait: (refusal: DiskRefusal | undefined) => void) => Promise<PatientDisk>;
  lock: () => Promise<Lock>;
  watch: () => Promise<Watch>;
  /** With everything in it; links are not followed. */
  removeFolder: (path: string) => Promise<void>;
  /** Resolves links, even if the end of the path does not exist. */
  realPath: () => Promise<(path: string) => Promise<string>>;
  clock: () => Promise<Clock>;
  processes: () => Promise<ProcessTable & { self(): ProcessIdentity }>;
  model: (choice: ModelChoice) => Promise<Model>;
  /** One sentence if that choice cannot answer, for instance because of a missing key or an invalid script. */
  modelProblem: (choice: ModelChoice) => Promise<string | undefined>;
  /** Where the provider's key or a cloud's credentials come from and what they are for, never their text; undefined if there is no key. */
  keySource: (choice: ModelChoice) => Promise<string | undefined>;
  /** The text of a file that keeps a key. */
  keyText: (key: { address: string; key: string }) => Promise<string>;
  work: (request: WorkspaceRequest) => Promise<Workspace>;
  /** Loads what a workspace needs of the program, before one is wanted. */
  loadWork: () => Promise<void>;
  runHook: () => Promise<RunHook>;
  /** `searchPath`: PATH, as hooks get it. */
  programFault: (searchPath: string) => Promise<ProgramFault>;
  idleMemory: () => Promise<IdleMemory>;
  servers: () => Promise<ServerEdges>;
  /** Makes `folder` with the first output that is too long to be shown whole. */
  outputs: (folder: string) => Promise<OutputStore>;
  machine: (where: { cwd: string; configDir: string }) => Promise<Machine>;
  /** Whether commands can be confined here. The first folder is the working directory; the others get the same access. */
  sandboxTrial: (folders: string[]) => Promise<SandboxFinding>;
  /** Whether commands in the sandbox have a /tmp of their own. */
  hasOwnTmp: () => boolean;
  /** What in these folders the sandbox of a session with this policy cannot cover, half a sentence. Looks into all of them. */
  beyondSandbox: (folders: string[], policy: Policy) => Promise<string | undefined>;
  /** The maintained scanner, and the files to scan. */
  secrets: () => Promise<SecretEdges>;
  commitHook: () => Promise<CommitHook>;
  /** Files with definitions of agents. */
  definitions: () => Promise<DefinitionFiles>;
  display: (request: DisplayRequest) => Promise<Display>;
  /** For displays that the person has configured. */
  driverPorts: (env: Environment) => Promise<DriverPorts>;
  /** A new folder of our own outside the working directory, until it is removed. */
  testFolder: () => Promise<{ path: string; read: (name: string) => string | undefined; remove: () => void }>;
  /** For places that the person has configured. */
  placePorts: (env: Environment) => Promise<PlacePorts>;
  /** At a place: where links find hands that were there before. */
  meetings: () => Promise<Meetings>;
  /** Code between home and a place. */
  travel: () => Promise<Travel>;
  /** At a place: what hands have in its folder while they work. */
  works: (folder: string) => Promise<Works>;
  /** What hands find on their machine. */
  handsFindings: (folder: string) => Promise<Omit<Findings, "version">>;
  displayFacts: (env: Environment) => Promise<DisplayFacts>;
  /** Starts a tmux server of the team's own with the lead in a pane, or reuses one in which a pane of `former` is alive. */
  startPrivateServer: (request: PrivateServerRequest) => Promise<TmuxServer>;
  attach: (socket: string, env: Environment) => Promise<"detached" | "ended">;
  /** Shows a recorded pane: in this terminal, or by switching the tmux that this terminal is in. */
  showPane: (pane: TmuxHandle, env: Environment) => Promise<"selected" | "detached" | "ended" | "gone">;
  /** This process's tmux pane; undefined outside tmux. */
  ownPane: (env: Environment) => Promise<TmuxHandle | undefined>;
  closeOwnPane: (env: Environment) => Promise<void>;
  privateServers: (env: Environment) => Promise<PrivateServers>;
  /** The person's terminal, or null if there is none. */
  terminal: () => Promise<Terminal | null>;
  /** What git would start in that repository by itself. */
  repositoryPrograms: (folder: string, change: RepositoryChange) => Promise<string | undefined>;
  namesContents: (folder: string, words: readonly string[]) => Promise<boolean>;
  /** Whether an agent's git would show a file that rules hide; undefined if the repositories hold none. */
  showsHidden: (folders: string[], isHidden: IsHidden) => Promise<boolean | undefined>;
  /** The root of the repository that the folder is in, if that is a folder above it. */
  repositoryAbove: (folder: string) => Promise<string | undefined>;
  overSsh: (folder: string) => Promise<NonNullable<Policy["overSsh"]>>;
  ownFolders: () => Promise<FoundOwnFolders>;
  /** Finds the folders of the programs that commands start by name. */
  programPlaces: (path: string, folders: string[]) => Promise<ProgramPlaces>;
  /** What searches come to, as the programs themselves list it. */
  searches: () => Promise<Searches>;
  /** Files with secrets and links that lead out, below these folders; found when first asked for. */
  outliers: (folders: string[]) => Promise<NonNullable<Policy["outliers"]>>;
  /** Whether removing a file loses nothing, because git has stored it or nothing is there. */
  keptByGit: () => Promise<KeptByGit>;
  /** What a batch must know about the repository around a folder. */
  repositoryFacts: (cwd: string) => Promise<RepositoryFacts>;
  /** The same of worktrees alone, which takes a fraction of the time. */
  usableRepository: (cwd: string) => Promise<UsableRepository>;
  /** What no worktree of the repository with this root has. */
  lackingFiles: (root: string) => Promise<LackingFiles>;
  /** The worktrees of a session's isolated agents. */
  agentWorktrees: (order: AgentWorktreesOrder) => Promise<AgentWorktrees>;
  /** The person's repository, for looking at what was made apart from its tree and taking it. */
  changesRepository: (root: string) => Promise<ChangesRepository>;
  /** Shows a text in the person's pager; false if there is none. */
  page: (text: string, env: Environment) => Promise<boolean>;
  /** The worktrees of a team, for one of its processes. */
  teamTrees: (order: TeamTreesOrder) => Promise<TeamTrees>;
  /** The repository that a batch works in. */
  /** Whether a branch could be pushed; nothing is sent. */
  tryPush: (order: TryPushOrder) => Promise<GitAnswer>;
  batchRepository: (order: BatchRepositoryOrder) => Promise<Repository>;
  /** The forge of a remote, with the available login. */
  forge: (remote: Remote, by: { env: Environment; forges: Forges; pullRequests: PullRequestSettings }) => Promise<ForgeChoice>;
  /** For processes of agents: only pushes and pull requests need the tokens of forges. */
  withoutForgeTokens: (env: Environment) => Promise<Environment>;
  /** A forge on this machine in front of a bare copy of this repository, which becomes its remote. */
  demoForge: (repository: string) => Promise<DemoForge>;
  /** A child process that exchanges lines of text with this one. */
  lineProcess: () => Promise<(order: LineProcessOrder) => LineProcess>;
  /** Opens the person's editor on a file in this terminal; returns a sentence if that failed. */
  editFile: (path: string, env: Environment) => Promise<string | undefined>;
  scratchRepository: (source: string) => Promise<ScratchRepository>;
  /** Two places on this machine, in a folder of ours. */
  demoPlaces: (folder: string, names: readonly string[]) => Promise<DemoPlaces>;
  /** `TOOL_OWNER` of this process or of an ancestor: set if an agent runs this program. */
  actingAgent: () => Promise<string | undefined>;
  /** The same of this process and all its ancestors, the nearest first. */
  actingAgents: () => Promise<string[]>;
};

/** `login`: at the authorization server of a remote server. `logout`: false if there was no login. */
export type ServerEdges = {
  open: OpenLink;
  login(order: LoginOrder): Promise<LoginResult>;
  logout(server: { name: string; url: string; configDir: string }): boolean;
};

export type World = {
  argv: string[];
  env: Environment;
  cwd: string;
  /**
   * Set if `cwd` is in a worktree of the person's tree: their settings apply there, and the tree itself is closed. `from`: where they were.
   * `made`: the commit that it was just made of.
   */
  copyOf?: { root: string; from: string; name: string; made?: string };
  /** `~/.tool`, or TOOL_CONFIG_DIR. */
  configDir: string;
  /** The person's home. */
  home: string;
  /** Settings files of this machine's administrator; they need not exist. */
  managedSettings: string[];
  /** The folder of package.json, which contains the fixtures. */
  packageDir: string;
  /** Keeps what this process has compiled of the program for the next ones. */
  keepCompiled: () => void;
  version: string;
  /** From the machine's or the person's own settings. */
  readonly theme: Theme;
  /** The command that starts this program as a person types it, for messages with commands to paste. */
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

/** exit-codes.ts says what they mean. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** Wrong usage or settings: printed without a stack trace, exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The person has left before there was a session: printed without a stack trace, exit code 130. */
export class LeftBeforeStart extends Error {
  override name = "LeftBeforeStart";
}

/** Receives the exit code of a command. */
export type Finish = (code: ExitCode) => void;
