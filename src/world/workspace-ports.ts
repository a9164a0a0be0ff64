// The ports below the rules that an agent's workspace is built on.
import type { WorkspacePorts } from "../agent/workspace-ports.ts";
import type { SandboxTrial } from "../edge/shell/sandbox/trial.ts";

/** `trial`: whether the sandbox works here, tried once. */
type Place = { env: Record<string, string | undefined>; packageDir: string; trial: () => Promise<SandboxTrial> };

export async function workspacePorts({ env, packageDir, trial }: Place): Promise<WorkspacePorts> {
  const [
    { disk },
    { files },
    { shell },
    { web },
    { secretScanner },
    { envFileTexts },
    { headMark, madeSince, markOf },
    { repositoryHistory },
    { repositoryPrograms },
    { configuredRemotes },
    { programPlaces },
    { outliers },
    { keptByGit },
    { instructionFiles },
    { topLevel },
    { matchingLines },
  ] = await Promise.all([
    import("../edge/disk/disk.ts"),
    import("../edge/disk/files.ts"),
    import("../edge/shell/shell.ts"),
    import("../edge/web.ts"),
    import("../edge/secret-scanner.ts"),
    import("../edge/disk/env-files.ts"),
    import("../edge/git/new-commits.ts"),
    import("../edge/git/repository-history.ts"),
    import("../edge/git/repository-programs.ts"),
    import("../edge/git/configured-remotes.ts"),
    import("../edge/processes/program-places.ts"),
    import("../edge/shell/outliers.ts"),
    import("../edge/git/kept-by-git.ts"),
    import("../edge/disk/instruction-files.ts"),
    import("../edge/disk/top-level.ts"),
    import("../edge/matching-lines.ts"),
  ]);
  const [{ homedir }, { ignorePatterns }, { commitHooks }] = await Promise.all([
    import("node:os"),
    import("../permissions/paths/ignore-patterns.ts"),
    import("../edge/git/commit-hook.ts"),
  ]);
  return {
    home: env["HOME"] || homedir(),
    platform: process.platform,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    matchingLines,
    timeLimit: (ms) => AbortSignal.timeout(ms),
    disk,
    files: () => files({ ignorePatterns }),
    shell,
    sandbox: async (options) => (await import("../edge/shell/sandbox/sandbox.ts")).openSandbox({ ...options, trial }),
    async putAsideInterrupted(folder, places) {
      const { putAsideInterrupted } = await import("../edge/shell/sandbox/interrupted-command.ts");
      return putAsideInterrupted(folder, places);
    },
    async sweepSandboxes(folder, isKept) {
      const { sweepStateFolders } = await import("../edge/shell/sandbox/state-folder.ts");
      sweepStateFolders(folder, isKept);
    },
    web,
    scanner: secretScanner,
    envFileTexts,
    commits: { headMark, madeSince, markOf },
    repositoryHistory,
    repositoryPrograms,
    repositoryState: async (folder, options) => (await import("../edge/git/repository-state.ts")).repositoryState(folder, options),
    topLevel,
    configuredRemotes,
    programPlaces,
    outliers,
    keptByGit,
    trackedFiles: async (folder, paths) => (await import("../edge/git/tracked-files.ts")).trackedFiles(folder, paths),
    commitHooks: commitHooks(`${packageDir}/dist/hooks`),
    instructionFiles,
  };
}
