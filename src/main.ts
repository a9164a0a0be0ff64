// The composition root: the only reader of argv, env and cwd. `--version` is answered before anything else is loaded.
import { closeSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Model } from "./agent/model.ts";
import type { WorkspacePorts } from "./agent/workspace-ports.ts";
import type { AgentWorktreesOrder, BatchRepositoryOrder, Edges, ModelChoice, Output, TeamTreesOrder, World } from "./app/world.ts";
import type { Repository } from "./batch/repository.ts";
import type { OwnGit } from "./edge/git/own-git.ts";
import type { LookThrough } from "./edge/git/unit-commits.ts";
import type { AnthropicOptions } from "./edge/model/anthropic.ts";
import type { SandboxTrial } from "./edge/shell/sandbox/trial.ts";
import type { AgentWorktrees } from "./subagents/isolation.ts";
import type { TmuxHandle } from "./team/place.ts";
import type { TeamTrees } from "./team/worktrees.ts";

/** From package.json, put here by build.js. */
declare const TOOL_VERSION: string;

const packageDir = new URL("..", import.meta.url);

if (process.argv.length === 3 && /^(--version|-v)$/.test(process.argv[2] ?? "")) {
  writeSync(1, `${TOOL_VERSION}\n`); // not process.stdout: making that stream takes longer than the rest
} else {
  void main(); // not awaited: the bundle is CommonJS
}

async function main(): Promise<void> {
  const { run } = await import("./cli/program.ts");
  const code = await run(await world());
  // A pipe may still hold what was printed last; an open handle of a library must not keep the process.
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit(code);
}

async function world(): Promise<World> {
  const { availableParallelism, homedir } = await import("node:os");
  const { randomUUID } = await import("node:crypto");
  const { resolve } = await import("node:path");
  const { ownCommand } = await import("./edge/own-command.ts");
  const { fileURLToPath } = await import("node:url");
  const { findHelperPrograms } = await import("./edge/processes/helper-programs.ts");
  findHelperPrograms();
  process.stdin.on("error", passOverLost);
  closeLostTerminals();
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: workingDirectory(),
    home: process.env["HOME"] || homedir(),
    managedSettings: managedSettings(),
    configDir: resolve(process.env["TOOL_CONFIG_DIR"] || `${homedir()}/.tool`),
    packageDir: fileURLToPath(packageDir).replace(/\/$/, ""),
    version: TOOL_VERSION,
    get command() {
      return ownCommand({ script: process.argv[1] ?? "", cwd: process.cwd(), env: process.env });
    },
    get cores() {
      return availableParallelism();
    },
    self: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    stdin: process.stdin,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    onSignal: (listener) => {
      const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
      for (const signal of signals) process.on(signal, listener);
      return () => void signals.map((signal) => process.off(signal, listener));
    },
    uniqueId: randomUUID,
    edges: edges(),
  };
}

/** The environment may add a file and never take the first one's place: whoever starts us must not get rid of the administrator's rules. */
function managedSettings(): string[] {
  const fixed = process.platform === "darwin" ? "/Library/Application Support/tool/settings.json" : "/etc/tool/settings.json";
  const further = process.env["TOOL_MANAGED_SETTINGS"];
  return further ? [fixed, further] : [fixed];
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write("tool: the working directory no longer exists. Change into one that does.\n");
    process.exit(2);
  }
}

function output(stream: NodeJS.WriteStream): Output {
  let state: "open" | "closed" = "open";
  let written = Promise.resolve();
  stream.on("error", passOverLost);
  return {
    write(text) {
      written = new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) state = "closed";
          resolve();
        });
      });
    },
    async drained() {
      await written;
      return state;
    },
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

/**
 * A reader that has gone away (`tool … | head`) is no fault: what remains is done without words, by commands that do not ask. Nor is a
 * terminal that is gone: whoever is to end with it gets SIGHUP as well. Nor is input that a command reads no further.
 */
function passOverLost(error: NodeJS.ErrnoException): void {
  if (error.code === "ENOSPC") {
    writeSync(2, "tool: Cannot write the output: no space is left where it goes.\n");
    process.exit(1);
  }
  if (!["EPIPE", "EIO", "ABORT_ERR"].includes(error.code ?? "")) throw error;
}

/**
 * At its end Node gives every terminal that it was started with its modes back, and aborts with a native stack when one has gone away
 * meanwhile. What is closed by then it passes over.
 */
function closeLostTerminals(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  if (terminals.length === 0) return;
  process.on("exit", () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}

function edges(): Edges {
  const sandboxTrial = onceEach(async ([cwd = "/", ...directories]) => {
    const [{ trySandbox }, { findHelperPrograms }] = await Promise.all([
      import("./edge/shell/sandbox/trial.ts"),
      import("./edge/processes/helper-programs.ts"),
    ]);
    findHelperPrograms([cwd, ...directories]);
    return trySandbox(cwd);
  });
  return {
    ...diskEdges,
    ...modelEdges,
    ...displayEdges,
    clock: async () => (await import("./edge/clock.ts")).clock,
    terminal: async () => (await import("./edge/display/terminal.ts")).openTerminal(),
    async secrets() {
      const [{ secretScanner }, { filesBelow, stagedFiles }, { newChanges }] = await Promise.all([
        import("./edge/secret-scanner.ts"),
        import("./edge/git/repository-files.ts"),
        import("./edge/git/new-commits.ts"),
      ]);
      return { scanner: secretScanner(), files: filesBelow, staged: stagedFiles, newChanges };
    },
    definitions: async () => (await import("./edge/disk/definition-files.ts")).definitionFiles,
    async commitHook() {
      const { installHook, uninstallHook } = await import("./edge/git/commit-hook.ts");
      return { install: installHook, uninstall: uninstallHook };
    },
    programPlaces: async (path, folders) => (await import("./edge/processes/program-places.ts")).programPlaces(path, folders),
    scratchRepository: async (source) => (await import("./edge/git/scratch-repository.ts")).scratchRepository(source),
    repositoryFacts: async (cwd) => (await import("./edge/git/repository-facts.ts")).repositoryFacts(await batchGit("batch"), cwd),
    agentWorktrees: openAgentWorktrees,
    teamTrees: openTeamTrees,
    batchRepository,
    forge: async (remote, env) => (await import("./edge/forge/open-forge.ts")).openForge(remote, env),
    demoForge: async (repository) => (await import("./edge/forge/demo-forge.ts")).demoForge(repository),
    lineProcess: async () => (await import("./edge/processes/line-process.ts")).lineProcess,
    editFile: async (path, env) => (await import("./edge/processes/edit-file.ts")).editFile(path, env),
    actingAgent: async () => (await import("./edge/processes/owner.ts")).actingAgent(),
    async processes() {
      const { memberProcesses } = await import("./edge/processes/member-processes.ts");
      return memberProcesses();
    },
    async work(request) {
      const [{ openWorkspace }, { UsageError }, { findHelperPrograms }] = await Promise.all([
        import("./agent/workspace.ts"),
        import("./app/world.ts"),
        import("./edge/processes/helper-programs.ts"),
      ]);
      const folders = [request.cwd, ...request.settings.effective.directories.map(({ path }) => path)];
      findHelperPrograms(folders);
      const opened = await openWorkspace(request, await ground(request.env, () => sandboxTrial(folders)));
      if (!opened.ok) throw new UsageError(opened.reason);
      return opened.work;
    },
    runHook: async () => (await import("./edge/processes/run-hook.ts")).runHook,
    outputs: async (folder) => (await import("./edge/disk/output-store.ts")).outputStore(folder),
    machine: async (where) => (await import("./edge/processes/machine.ts")).machine(where),
    async sandboxTrial(folders) {
      const trial = await sandboxTrial(folders);
      return trial.kind === "works" ? { kind: "works" } : trial;
    },
  };
}

const diskEdges: Pick<Edges, "input" | "disk" | "patientDisk" | "lock" | "watch" | "realPath"> = {
  input: async (path) => (await import("./edge/disk/input.ts")).openInput(path),
  disk: async () => (await import("./edge/disk/disk.ts")).disk,
  patientDisk: async (onWait) => (await import("./edge/disk/patient-disk.ts")).patientDisk({ onWait }),
  lock: async () => (await import("./edge/lock/lock.ts")).lock(),
  watch: async () => (await import("./edge/disk/watch.ts")).watch,
  async realPath() {
    const [{ files }, { ignorePatterns }] = await Promise.all([
      import("./edge/disk/files.ts"),
      import("./permissions/paths/ignore-patterns.ts"),
    ]);
    return files({ ignorePatterns }).real;
  },
};

const modelEdges: Pick<Edges, "model" | "modelProblem"> = {
  async model(choice) {
    if (choice.script !== undefined) return modelOfScript(choice.script, choice.paced);
    const { anthropicModel } = await import("./edge/model/anthropic.ts");
    return anthropicModel(await provider(choice));
  },
  async modelProblem(choice) {
    const { script, paced, keyHelper } = choice;
    if (script === undefined) {
      const [{ connectionProblem }, { helperProblem }] = await Promise.all([
        import("./edge/model/anthropic.ts"),
        import("./edge/model/key-helper.ts"),
      ]);
      return (keyHelper && helperProblem(keyHelper)) || connectionProblem(await provider(choice));
    }
    try {
      await modelOfScript(script, paced);
      return undefined;
    } catch (error) {
      return `Cannot use the script: ${await reasonOf(error, script)}.`;
    }
  },
};

/** In plain words, and without a full stop. */
async function reasonOf(error: unknown, file: string): Promise<string> {
  const { codeOf } = await import("./edge/system-error.ts");
  const words: Record<string, string> = {
    ENOENT: "there is no such file",
    EISDIR: "it is a folder",
    EACCES: "it may not be read",
  };
  const known = words[codeOf(error) ?? ""];
  return known ? `${file}: ${known}` : (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}

/** Where teammates are shown. */
const displayEdges: Pick<
  Edges,
  | "displayFacts"
  | "display"
  | "driverPorts"
  | "testFolder"
  | "startPrivateServer"
  | "attach"
  | "showPane"
  | "ownPane"
  | "closeOwnPane"
  | "privateServers"
> = {
  async displayFacts(env) {
    const [{ tmuxVersion }, { keptEnvironment }, { ptyAvailable }] = await Promise.all([
      import("./edge/display/tmux/call.ts"),
      import("./edge/display/kept-environment.ts"),
      import("./edge/display/pty.ts"),
    ]);
    return {
      insideTmux: Boolean(env["TMUX"] && env["TMUX_PANE"]),
      tmuxVersion: await tmuxVersion(keptEnvironment(env)),
      platform: process.platform,
      iterm2: env["TERM_PROGRAM"] === "iTerm.app",
      terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
      pty: await ptyAvailable(),
    };
  },
  async display({ choice, team, owner, env, size, logOf }) {
    switch (choice.mode) {
      case "tmux": {
        const { tmuxDisplay } = await import("./edge/display/tmux/tmux.ts");
        const inside = { kind: "inside", tmux: env["TMUX"] ?? "", pane: env["TMUX_PANE"] ?? "" } as const;
        return tmuxDisplay({ team, owner, env, place: choice.where === "detached" ? { kind: "detached", size } : inside });
      }
      case "iterm2": {
        const { iterm2Display } = await import("./edge/display/iterm2/iterm2.ts");
        return iterm2Display({ leadSession: env["ITERM_SESSION_ID"], platform: process.platform, env });
      }
      case "in-process":
        return (await import("./edge/display/pty.ts")).ptyDisplay({ size, env });
      case "driver": {
        const { driverDisplay } = await import("./team/driver-display.ts");
        return driverDisplay(choice.driver, await displayEdges.driverPorts(env));
      }
      case "plain":
        return (await import("./edge/display/log-display.ts")).logDisplay({ env, logOf });
    }
  },
  async driverPorts(env) {
    const [{ driverPorts }, { personsEnvironment }] = await Promise.all([
      import("./edge/display/driver-ports.ts"),
      import("./permissions/environment.ts"),
    ]);
    return driverPorts(personsEnvironment(env));
  },
  testFolder: async () => (await import("./edge/display/test-folder.ts")).testFolder(),
  async startPrivateServer({ argv, former, ...request }) {
    const { startPrivateServer } = await import("./edge/display/tmux/server.ts");
    const size = { columns: process.stdout.columns || 200, rows: process.stdout.rows || 50 };
    const servers = former.map(({ socket, serverPid, serverStart }) => ({ socket, pid: serverPid, start: serverStart }));
    return startPrivateServer({ ...request, leadArgv: argv, size, former: servers });
  },
  attach: async (socket, env) => (await import("./edge/display/tmux/attach.ts")).attach(socket, env),
  showPane: async (pane, env) => (await import("./edge/display/tmux/attach.ts")).showPane(pane, env),
  ownPane: async (env) => (await import("./edge/display/tmux/attach.ts")).ownPane(env),
  closeOwnPane: async (env) => (await import("./edge/display/tmux/attach.ts")).closeOwnPane(env),
  async privateServers(env) {
    const { lookAtPrivateServer, stopPrivateServer } = await import("./edge/display/tmux/server.ts");
    const identity = ({ socket, serverPid, serverStart, owner }: TmuxHandle) => ({ socket, pid: serverPid, start: serverStart, owner });
    return { look: (pane) => lookAtPrivateServer(identity(pane), env), end: (pane) => stopPrivateServer(identity(pane), env) };
  },
};

/** A trial takes longer than what it is for: each is made once. */
function onceEach<T>(find: (folders: string[]) => Promise<T>): (folders: string[]) => Promise<T> {
  const found = new Map<string, Promise<T>>();
  return (folders) => {
    const key = folders.join("\0");
    const known = found.get(key) ?? find(folders);
    found.set(key, known);
    return known;
  };
}

/** Everything below the rules that an agent's work stands on. */
async function ground(env: Record<string, string | undefined>, trial: () => Promise<SandboxTrial>): Promise<WorkspacePorts> {
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
    import("./edge/disk/disk.ts"),
    import("./edge/disk/files.ts"),
    import("./edge/shell/shell.ts"),
    import("./edge/web.ts"),
    import("./edge/secret-scanner.ts"),
    import("./edge/disk/env-files.ts"),
    import("./edge/git/new-commits.ts"),
    import("./edge/git/repository-history.ts"),
    import("./edge/git/repository-programs.ts"),
    import("./edge/git/configured-remotes.ts"),
    import("./edge/processes/program-places.ts"),
    import("./edge/shell/outliers.ts"),
    import("./edge/git/kept-by-git.ts"),
    import("./edge/disk/instruction-files.ts"),
    import("./edge/disk/top-level.ts"),
    import("./edge/matching-lines.ts"),
  ]);
  const [{ homedir }, { fileURLToPath }, { ignorePatterns }, { commitHooks }] = await Promise.all([
    import("node:os"),
    import("node:url"),
    import("./permissions/paths/ignore-patterns.ts"),
    import("./edge/git/commit-hook.ts"),
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
    sandbox: async (options) => (await import("./edge/shell/sandbox/sandbox.ts")).openSandbox({ ...options, trial }),
    async putAsideInterrupted(folder, places) {
      const { putAsideInterrupted } = await import("./edge/shell/sandbox/interrupted-command.ts");
      return putAsideInterrupted(folder, places);
    },
    web,
    scanner: secretScanner,
    envFileTexts,
    commits: { headMark, madeSince, markOf },
    repositoryHistory,
    repositoryPrograms,
    repositoryState: async (folder, options) => (await import("./edge/git/repository-state.ts")).repositoryState(folder, options),
    topLevel,
    configuredRemotes,
    programPlaces,
    outliers,
    keptByGit,
    trackedFiles: async (folder, paths) => (await import("./edge/git/tracked-files.ts")).trackedFiles(folder, paths),
    commitHooks: commitHooks(fileURLToPath(new URL("dist/hooks", packageDir))),
    instructionFiles,
  };
}

/** git for a batch: in the environment of commands, which has no keys. */
async function batchGit(owner: string): Promise<OwnGit> {
  const [{ ownGit }, { commandEnvironment }] = await Promise.all([import("./edge/git/own-git.ts"), import("./permissions/environment.ts")]);
  return ownGit(commandEnvironment(process.env, owner));
}

async function openAgentWorktrees({ root: repository, ...order }: AgentWorktreesOrder): Promise<AgentWorktrees> {
  const [{ agentWorktrees }, { clearLeft }] = await Promise.all([
    import("./edge/git/agent-worktrees.ts"),
    import("./edge/git/left-locks.ts"),
  ]);
  const git = await batchGit(order.owner);
  await clearLeft(git, { repository, ...order });
  return agentWorktrees({ ...order, git, repository });
}

/** Other processes of the team are at work in theirs: nothing is cleared away. */
async function openTeamTrees({ root: repository, owner, ...order }: TeamTreesOrder): Promise<TeamTrees> {
  const { teamWorktrees } = await import("./edge/git/team-worktrees.ts");
  return teamWorktrees({ ...order, git: await batchGit(owner), repository, look: await lookThrough() });
}

/** What commits of our own would bring, looked through for secrets. */
async function lookThrough(): Promise<LookThrough> {
  const [{ newChanges }, { secretScanner }, { changesProblem }] = await Promise.all([
    import("./edge/git/new-commits.ts"),
    import("./edge/secret-scanner.ts"),
    import("./permissions/commit-gate.ts"),
  ]);
  const scanner = secretScanner();
  return (folder, update) => changesProblem(newChanges({ folder, hidden: undefined }, update), scanner);
}

async function batchRepository({ owner, root, env, ...order }: BatchRepositoryOrder): Promise<Repository> {
  const [{ batchRepository }, { clearLeft }] = await Promise.all([
    import("./edge/git/batch-repository.ts"),
    import("./edge/git/left-locks.ts"),
  ]);
  const logins = ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GIT_SSH", "GIT_SSH_COMMAND", "DBUS_SESSION_BUS_ADDRESS", "GNOME_KEYRING_CONTROL"];
  const git = await batchGit(owner);
  await clearLeft(git, { repository: root, home: order.home, owner });
  return batchRepository({
    ...order,
    git,
    repository: root,
    look: await lookThrough(),
    pushEnv: Object.fromEntries(logins.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    token: async (url) => (await import("./edge/forge/open-forge.ts")).pushToken(url, env),
  });
}

/** Throws what is wrong with the script. */
async function modelOfScript(file: string, paced: boolean): Promise<Model> {
  const [{ readFileSync }, { scriptedModel }] = await Promise.all([import("node:fs"), import("./edge/model/scripted/scripted-model.ts")]);
  return scriptedModel({ file, text: readFileSync(file, "utf8"), pace: paced ? "script" : "none" });
}

/** The provider's address and key, as settings or the environment give them. */
async function provider({ env, baseURL, keyHelper }: ModelChoice): Promise<AnthropicOptions> {
  return {
    apiKey: env["ANTHROPIC_API_KEY"],
    authToken: env["ANTHROPIC_AUTH_TOKEN"],
    baseURL: env["ANTHROPIC_BASE_URL"],
    ...(baseURL !== undefined && { baseURL, baseURLFrom: "apiBaseUrl of the settings" }),
    ...(keyHelper !== undefined && { keyHelper: (await import("./edge/model/key-helper.ts")).keyHelper(keyHelper, env) }),
    apiVersion: env["TOOL_API_VERSION"],
  };
}
