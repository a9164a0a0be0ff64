// The ports of openWorkspace, passed in by main.ts: the real disk, shell, sandbox and network below all rules.

import type { MatchingLines } from "../../background/bash-output.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { OpenLink } from "../../mcp/link.ts";
import type { Outliers } from "../../permissions/commands/command-decision.ts";
import type { KeptByGit } from "../../permissions/commands/kept-files.ts";
import type { Policy, ProgramPlaces } from "../../permissions/policy.ts";
import type { Change } from "../../secrets/commit-gate.ts";
import type { Scanner } from "../../secrets/secrets.ts";
import type { RealDisk } from "../../tools/disk.ts";
import type { Web } from "../../tools/web/web.ts";
import type { InstructionFiles } from "../instructions.ts";
import type { Interrupted, LeftPlaces } from "../workspace/interrupted-commands.ts";
import type { AtStake, UnsavedFiles } from "./at-stake.ts";
import type { EnvironmentPorts } from "./environment.ts";
import type { FoundOwnFolders } from "./own-folders-port.ts";
import type {
  Brought,
  CommitStore,
  HeadMark,
  HistoryOptions,
  References,
  RepositoryChange,
  RepositoryHistory,
  Searches,
  Staged,
  StagedOrder,
} from "./repository-port.ts";
import type { Sandbox, SandboxRequest } from "./sandbox-port.ts";
import type { AgentShell, ShellOptions } from "./shell-port.ts";

export type WorkspacePorts = {
  home: string;
  platform: string;
  now(): Date;
  monotonicMs(): number;
  timeLimit(ms: number): AbortSignal;
  matchingLines: MatchingLines;
  /** Our own files. */
  disk: BoardDisk;
  /** The files of the working tree, without any guard. */
  files(): RealDisk;
  shell(options: ShellOptions): AgentShell;
  sandbox(request: SandboxRequest): Promise<Sandbox>;
  /** `folder`: the folder with the state of all agents' sandboxes. */
  putAsideInterrupted(folder: string, places: LeftPlaces): Promise<Interrupted>;
  /** Removes what agents' processes left there that were killed. `isKept`: by a folder's name, those that may be restarted. */
  sweepSandboxes(folder: string, isKept: (name: string) => boolean): Promise<void>;
  web(): Web;
  openServer: OpenLink;
  scanner(): Scanner;
  envFileTexts(folder: string): string[];
  searches: Searches;
  repositoryHistory(options: HistoryOptions): RepositoryHistory;
  /** Whether nothing is lost when this file or folder is removed: git has it as it is. */
  keptByGit: KeptByGit;
  atStake(): Promise<AtStake>;
  unsavedFiles(): Promise<UnsavedFiles>;
  commitStore(): Promise<CommitStore>;
  /** The programs that git would start in a repository by itself. */
  repositoryPrograms(folder: string, change: RepositoryChange): Promise<string | undefined>;
  /** Whether a word is the name of a file or folder in git's history itself, so that its path is not known. */
  namesContents(folder: string, words: readonly string[]): Promise<boolean>;
  /** What the settings of a folder's repository name that git runs or reads as settings; commands count from `top`. Undefined: no repository. */
  repositoryNames(folder: string): Promise<{ top: string; places: string[]; commands: string[] } | undefined>;
  /** Files that others name which the person's shells and git read at their start. */
  startNames(home: string): Promise<string[]>;
  /** The state of the repository, read without starting such programs. */
  repositoryState: EnvironmentPorts["repository"];
  topLevel: EnvironmentPorts["topLevel"];
  /** Finds the folders of the programs that commands start by name. */
  programPlaces(path: string, folders: string[]): ProgramPlaces;
  /** The root of the repository that the folder is in, if that is a folder above it. */
  repositoryAbove(folder: string): string | undefined;
  /** The host to which git in that folder, given these words, goes over ssh. */
  overSsh(folder: string): NonNullable<Policy["overSsh"]>;
  /** Finds repositories' own folders that are not called `.git`. */
  ownFolders(): FoundOwnFolders;
  /** Whether a file, a folder or a link is there. */
  isThere(path: string): boolean;
  /** Files below these folders that hold secrets by their names. */
  outliers(roots: string[], isSensitive: (path: string) => boolean): () => Outliers | undefined;
  commits: {
    headMark(folder: string): Promise<HeadMark | undefined>;
    markOf(log: string): HeadMark;
    madeSince(folder: string, mark: HeadMark): AsyncIterable<Change>;
    /** Whether the person's own commits there are signed. */
    areSigned(folder: string): Promise<boolean>;
  };
  references: {
    /** `last` itself while nothing has changed. Undefined without a repository, or where it cannot be told. Never rejects. */
    look(folder: string, last?: References): Promise<References | undefined>;
    /** What names new commits or has noted them, with those special files that they bring. */
    brought(before: References, now: References, isSpecial: (path: string) => boolean): Promise<Brought[]>;
  };
  /** By the paths of the indexes. */
  staged: {
    /** Takes out what git never puts into an index, as `forged`. Undefined without a repository. */
    look(
      folder: string,
      order: StagedOrder,
      last?: ReadonlyMap<string, Staged>,
    ): Promise<{ staged: ReadonlyMap<string, Staged>; forged: string[] } | undefined>;
    since(folder: string, before: ReadonlyMap<string, Staged>, now: ReadonlyMap<string, Staged>): Promise<Brought[]>;
  };
  /** The hooks that scan commits, if they exist. */
  commitHooks: { folder: string; node: string } | undefined;
  instructionFiles(whyNot: (at: { written: string; real: string }) => string | undefined): InstructionFiles;
};
