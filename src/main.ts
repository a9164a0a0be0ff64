// The composition root: the only reader of argv, env and cwd. `--version` is answered before anything else is loaded.
import { writeSync } from "node:fs";
import type { Model } from "./agent/model.ts";
import type { Edges, Output, WorkRequest, World } from "./cli/world.ts";
import type { Sandbox } from "./edge/sandbox.ts";
import type { Ask } from "./permissions/permit.ts";
import type { Policy } from "./permissions/policy.ts";
import type { SecretsMode } from "./permissions/redactor.ts";
import type { Effective } from "./permissions/settings-scopes.ts";
import type { TmuxHandle } from "./team/place.ts";
import type { AnyTool } from "./tools/tool.ts";

/** From package.json, put here by build.js. */
declare const TOOL_VERSION: string;

const packageDir = new URL("..", import.meta.url);

if (process.argv.length === 3 && /^(--version|-v)$/.test(process.argv[2] ?? "")) {
  writeSync(1, `${TOOL_VERSION}\n`); // not process.stdout: making that stream takes longer than the rest
} else {
  await main();
}

async function main(): Promise<void> {
  const { run } = await import("./cli/program.ts");
  const code = await run(await world());
  // A pipe may still hold what was printed last; an open handle of a library must not keep the process.
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit(code);
}

async function world(): Promise<World> {
  const { homedir } = await import("node:os");
  const { randomUUID } = await import("node:crypto");
  const { resolve } = await import("node:path");
  const { fileURLToPath } = await import("node:url");
  process.stdin.on("error", passOverLost);
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: workingDirectory(),
    home: process.env["HOME"] || homedir(),
    managedSettings: managedSettings(),
    configDir: resolve(process.env["TOOL_CONFIG_DIR"] || `${homedir()}/.tool`),
    packageDir: fileURLToPath(packageDir).replace(/\/$/, ""),
    version: TOOL_VERSION,
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
  if (!["EPIPE", "EIO", "ABORT_ERR"].includes(error.code ?? "")) throw error;
}

function edges(): Edges {
  return {
    disk: async () => (await import("./edge/disk.ts")).disk,
    lock: async () => (await import("./edge/lock.ts")).lock(),
    watch: async () => (await import("./edge/watch.ts")).watch,
    async realPath() {
      const [{ files }, { ignorePatterns }] = await Promise.all([import("./edge/files.ts"), import("./permissions/ignore-patterns.ts")]);
      return files({ ignorePatterns }).real;
    },
    clock: async () => (await import("./edge/clock.ts")).clock,
    terminal: async () => (await import("./edge/terminal.ts")).openTerminal(),
    async secrets() {
      const [{ secretScanner }, { filesBelow, staged }] = await Promise.all([
        import("./edge/secret-scanner.ts"),
        import("./edge/repository-files.ts"),
      ]);
      return { scanner: secretScanner(), files: filesBelow, staged };
    },
    async commitHook() {
      const { installHook, uninstallHook } = await import("./edge/commit-hook.ts");
      return { install: installHook, uninstall: uninstallHook };
    },
    scratchRepository: async (source) => (await import("./edge/scratch-repository.ts")).scratchRepository(source),
    actingAgent: async () => (await import("./edge/owner.ts")).actingAgent(),
    async processes() {
      const { memberProcesses } = await import("./edge/member-processes.ts");
      return memberProcesses();
    },
    async model({ env, script, paced }) {
      if (script === undefined) {
        const { anthropicModel } = await import("./edge/anthropic.ts");
        return anthropicModel(provider(env));
      }
      return modelOfScript(script, paced);
    },
    async modelProblem({ env, script, paced }) {
      if (script === undefined) return (await import("./edge/anthropic.ts")).connectionProblem(provider(env));
      try {
        await modelOfScript(script, paced);
        return undefined;
      } catch (error) {
        return `Cannot use the script: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    async work(request) {
      const [{ files }, { shell }, { fileTools, readOnlyTools }, { guardDisk }, { makePolicy }, { permit }, rules] = await Promise.all([
        import("./edge/files.ts"),
        import("./edge/shell.ts"),
        import("./tools/set.ts"),
        import("./permissions/guard.ts"),
        import("./permissions/policy.ts"),
        import("./permissions/permit.ts"),
        import("./permissions/ignore-patterns.ts"),
      ]);
      const { homedir } = await import("node:os");
      const { loadSettings, policyOrder } = await import("./permissions/settings-files.ts");
      const { keptRules } = await import("./permissions/kept-rules.ts");
      const { UsageError } = await import("./cli/world.ts");
      const { disk: plainDisk } = await import("./edge/disk.ts");
      const { cwd, configDir, env, owner, readOnly, mode, allow, deny } = request;
      const places = { cwd, home: env["HOME"] || homedir(), configDir, managed: managedSettings() };
      const settings = loadSettings(plainDisk, places, { ...request.flags, allow, deny, ...(mode && { permissionMode: mode }) });
      if (!settings.ok) throw new UsageError(settings.reason);
      const real = files({ ignorePatterns: rules.ignorePatterns });
      const made = await makePolicy({ ...policyOrder(settings, places), outputs: request.outputs?.folder }, real.real);
      if (!made.ok) throw new UsageError(made.reason);
      const { effective } = settings;
      const { redactor, screen } = await secretsFor(request, effective.secrets);
      const { redactingDisk } = await import("./permissions/redacting-disk.ts");
      const disk = redactingDisk(guardDisk(real, made.policy), redactor);
      const { redactingOutputs } = await import("./permissions/redacting-outputs.ts");
      const outputs = request.outputs && redactingOutputs(request.outputs, redactor);
      const now = () => new Date();
      const permitFor = (ask: Ask | undefined, onFailed: (reason: string) => void = () => {}) => {
        const always = keptRules({ disk: plainDisk, configDir, cwd, settings, now, onFailed });
        return permit({ policy: made.policy, real: real.real, ask, always, now, onDenied: () => {} });
      };
      let asked: Ask | undefined;
      let enter = permitFor(undefined);
      const { commandEnvironment } = await import("./permissions/environment.ts");
      let opening: Promise<Sandbox> | undefined;
      const sandbox = () => {
        opening ??= sandboxFor(request, made.policy, effective);
        return opening;
      };
      const mayStay = async (path: string, signal: AbortSignal) => {
        const { allowed } = await enter({ tool: "Write", input: { path } }, signal);
        // The answer is about what the command left there, not about a further write.
        for (const access of ["write", "read"] as const) made.policy.grants.usePass(access, path);
        return allowed;
      };
      const keep = [...effective.keepEnvironment, ...Object.keys(effective.env)];
      const commands = shell({ cwd, env: commandEnvironment({ ...env, ...effective.env }, owner, keep), sandbox, mayStay });
      const [{ web }, { webFetchTool }] = await Promise.all([import("./edge/web.ts"), import("./tools/web-fetch.ts")]);
      const fetch = webFetchTool(web(), (url, signal) => enter({ tool: "WebFetch", input: { url } }, signal));
      return {
        tools: readOnly
          ? readOnlyTools(disk)
          : [...fileTools({ disk, shell: commands, outputs, fetch }), ...(await planTools(made.policy, () => asked))],
        settings,
        instructions: async () => {
          const [{ loadInstructions }, { instructionFiles }] = await Promise.all([
            import("./agent/instructions.ts"),
            import("./edge/instruction-files.ts"),
          ]);
          const { mayInstruct } = await import("./permissions/instructions.ts");
          const { cwd, configDir } = made.policy;
          const found = await loadInstructions(
            instructionFiles((at) => mayInstruct(at, made.policy)),
            { cwd, configDir },
          );
          return Promise.all(found.map(async (file) => ({ ...file, text: (await redactor.text(file.text, { path: file.path })).text })));
        },
        screen,
        paths: async () => {
          const walked = await disk.walk(".", AbortSignal.timeout(5_000));
          return walked.kind === "files" ? walked.paths : [];
        },
        platform: process.platform,
        permit: (ask, onNotice) => {
          asked = ask;
          enter = permitFor(ask, onNotice);
          // Whether a command is shut in counts for its decision.
          return async (call, signal) => {
            if (call.tool === "Bash") await sandbox();
            return enter(call, signal);
          };
        },
        granted: () => made.policy.grants.given,
        sandbox: async () => (await sandbox()).state(),
        async endAll() {
          // It may stand without a command having run in it: a decision or the status line has asked for it.
          void opening?.then((opened) => opened.close());
          await commands.endAll();
        },
      };
    },
    outputs: async (folder) => (await import("./edge/output-store.ts")).outputStore(folder),
    machine: async (where) => (await import("./edge/machine.ts")).machine(where),
    async sandboxState() {
      if (process.platform !== "linux") return { kind: "unavailable", why: `it is made for Linux, and this is ${process.platform}` };
      const { tryBwrap } = await import("./edge/sandbox-bwrap.ts");
      const found = await tryBwrap();
      return found.ok ? { kind: "active" } : { kind: "unavailable", why: found.why };
    },
    async displayFacts(env) {
      const [{ tmuxVersion }, { keptEnvironment }, { ptyAvailable }] = await Promise.all([
        import("./edge/tmux-call.ts"),
        import("./edge/kept-environment.ts"),
        import("./edge/pty.ts"),
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
          const { tmuxDisplay } = await import("./edge/tmux.ts");
          const inside = { kind: "inside", tmux: env["TMUX"] ?? "", pane: env["TMUX_PANE"] ?? "" } as const;
          return tmuxDisplay({ team, owner, env, place: choice.where === "detached" ? { kind: "detached", size } : inside });
        }
        case "iterm2": {
          const { iterm2Display } = await import("./edge/iterm2.ts");
          return iterm2Display({ leadSession: env["ITERM_SESSION_ID"], platform: process.platform, env });
        }
        case "in-process":
          return (await import("./edge/pty.ts")).ptyDisplay({ size, env });
        case "plain":
          return (await import("./edge/plain.ts")).plainDisplay({ env, logOf });
      }
    },
    async startPrivateServer({ argv, ...request }) {
      const { startPrivateServer } = await import("./edge/tmux-server.ts");
      const size = { columns: process.stdout.columns || 200, rows: process.stdout.rows || 50 };
      return startPrivateServer({ ...request, leadArgv: argv, size });
    },
    attach: async (socket, env) => (await import("./edge/tmux-attach.ts")).attach(socket, env),
    showPane: async (pane, env) => (await import("./edge/tmux-attach.ts")).showPane(pane, env),
    ownPane: async (env) => (await import("./edge/tmux-attach.ts")).ownPane(env),
    closeOwnPane: async (env) => (await import("./edge/tmux-attach.ts")).closeOwnPane(env),
    async privateServers(env) {
      const { lookAtPrivateServer, stopPrivateServer } = await import("./edge/tmux-server.ts");
      const identity = ({ socket, serverPid, serverStart, owner }: TmuxHandle) => ({ socket, pid: serverPid, start: serverStart, owner });
      return { look: (pane) => lookAtPrivateServer(identity(pane), env), end: (pane) => stopPrivateServer(identity(pane), env) };
    },
  };
}

/** Of a session that begins in the mode plan. */
async function planTools(policy: Policy, asked: () => Ask | undefined): Promise<AnyTool[]> {
  if (policy.mode !== "plan") return [];
  const [{ planDesk }, { submitPlanTool }] = await Promise.all([import("./permissions/plan-desk.ts"), import("./tools/submit-plan.ts")]);
  return [submitPlanTool(planDesk(policy, asked))];
}

/** What takes secrets out of everything that one session sends. */
async function secretsFor({ cwd, env, lastPlaceholder }: WorkRequest, mode: SecretsMode = "redact") {
  const [{ secretScanner }, { createRedactor }, { secretScreen }, { envFileTexts }, { commitView }] = await Promise.all([
    import("./edge/secret-scanner.ts"),
    import("./permissions/redactor.ts"),
    import("./permissions/screen.ts"),
    import("./edge/env-files.ts"),
    import("./edge/repository-files.ts"),
  ]);
  const scanner = secretScanner();
  const { envLines } = await import("./permissions/known-secrets.ts");
  const own = Object.entries(env).map(([name, value = ""]) => ({ name, value }));
  const variables = [...own, ...envFileTexts(cwd).flatMap(envLines)];
  const redactor = createRedactor({ mode, scanner, variables, after: lastPlaceholder });
  return { redactor, screen: secretScreen(redactor, { cwd, view: commitView(), scanner }) };
}

/** A lead runs no commands and needs no wall around them. */
async function sandboxFor(request: WorkRequest, policy: Policy, settings: Effective): Promise<Sandbox> {
  const [{ openSandbox }, { sandboxView, standings, hidesByName, secretPlaces }] = await Promise.all([
    import("./edge/sandbox.ts"),
    import("./permissions/sandbox-view.ts"),
  ]);
  const enabled = settings.sandbox.enabled !== false;
  const network = settings.sandbox.network === true;
  const socket = settings.keepEnvironment.includes("SSH_AUTH_SOCK") ? request.env["SSH_AUTH_SOCK"] : undefined;
  const sandbox = await openSandbox({
    enabled: enabled && !request.readOnly,
    cwd: policy.cwd,
    directories: policy.directories,
    stateFolder: `${policy.configDir}/sandbox/${request.owner.replaceAll(/[^\w-]/g, "-")}`,
    onLost: () => {
      policy.hides = false;
    },
    shared: [...(socket ? [socket] : []), ...(network ? ["/etc/resolv.conf"] : [])],
    rules: {
      standingOf: standings(policy),
      view: (found) => sandboxView(policy, network, found),
      secretPlaces: [...secretPlaces(policy), ...["TMUX_TMPDIR", "XDG_RUNTIME_DIR"].flatMap((name) => request.env[name] ?? [])],
      hidesByName: hidesByName(policy),
    },
  });
  policy.hides = sandbox.state().kind === "active";
  return sandbox;
}

/** Throws what is wrong with the script. */
async function modelOfScript(file: string, paced: boolean): Promise<Model> {
  const [{ readFileSync }, { scriptedModel }] = await Promise.all([import("node:fs"), import("./edge/scripted-model.ts")]);
  return scriptedModel({ file, text: readFileSync(file, "utf8"), pace: paced ? "script" : "none" });
}

/** The provider's address and key, as the environment gives them. */
function provider(env: Record<string, string | undefined>) {
  return {
    apiKey: env["ANTHROPIC_API_KEY"],
    authToken: env["ANTHROPIC_AUTH_TOKEN"],
    baseURL: env["ANTHROPIC_BASE_URL"],
    apiVersion: env["TOOL_API_VERSION"],
  };
}
