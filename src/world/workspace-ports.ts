// The ports below the rules that an agent's workspace is built on. Loaded when the first workspace is opened, with what each of them needs.
import { lstatSync } from "node:fs";
import type { WorkspacePorts } from "../agent/ports/workspace-ports.ts";
import { disk } from "../edge/disk/disk.ts";
import { envFileTexts } from "../edge/disk/env-files.ts";
import { files } from "../edge/disk/files.ts";
import { instructionFiles } from "../edge/disk/instruction-files.ts";
import { listedByRipgrep } from "../edge/disk/ripgrep.ts";
import { topLevel } from "../edge/disk/top-level.ts";
import { commitHooks } from "../edge/git/commit-hook.ts";
import { repositoryAbove } from "../edge/git/places.ts";
import { keptByGit } from "../edge/git/repository/kept-by-git.ts";
import { broughtBy } from "../edge/git/repository/moved-references.ts";
import { namesContents } from "../edge/git/repository/named-contents.ts";
import { headMark, madeSince, markOf } from "../edge/git/repository/new-commits.ts";
import { overSsh } from "../edge/git/repository/over-ssh.ts";
import { ownFolders } from "../edge/git/repository/own-folders.ts";
import { openReferences } from "../edge/git/repository/references.ts";
import { areSigned } from "../edge/git/repository/repository-facts.ts";
import { repositoryHistory } from "../edge/git/repository/repository-history.ts";
import { repositoryNames } from "../edge/git/repository/repository-names.ts";
import { repositoryPrograms } from "../edge/git/repository/repository-programs.ts";
import { stagedFiles, stagedSince } from "../edge/git/repository/staged-names.ts";
import { trackedFiles } from "../edge/git/repository/tracked-hidden.ts";
import { homeFolder } from "../edge/home-folder.ts";
import { matchingLines } from "../edge/matching-lines.ts";
import { programPlaces } from "../edge/processes/program-places.ts";
import { secretScanner } from "../edge/secret-scanner.ts";
import { outliers } from "../edge/shell/outliers.ts";
import { linkMemory } from "../edge/shell/sandbox/links/link-memory.ts";
import type { SandboxTrial } from "../edge/shell/sandbox/trial.ts";
import { shell } from "../edge/shell/shell.ts";
import { startNames } from "../edge/start-names.ts";
import { ifPossible } from "../edge/system-error.ts";
import { web } from "../edge/web.ts";
import { ignorePatterns } from "../permissions/paths/ignore-patterns.ts";

/** `trial`: whether the sandbox works here, tried once. */
type Place = { env: Record<string, string | undefined>; packageDir: string; trial: () => Promise<SandboxTrial> };

/** Of the sandboxes of all agents in this process. */
const memory = linkMemory();

export function workspacePorts({ env, packageDir, trial }: Place): WorkspacePorts {
  return {
    home: homeFolder(env),
    platform: process.platform,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    matchingLines,
    timeLimit: (ms) => AbortSignal.timeout(ms),
    disk,
    files: () => files({ ignorePatterns }),
    shell,
    sandbox: async (options) => (await import("../edge/shell/sandbox/sandbox.ts")).openSandbox({ ...options, trial, memory }),
    async putAsideInterrupted(folder, places) {
      const { putAsideInterrupted } = await import("../edge/shell/sandbox/interrupted-command.ts");
      return putAsideInterrupted(folder, places, memory);
    },
    async sweepSandboxes(folder, isKept) {
      const { sweepStateFolders } = await import("../edge/shell/sandbox/state-folder.ts");
      sweepStateFolders(folder, isKept);
    },
    web,
    openServer: async (order, signal) => (await import("../edge/mcp/open-link.ts")).openLink(order, signal),
    scanner: secretScanner,
    envFileTexts,
    commits: { headMark, madeSince, markOf, areSigned },
    references: { look: openReferences(), brought: broughtBy },
    staged: { look: stagedFiles, since: stagedSince },
    searches: { ripgrep: listedByRipgrep, tracked: trackedFiles },
    repositoryHistory,
    repositoryPrograms,
    namesContents,
    repositoryNames,
    startNames,
    repositoryAbove,
    overSsh: (folder) => overSsh(folder),
    ownFolders,
    repositoryState: async (folder, options) =>
      (await import("../edge/git/repository/repository-state.ts")).repositoryState(folder, options),
    topLevel,
    programPlaces,
    isThere: (path) => ifPossible(() => lstatSync(path)) !== undefined,
    outliers,
    keptByGit,
    atStake: async () => await import("../edge/git/repository/at-stake.ts"),
    async unsavedFiles() {
      const [{ unsavedFiles: list, committedFiles: committed, disguisedFiles }, { seeFile: see, copyFileTo: copy, sweepCopies: sweep }] =
        await Promise.all([import("../edge/git/repository/unsaved-files.ts"), import("../edge/shell/file-copies.ts")]);
      return { list, committed, disguised: disguisedFiles(), see, copy, sweep };
    },
    async commitStore() {
      const { packCommits, largeHistory, stashes, missingCommits, unpackCommits, unnamedCommits, objectFiles } = await import(
        "../edge/git/repository/kept-commits.ts"
      );
      const found = { pack: packCommits, missing: missingCommits, unpack: unpackCommits, unnamed: unnamedCommits, objects: objectFiles };
      return { ...found, largeHistory, stashes };
    },
    commitHooks: commitHooks(`${packageDir}/dist/hooks`),
    instructionFiles,
  };
}
