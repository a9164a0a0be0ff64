// The edges of the process, each loaded on first use.
import type { Edges } from "../app/world.ts";
import { displayEdges } from "./display-edges.ts";
import { modelEdges } from "./model-edges.ts";
import { placeEdges } from "./place-edges.ts";

export function edges(packageDir: string): Edges {
  const sandboxTrial = onceEach(async ([cwd = "/", ...directories]) => {
    const [{ trySandbox }, { findHelperPrograms }] = await Promise.all([
      import("../edge/shell/sandbox/trial.ts"),
      import("../edge/processes/helper-programs.ts"),
    ]);
    findHelperPrograms([cwd, ...directories]);
    return trySandbox(cwd);
  });
  const finding: Edges["sandboxTrial"] = async (folders) => {
    const trial = await sandboxTrial(folders);
    return trial.kind === "works" ? { kind: "works" } : trial;
  };
  return {
    ...diskEdges,
    ...modelEdges(),
    ...displayEdges,
    clock: async () => (await import("../edge/clock.ts")).clock,
    terminal: async () => (await import("../edge/display/terminal.ts")).openTerminal(),
    async secrets() {
      const [{ secretScanner }, { filesBelow, stagedFiles }, { newChanges }] = await Promise.all([
        import("../edge/secret-scanner.ts"),
        import("../edge/git/repository/repository-files.ts"),
        import("../edge/git/repository/new-commits.ts"),
      ]);
      return { scanner: secretScanner(), files: filesBelow, staged: stagedFiles, newChanges };
    },
    definitions: async () => (await import("../edge/disk/definition-files.ts")).definitionFiles,
    async commitHook() {
      const { installHook, uninstallHook } = await import("../edge/git/commit-hook.ts");
      return { install: installHook, uninstall: uninstallHook };
    },
    repositoryFacts: async (cwd) => (await gitEdges()).factsOf(cwd),
    lackingFiles: async (root) => (await gitEdges()).lackingIn(root),
    usableRepository: async (cwd) => (await gitEdges()).usableHere(cwd),
    agentWorktrees: async (order) => (await gitEdges()).openAgentWorktrees(order),
    changesRepository: async (root) => (await gitEdges()).openChangesRepository(root),
    page: async (text, env) => (await import("../edge/processes/pager.ts")).page(text, env),
    teamTrees: async (order) => (await gitEdges()).openTeamTrees(order),
    tryPush: async (order) => (await gitEdges()).tryPushTo(order),
    batchRepository: async (order) => (await gitEdges()).openBatchRepository(order),
    ...repositoryEdges,
    programPlaces: async (path, folders) => (await import("../edge/processes/program-places.ts")).programPlaces(path, folders),
    scratchRepository: async (source) => (await import("../edge/git/scratch-repository.ts")).scratchRepository(source),
    forge: async (remote, by) => (await import("../edge/forge/open-forge.ts")).openForge(remote, by),
    withoutForgeTokens: async (env) => (await import("../edge/forge/forge-tokens.ts")).withoutForgeTokens(env),
    demoForge: async (repository) => (await import("../edge/forge/demo-forge.ts")).demoForge(repository),
    lineProcess: async () => (await import("../edge/processes/line-process.ts")).lineProcess,
    editFile: async (path, env) => (await import("../edge/processes/edit-file.ts")).editFile(path, env),
    actingAgent: async () => (await import("../edge/processes/owner.ts")).actingAgent(),
    actingAgents: async () => [...(await import("../edge/processes/owner.ts")).actingAgents()],
    async processes() {
      const { memberProcesses } = await import("../edge/processes/member-processes.ts");
      return memberProcesses();
    },
    loadWork: async () => void (await workParts()),
    async work(request) {
      const [{ openWorkspace }, { workspacePorts }, { UsageError }, { findHelperPrograms }] = await workParts();
      const folders = [request.cwd, ...request.settings.effective.directories.map(({ path }) => path)];
      findHelperPrograms(folders);
      const opened = await openWorkspace(request, workspacePorts({ env: request.env, packageDir, trial: () => sandboxTrial(folders) }));
      if (!opened.ok) throw new UsageError(opened.reason);
      return opened.work;
    },
    programFault: async (searchPath) => (await import("../edge/processes/program-fault.ts")).programFault(searchPath),
    idleMemory: async () => (await import("../edge/processes/idle-memory.ts")).idleMemory(),
    runHook: async () => (await import("../edge/processes/run-hook.ts")).runHook,
    async servers() {
      const [{ openLink }, { login, logout }] = await Promise.all([import("../edge/mcp/open-link.ts"), import("../edge/mcp/login.ts")]);
      return { open: openLink, login, logout };
    },
    outputs: async (folder) => (await import("../edge/disk/output-store.ts")).outputStore(folder),
    machine: async (where) => (await import("../edge/processes/machine.ts")).machine(where),
    sandboxTrial: finding,
    hasOwnTmp: () => process.platform === "linux",
    beyondSandbox,
    ...placeEdges({ packageDir, sandboxTrial: finding }),
  };
}

const repositoryEdges: Pick<Edges, "ownFolders" | "repositoryAbove" | "overSsh" | "repositoryPrograms" | "namesContents" | "showsHidden"> =
  {
    ownFolders: async () => (await import("../edge/git/repository/own-folders.ts")).ownFolders(),
    repositoryAbove: async (folder) => (await import("../edge/git/places.ts")).repositoryAbove(folder),
    overSsh: async (folder) => (await import("../edge/git/repository/over-ssh.ts")).overSsh(folder),
    showsHidden: async (...order) => (await import("../edge/git/repository/repository-history.ts")).showsHiddenIn(...order),
    namesContents: async (...order) => (await import("../edge/git/repository/named-contents.ts")).namesContents(...order),
    repositoryPrograms: async (...order) => (await import("../edge/git/repository/repository-programs.ts")).repositoryPrograms(...order),
  };

const beyondSandbox: Edges["beyondSandbox"] = async (folders, policy) => {
  const [looks, { hidesByName, pathClasses }, { hiddenOutside }] = await Promise.all([
    import("../edge/shell/sandbox/looks.ts"),
    import("../permissions/sandbox/sandbox-view.ts"),
    import("../agent/hidden-outside.ts"),
  ]);
  return looks.beyondSandbox(folders, () => ({
    classOf: pathClasses(policy),
    hidesByName: hidesByName(policy),
    outside: hiddenOutside(policy),
    ownFolders: policy.ownFolders,
  }));
};

const workParts = () =>
  Promise.all([
    import("../agent/workspace.ts"),
    import("./workspace-ports.ts"),
    import("../app/world.ts"),
    import("../edge/processes/helper-programs.ts"),
  ]);

const gitEdges = () => import("./git-edges.ts");

const diskEdges: Pick<
  Edges,
  "input" | "disk" | "patientDisk" | "lock" | "watch" | "realPath" | "removeFolder" | "outliers" | "searches" | "keptByGit"
> = {
  searches: async () => {
    const [{ listedByRipgrep }, { trackedFiles }] = await Promise.all([
      import("../edge/disk/ripgrep.ts"),
      import("../edge/git/repository/tracked-hidden.ts"),
    ]);
    return { ripgrep: listedByRipgrep, tracked: trackedFiles };
  },
  async outliers(folders) {
    const [{ outliers }, { isSensitiveName }] = await Promise.all([
      import("../edge/shell/outliers.ts"),
      import("../permissions/paths/places.ts"),
    ]);
    return outliers(folders, isSensitiveName);
  },
  keptByGit: async () => (await import("../edge/git/repository/kept-by-git.ts")).keptByGit,
  input: async (path) => (await import("../edge/disk/input.ts")).openInput(path),
  disk: async () => (await import("../edge/disk/disk.ts")).disk,
  patientDisk: async (onWait) => (await import("../edge/disk/patient-disk.ts")).patientDisk({ onWait }),
  lock: async () => (await import("../edge/lock/lock.ts")).lock(),
  watch: async () => (await import("../edge/disk/watch.ts")).watch,
  removeFolder: async (path) => (await import("../edge/disk/remove-folder.ts")).removeFolder(path),
  async realPath() {
    const [{ files }, { ignorePatterns }] = await Promise.all([
      import("../edge/disk/files.ts"),
      import("../permissions/paths/ignore-patterns.ts"),
    ]);
    return files({ ignorePatterns }).real;
  },
};

/** A trial is slower than the work it precedes, so each is run once. */
function onceEach<T>(find: (folders: string[]) => Promise<T>): (folders: string[]) => Promise<T> {
  const found = new Map<string, Promise<T>>();
  return (folders) => {
    const key = folders.join("\0");
    const known = found.get(key) ?? find(folders);
    found.set(key, known);
    return known;
  };
}
