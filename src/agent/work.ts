// What an agent can do in a working directory, and what stands between it and the world: settings, rules, the guard, the sandbox, secrets.
import { bashOutputTool, killBashTool } from "../background/bash-output.ts";
import type { CommandRecords } from "../background/command-file.ts";
import { type AgentCommands, type Commands, createCommands } from "../background/commands.ts";
import { type ChildLimits, childPolicy, narrowed, setNarrower } from "../permissions/child-policy.ts";
import type { CommitGate } from "../permissions/commit-gate.ts";
import { commandEnvironment, gitVariables } from "../permissions/environment.ts";
import { type FileInTree, fileInTree } from "../permissions/file-in-tree.ts";
import { everythingInside, type Granted, type TeamGrant } from "../permissions/grants.ts";
import { guardDisk } from "../permissions/guard.ts";
import { homeNotice, isHome } from "../permissions/home.ts";
import { whyHidden, whyNotInstructed } from "../permissions/instructions.ts";
import { interruptedNotices } from "../permissions/left-behind.ts";
import { maskMark } from "../permissions/masked.ts";
import { changedMode, type ModeChange, nextMode } from "../permissions/mode-change.ts";
import { isSplitName } from "../permissions/outliers.ts";
import { hiddenPlaces } from "../permissions/paths/hidden-history.ts";
import { isSensitiveName } from "../permissions/paths/places.ts";
import type { Ask } from "../permissions/permit.ts";
import { planDesk } from "../permissions/plan-desk.ts";
import { makePolicy, type PermissionMode, type Policy, type SandboxFinding, type SandboxState } from "../permissions/policy.ts";
import { parseRule, type Rule } from "../permissions/rules.ts";
import { stateAfterTrial, underSettings } from "../permissions/sandbox-state.ts";
import { hidesByName, sandboxView, secretPlaces, standings } from "../permissions/sandbox-view.ts";
import { secretScreen } from "../permissions/screen.ts";
import { socketsNamedIn } from "../permissions/unix-sockets.ts";
import { envLines } from "../secrets/redaction/known-secrets.ts";
import { redactingDisk } from "../secrets/redaction/redacting-disk.ts";
import { redactingOutputs } from "../secrets/redaction/redacting-outputs.ts";
import { createRedactor, type Redactor } from "../secrets/redaction/redactor.ts";
import type { Scanner } from "../secrets/secrets.ts";
import { type LoadedSettings, policyOrder } from "../settings/files.ts";
import { keptRules } from "../settings/kept-rules.ts";
import { liveSettings } from "../settings/live-settings.ts";
import type { Effective } from "../settings/scopes.ts";
import type { OutputStore } from "../tools/output.ts";
import { fileTools, readOnlyTools } from "../tools/set.ts";
import type { Shell } from "../tools/shell.ts";
import { submitPlanTool } from "../tools/submit-plan.ts";
import { todoWriteTool } from "../tools/todo-write.ts";
import type { AnyTool } from "../tools/tool.ts";
import { webFetchTool } from "../tools/web-fetch.ts";
import { environmentText } from "./environment.ts";
import type { Input } from "./events.ts";
import { type GitView, gitView } from "./git-view.ts";
import type { Ground } from "./ground.ts";
import { type Instructions, loadInstructions, type SkippedInstructions } from "./instructions.ts";
import type { Permit } from "./permit.ts";
import type { Sandbox } from "./sandbox-port.ts";
import type { Screen } from "./screen.ts";
import { type AcceptedGrowth, type SettingsChanges, settingsChanges } from "./settings-changes.ts";
import { whileCommandsRun } from "./writes-meanwhile.ts";

export type WorkRequest = {
  cwd: string;
  configDir: string;
  env: Record<string, string | undefined>;
  /** `<session>:<agent>`, the marker of everything that commands start. */
  owner: string;
  /** A lead looks and does not touch. */
  readOnly: boolean;
  /** Commands do not write the repository's own folder where the working directory is a worktree: the harness commits. */
  repositoryFixed?: boolean;
  /** What the first process of this session or team found; undefined in that process. */
  sandboxFound: SandboxFinding | undefined;
  /** A teammate: settings that give more than before are asked for at the lead. */
  followsLead?: boolean;
  /** What the person has accepted of that, for all members. */
  acceptedGrowth?: AcceptedGrowth;
  /** What the person has granted to the whole team now, each rule as it is shown. Absent: there is no team. */
  teamGrants?: () => { rule: string; since: string }[];
  /** Loaded for this working directory. */
  settings: LoadedSettings;
  /** The highest number of a placeholder in what the session has said already. */
  lastPlaceholder?: number;
  /** Where the whole of a long output is kept. */
  outputs?: OutputStore;
  /** Where what runs in the background is kept beyond this process; a sub-agent's is kept with its parent's. */
  commands?: CommandRecords;
  /** Of a session that works by the definition of an agent: what that gives and takes. */
  definition?: Pick<ChildLimits, "tools" | "disallowedTools" | "mode">;
  /** Absent: it is nobody's sub-agent. */
  child?: ChildRights;
};

/** What a sub-agent may do: never more than the agent that started it. */
export type ChildRights = ChildLimits & { parent: Shared };

/** What sub-agents have together with the agent that started them. */
export type Shared = { policy: Policy; redactor: Redactor; scanner: Scanner; commands: Commands; isSolo: boolean };

/** The tools for files and commands, behind the guard, and what decides whether a call may run. */
export type Work = {
  tools: AnyTool[];
  /** Without `ask` there is nobody to ask, and what needs an answer is refused. `onNotice`: what came of an answer, for the person. */
  permit: (ask: Ask | undefined, onNotice?: (text: string) => void) => Permit;
  /** Takes secrets out of results and messages, and keeps them out of commits. */
  screen: Screen;
  /** A text that is no result and that nobody typed, as it may be sent. */
  redacted: (text: string) => Promise<string>;
  /** How many secrets a text has that is sent as it is. */
  secretsIn: (text: string) => number;
  /** What the settings of all scopes come to here, and what waits for trust. */
  settings: () => LoadedSettings;
  /** The person is about to add or remove this rule in this session, and is not asked about it again. */
  own: SettingsChanges["own"];
  /** The permission mode now: a plan that is approved changes it, and so does the person. */
  mode: () => PermissionMode;
  /** Turns to the mode of that name, or to the next one: it counts from the next decision on. */
  changeMode: (wanted?: string) => ModeChange;
  /** How an agent in the mode plan submits its plan; among the tools from the start in a session that begins in it. */
  planTool: AnyTool;
  /**
   * Takes over what others have changed in the settings and in the team's grants, and with a signal asks about what gives agents more; before
   * each call that is done by itself.
   */
  refresh(signal?: AbortSignal): Promise<void>;
  /** What a person has allowed for longer than once since this session began. */
  granted: () => readonly Granted[];
  /** Takes such an answer back; false when there is none. */
  revoke: (rule: string) => boolean;
  /** Instruction files that may be read, the most general first, and those that are there and may not. */
  instructions(): Promise<{ found: Instructions[]; skipped: SkippedInstructions[] }>;
  /** The rule that keeps a file from the agent, if there is one; the second half of a sentence. */
  whyHidden(path: string): Promise<string | undefined>;
  /** Whether this agent could give the file to a worker to change. */
  fileInTree(path: string): Promise<FileInTree>;
  /** From now on only what these rules name, of what there is already, until `widen`. What is no rule gives nothing. A sub-agent keeps what it began under. */
  narrow(skill: string, tools: readonly string[]): void;
  widen(): void;
  /** Files below the working directory that may be read, for completion. */
  paths(): Promise<string[]>;
  /** What the model is told about the place where it works, gathered once: at the first call, which does not wait for anything else. */
  environmentInput(): Promise<Input>;
  /** The operating system, for the model. */
  platform: string;
  /** Whether commands are shut in now: for the status line and for `doctor`. */
  sandbox(): Promise<SandboxState>;
  /** Of the programs that the person has configured: their own, without keys of the provider and what else is held back from commands. */
  environment(): Record<string, string>;
  /** For what the person runs: their own rights and environment, without a sandbox and without a question. */
  personsShell: Shell;
  /** What runs in the background: the agent's own, and what the session's agents have all together. */
  commands: { own: AgentCommands; all: Commands };
  /** For the work of a sub-agent. */
  shared: Shared;
  /** Ends what commands left running. */
  endAll(): Promise<void>;
};

/** The reason is the first rule that is wrong: half of somebody's rules is not what they wrote. */
export async function openWork(request: WorkRequest, ground: Ground): Promise<{ ok: true; work: Work } | { ok: false; reason: string }> {
  const { cwd, configDir, readOnly, settings } = request;
  const places = { cwd, home: ground.home, configDir };
  const real = ground.files();
  const orderOf = (loaded: LoadedSettings) => narrowed(policyOrder(loaded, places), request.child ?? request.definition);
  const made = await makePolicy(
    { ...orderOf(settings), outputs: request.outputs?.folder, temporary: `${stateFolderOf(request)}/tmp` },
    real.real,
  );
  if (!made.ok) return made;
  const policy = request.child ? childPolicy(made.policy, request.child) : made.policy;
  policy.repositoryFixed = request.repositoryFixed ?? request.child?.parent.policy.repositoryFixed;
  setNarrower(policy, request.definition?.mode);
  const narrowedAbove = policy.narrowed.length;
  policy.privateTmp = ground.platform === "linux" ? policy.temporary : undefined;
  policy.outliers = ground.outliers([policy.cwd, ...policy.directories], { isSensitive: isSensitiveName, isSplit: isSplitName });
  policy.programs = ground.programPlaces(environmentOf(request, settings.effective)["PATH"] ?? "", [policy.cwd, ...policy.directories]);
  const untold = request.child ? [] : [...(isHome(policy) ? [homeNotice] : []), ...(await leftByInterrupted(policy, ground))];
  const { redactor, screen, scanner } = secrets(request, settings.effective, {
    ground,
    isCovered: async (path) => (await sandbox.get()).state().kind === "active" && hiddenPlaces(policy)(path, "file"),
  });
  const disk = redactingDisk(guardDisk(real, policy), redactor);
  const outputs = request.outputs && redactingOutputs(request.outputs, redactor);
  const changed = settingsChanges(settings, {
    look: liveSettings(ground.disk, settings),
    async adopt(next) {
      const again = await makePolicy(orderOf(next), real.real);
      if (!again.ok) throw new Error(again.reason);
      const { allow, ask, deny, ignore, trusted, autoAllow } = again.policy;
      Object.assign(policy, { allow, ask, deny, ignore, trusted, autoAllow });
      changes++;
      (await sandbox.made())?.onNewRules();
    },
    follows: request.followsLead === true || request.child !== undefined,
    team: request.acceptedGrowth,
  });
  let asked: Ask | undefined;
  const canAsk = () => (policy.mode === "dontAsk" ? undefined : asked);
  let masked = maskMark(policy);
  /** A command that a person approved runs as they allowed it, and once; an answer may have masked files only now. */
  const approved = (shell: Shell): Shell => ({
    async run(request) {
      const now = maskMark(policy);
      if (now !== masked) {
        (await sandbox.made())?.onNewRules();
        await repositories.look(request);
      }
      masked = now;
      return shell.run({ ...request, ...policy.grants.takeRun(request.command) });
    },
  });
  let say: (text: string) => void = () => {};
  let changes = 0;
  let teams = "[]";
  /** Takes over what has changed in the settings and in what the team was granted. */
  const refresh = async (onNotice: (text: string) => void) => {
    await changed.refresh(onNotice, canAsk());
    const granted = request.teamGrants?.() ?? [];
    const now = JSON.stringify(granted);
    if (now === teams) return;
    teams = now;
    changes++;
    policy.grants.adoptTeam(granted.flatMap((one) => teamGrant(one, policy)));
  };
  /** Others write those files; nobody tells. */
  const untilChanged = async (signal: AbortSignal, onNotice: (text: string) => void) => {
    for (const before = changes; before === changes && !signal.aborted; ) {
      await aborted(AbortSignal.any([signal, ground.timeLimit(betweenLooksMs)]));
      if (!signal.aborted) await refresh(onNotice);
    }
  };
  const permitFor = (ask: Ask | undefined, onFailed: (reason: string) => void = () => {}) => {
    const always = keptRules({
      disk: ground.disk,
      configDir,
      cwd,
      settings,
      now: ground.now,
      onFailed,
      onKeep: (rule) => changed.own({ verb: "add", rule }),
    });
    // with the whole grammar of the shell behind it, which only a call needs
    const rules = once(async () => {
      const { permit } = await import("../permissions/permit.ts");
      const team = request.teamGrants && { refresh: () => refresh(onFailed) };
      const changed = (signal: AbortSignal) => untilChanged(signal, onFailed);
      return permit({
        policy,
        real: real.real,
        ask,
        always,
        keptByGit: ground.keptByGit,
        tracked: ground.trackedFiles,
        changed,
        team,
        now: ground.now,
      });
    });
    return (async (call, signal) => (await rules.get())(call, signal)) satisfies Permit;
  };
  let enter = permitFor(undefined);
  const repositories = gitView(policy, { stateFolder: stateFolderOf(request), scanner }, ground);
  const sandbox = once(() => openSandbox(request, { policy, settings: settings.effective, ground, repositories }));
  const commands = ground.shell({
    cwd,
    env: repositories.environment(environmentOf(request, settings.effective)),
    sandbox: sandbox.get,
    async mayStay(path, left, signal) {
      const permission = await enter({ tool: "Write", input: { path }, left }, signal);
      // The answer is about what the command left there, not about a further write.
      for (const access of ["write", "read"] as const) policy.grants.usePass(access, path);
      return permission;
    },
  });
  const own = Object.entries({ ...request.env, TOOL_OWNER: request.owner }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const personsShell = ground.shell({ cwd, env: Object.fromEntries(own) });
  const fetch = webFetchTool(ground.web(), async (url, signal) => {
    const from = ground.monotonicMs();
    const permission = await enter({ tool: "WebFetch", input: { url } }, signal);
    return { ...permission, askedMs: ground.monotonicMs() - from };
  });
  const planTool = submitPlanTool(planDesk(policy, () => asked));
  // A fork goes on from the very tools of its parent.
  const isSolo = request.child ? request.child.parent.isSolo : !request.teamGrants;
  // There from the start, since a change of the mode must not change the head of the requests.
  const plan = policy.mode === "plan" || isSolo ? [planTool] : [];
  /** Without opening one for it: that is for the first command. */
  const sandboxKnown = () => {
    if (sandbox.made()) return work.sandbox();
    if (settings.effective.sandbox.enabled === false) return Promise.resolve({ kind: "off" } as const);
    const { sandboxFound: found } = request;
    if (!found || found.kind === "uncertain") return undefined;
    return Promise.resolve(underSettings(stateAfterTrial(found, found), settings.effective.sandbox));
  };
  const described = once(() =>
    environmentText({ policy, commands: !readOnly }, { ...ground, repository: ground.repositoryState, sandbox: sandboxKnown }),
  );
  const allCommands =
    request.child?.parent.commands ?? createCommands({ records: request.commands, now: ground.now, monotonicMs: ground.monotonicMs });
  const background = allCommands.forAgent({ agent: request.owner, outputs, redacted: redactor.now });
  const work: Work = {
    tools: readOnly
      ? readOnlyTools(disk)
      : [
          ...fileTools({ disk, shell: approved(repositories.watched(commands)), outputs, background, fetch }),
          ...(isSolo ? [todoWriteTool()] : []),
          ...backgroundTools(background, ground),
          ...plan,
        ],
    screen,
    environmentInput: async () => ({ source: { kind: "environment" }, text: await described.get(), shown: "" }),
    redacted: async (text) => (await redactor.text(text)).text,
    secretsIn: redactor.secretsIn,
    settings: changed.settings,
    own: changed.own,
    platform: ground.platform,
    async instructions() {
      const files = ground.instructionFiles((at) => whyNotInstructed(at, policy));
      const { found, skipped } = await loadInstructions(files, policy);
      const safe = found.map(async (file) => ({ ...file, text: (await redactor.text(file.text, { path: file.path })).text }));
      return { found: await Promise.all(safe), skipped };
    },
    whyHidden: async (path) => whyHidden({ written: path, real: await real.real(path) }, policy),
    fileInTree: (path) => fileInTree(path, policy, real),
    narrow: (skill, tools) => void policy.narrowed.push({ skill, only: tools.flatMap((text) => ruleOf(text, policy)) }),
    widen: () => void policy.narrowed.splice(narrowedAbove),
    async paths() {
      const walked = await disk.walk(".", ground.timeLimit(longestWalkMs));
      return walked.kind === "files" ? walked.paths : [];
    },
    permit(ask, onNotice) {
      for (const text of untold.splice(0)) onNotice?.(text);
      asked = ask && oneAtATime(ask);
      say = onNotice ?? say;
      enter = permitFor(asked, onNotice);
      return async (call, signal) => {
        await work.refresh(signal);
        // whether a command is shut in counts for its decision, and for what /tmp is
        if (call.tool === "Bash" || JSON.stringify(call.input)?.includes("/tmp")) await sandbox.get();
        if (call.tool === "Bash") await repositories.look(call.input);
        const obstacle = async () =>
          (await whileCommandsRun(call, { policy, real: real.real, commands: allCommands.list })) ?? call.obstacle?.();
        return enter({ ...call, obstacle }, signal);
      };
    },
    mode: () => policy.mode,
    changeMode(wanted) {
      const { managedMode } = changed.settings().effective;
      const change = wanted === undefined ? nextMode(policy.mode, managedMode) : changedMode(wanted, managedMode);
      if (change.ok) policy.mode = change.mode;
      return change;
    },
    planTool,
    environment: () => environmentOf(request, settings.effective),
    personsShell,
    async refresh(signal) {
      await refresh(say);
      const ask = canAsk();
      if (ask && signal) await changed.settle(ask, signal);
    },
    commands: { own: background, all: allCommands },
    shared: { policy, redactor, scanner, commands: allCommands, isSolo },
    granted: () => policy.grants.given,
    revoke: policy.grants.revoke,
    async sandbox() {
      await sandbox.get();
      return policy.sandbox;
    },
    async endAll() {
      await background.close();
      // It may stand without a command having run in it: a decision or the status line has asked for it.
      void sandbox.made()?.then((opened) => opened.close());
      repositories.close();
      await Promise.all([commands.endAll(), personsShell.endAll()]);
    },
  };
  return { ok: true, work };
}

function backgroundTools(commands: AgentCommands, { matchingLines, now }: Ground): AnyTool[] {
  return [bashOutputTool({ commands, matchingLines, nowMs: () => now().getTime() }), killBashTool({ commands })];
}

function oneAtATime(ask: Ask): Ask {
  let before: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const turn = before.then(() => ask(question, signal));
    before = turn.catch(() => undefined); // the one who asked sees the fault
    return turn;
  };
}

/** While a question is open. */
const betweenLooksMs = 300;

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** What is no rule for this program grants nothing. */
function teamGrant({ rule, since }: { rule: string; since: string }, policy: Policy): TeamGrant[] {
  if (rule === everythingInside) return [{ since }];
  return ruleOf(rule, policy).map((one) => ({ rule: one, since }));
}

function ruleOf(text: string, { cwd, home }: Policy): Rule[] {
  const parsed = parseRule(text, { cwd, home, folder: cwd });
  return parsed.ok ? [parsed.rule] : [];
}

/** What commands of processes that were killed had left, and was put aside only now. */
async function leftByInterrupted(policy: Policy, ground: Ground): Promise<string[]> {
  const found = await ground.putAsideInterrupted(`${policy.configDir}/sandbox`, {
    writable: [policy.cwd, ...policy.directories],
    standingOf: standings(policy),
    packages: hidesByName(policy),
  });
  return interruptedNotices(found);
}

const longestWalkMs = 5_000;

function environmentOf({ env, owner }: Pick<WorkRequest, "env" | "owner">, settings: Effective): Record<string, string> {
  return commandEnvironment({ ...env, ...settings.env }, owner, [...settings.keepEnvironment, ...Object.keys(settings.env)]);
}

/** What takes secrets out of everything that one session sends. */
function secrets(
  { cwd, env, lastPlaceholder, child }: WorkRequest,
  settings: Effective,
  { ground, isCovered }: { ground: Ground; isCovered: CommitGate["isCovered"] },
) {
  const view = { cwd, view: ground.commitView(), isCovered };
  if (child) {
    const { redactor, scanner } = child.parent;
    return { redactor, scanner, screen: secretScreen(redactor, { ...view, scanner }) };
  }
  const scanner = ground.scanner();
  const own = Object.entries(env).map(([name, value = ""]) => ({ name, value }));
  const variables = [...own, ...ground.envFileTexts(cwd).flatMap(envLines)];
  const redactor = createRedactor({ mode: settings.secrets, scanner, variables, after: lastPlaceholder });
  return { redactor, scanner, screen: secretScreen(redactor, { ...view, scanner }) };
}

/** A lead runs no commands and needs no wall around them. */
async function openSandbox(
  { env, owner, readOnly, sandboxFound }: WorkRequest,
  { policy, settings, ground, repositories }: { policy: Policy; settings: Effective; ground: Ground; repositories: GitView },
): Promise<Sandbox> {
  const network = settings.sandbox.network === true;
  const variables = repositories.environment(environmentOf({ env, owner }, settings));
  const { unixSockets = [] } = settings.sandbox;
  const agent = settings.keepEnvironment.includes("SSH_AUTH_SOCK") ? [env["SSH_AUTH_SOCK"] ?? ""] : [];
  const opened = unixSockets === "none" ? [] : [...agent.filter(Boolean), ...unixSockets];
  const sandbox = await ground.sandbox({
    enabled: settings.sandbox.enabled !== false && !readOnly,
    cwd: policy.cwd,
    directories: policy.directories,
    repositoryFixed: policy.repositoryFixed === true,
    stateFolder: stateFolderOf({ configDir: policy.configDir, owner }),
    stateAfter: (trial) => stateAfterTrial(trial, sandboxFound),
    known: sandboxFound?.kind === "missing" ? sandboxFound : undefined,
    onLost: (why) => {
      policy.sandbox = underSettings({ kind: "lost", why }, settings.sandbox);
    },
    shared: [...opened, ...(network ? ["/etc/resolv.conf"] : []), ...repositories.shared],
    tracked: repositories.tracked,
    gitVariables: (pairs) => gitVariables(variables, pairs),
    view: (found, once) => sandboxView(policy, network || once, found),
    secretPlaces: [...secretPlaces(policy), ...["TMUX_TMPDIR", "XDG_RUNTIME_DIR"].flatMap((name) => env[name] ?? [])],
    sockets: { closed: unixSockets === "none", named: socketsNamedIn(env) },
    rules: () => ({ standingOf: standings(policy), hidesByName: hidesByName(policy) }),
  });
  policy.sandbox = underSettings(sandbox.state(), settings.sandbox);
  return sandbox;
}

const stateFolderOf = ({ configDir, owner }: Pick<WorkRequest, "configDir" | "owner">) =>
  `${configDir}/sandbox/${owner.replaceAll(/[^\w-]/g, "-")}`;

function once<T>(make: () => Promise<T>): { get(): Promise<T>; made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  return {
    get() {
      made ??= make();
      return made;
    },
    made: () => made,
  };
}
