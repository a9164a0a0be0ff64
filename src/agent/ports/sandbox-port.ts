// The sandbox port of the workspace; edge/shell/sandbox implements it.

import type { LeftBehind } from "../../permissions/call.ts";
import type { RunPass } from "../../permissions/grants.ts";
import type { SandboxFinding, SandboxState } from "../../permissions/policy.ts";
import type { Entry, PathClass } from "../../permissions/sandbox/sandbox-view.ts";
import type { HiddenOutside } from "../hidden-outside.ts";
import type { SandboxInputs, SandboxView } from "./mounts.ts";
import type { NetworkRequest } from "./network-port.ts";
import type { OwnFolders } from "./own-folders-port.ts";
import type { RepositoryHistory, TrackedFile } from "./repository-port.ts";
import type { MayStay } from "./shell-port.ts";

/** The path that was moved away, and where it is kept. `earlier`: where others are that had the same path before, while the command ran. */
export type PutAside = { path: string; kept: string; earlier?: string[] };

/** The person's, about something that was moved away and `shown` as it was then. */
export type Answer = { verdict: MayStay; shown: Pick<LeftBehind, "lines" | "more"> };

export type GitSetting = { key: string; value: string };

/** One run of a command inside. `argv` goes before it; file descriptor 3 must be open, and tells the process id to signal. */
export type SandboxRun = {
  argv: string[];
  /** For bash, before the command: ends it if the sandbox is not as it should be. */
  check?: string;
  env: Record<string, string>;
  /** For bwrap's file descriptor 5: its rules for system calls. */
  seccomp?: Buffer;
  /** It has no network of its own. */
  offline: boolean;
  /** It reaches the network through a proxy. */
  proxied?: boolean;
  /** Of the mode plan: no file of the tree can be written. */
  readOnly?: boolean;
  /** Equal for two runs that cover the same, unchanged paths. */
  mark: string;
  /**
   * Before the command: from now on what comes up that must be put aside is moved as soon as it is seen. Aborts when the sandbox has lost a
   * cover, so that the command must end.
   */
  watch(): AbortSignal;
  /** Ends the run. Returns what was moved, each path once. */
  finish(): PutAside[];
  /** After that: which covers were lost, and why no further command may run; a sentence each without its full stop. */
  said(): string[];
};

export type Sandbox = {
  state(): SandboxState;
  /** Whether commands reach the network through a proxy, by what `network` decides. */
  proxied(): boolean;
  /**
   * `pass`: what a person has allowed this one beyond the others. Undefined when the sandbox is not active: then the command must be decided
   * again. `refused`: why no command may run as the files are now, a whole sentence without its full stop.
   */
  begin(pass?: RunPass): SandboxRun | { refused: string } | undefined;
  /** After a run that did not start: whether it works at all, by a trial. If not, it is lost. */
  stillWorks(): Promise<boolean>;
  /** As `begin`, from what was seen at the last look: for getting ready, never for a command that runs. */
  prepareNext(): SandboxRun | undefined;
  /** The environment of a command without a sandbox. */
  outside(): Record<string, string>;
  /** What may stay is moved back, as long as it is what was shown. Returns what came of it. */
  settle(aside: PutAside, answer: Answer): MayStay;
  /** The names are resolved again from the next command on. */
  onNewRules(): void;
  /** Removes the private temporary folder. */
  close(): void;
};

export type SandboxRequest = {
  enabled: boolean;
  /** The consequences of a trial. `known`: another process's result, which makes a trial unnecessary. */
  stateAfter: (trial: SandboxFinding) => SandboxState;
  known: SandboxFinding | undefined;
  /** Real paths: the working directory and further folders that may be changed. */
  cwd: string;
  directories: string[];
  /**
   * What of the repository's git folder can be written, if that is outside these folders. `fixed`: nothing, since others work in it, and agents do not
   * commit there. `branch`: what a commit on it needs, in the worktree that was made for it.
   */
  repository: "whole" | "fixed" | { branch: string };
  /** The folder for files that were moved aside, and the agent's own temporary folder, created when needed. */
  stateFolder: string;
  /** Sockets and files that settings let through. */
  shared: string[];
  /** It was active and is not any more: what was decided because of it must be decided again. */
  onLost: (why: string) => void;
  /** These were moved away a while ago, and the command still runs. */
  onHeld: (asides: PutAside[]) => void;
  /** These secrets came up a while ago, and the command still runs, which can read them. */
  onOpen: (paths: string[]) => void;
  view: (found: SandboxInputs, network: boolean) => SandboxView;
  secretPlaces: string[];
  /** Of these, what the person's programs replace all the time: no command is ended for that, and one that runs then can read it. */
  changing: (secretPlace: string) => boolean;
  /** Settings, as the person writes their paths: links on the way to them are put back after a command. */
  settings: string[];
  sockets: {
    /** Nobody makes or reaches any, not even those of `shared`. */
    closed: boolean;
    /** Paths that may be sockets, beside those that the kernel lists. */
    named: string[];
  };
  /** As they are now. */
  rules: () => SandboxRules;
  /** Hidden files that git tracks, as they were before the command. */
  tracked: () => TrackedFile[];
  /** By the folder `info` of a repository: what its attributes, which come first, say in the sandbox of hidden files. */
  attributes: RepositoryHistory["first"];
  /** Absent: commands have no network. */
  network?: NetworkRequest | undefined;
  /** What commands get, to which the sandbox adds its own. */
  env: Record<string, string>;
  /** Variables by which the git of commands goes by these settings. */
  gitVariables: (settings: GitSetting[]) => Record<string, string>;
};

export type SandboxRules = {
  classOf: (entry: Entry) => PathClass | undefined;
  /** Learns of bare repositories at each look before a command. */
  ownFolders?: OwnFolders | undefined;
  /** Whether rules may hide a file anywhere, by its name. */
  hidesByName: boolean;
  /** What they hide outside the folders that a command may change. */
  outside: HiddenOutside;
};
