// What an agent can do in a working directory, and what limits it: settings, rules, the guard, the sandbox, secrets.
import { bashOutputTool, killBashTool } from "../background/bash-output.ts";
import { type AgentCommands, type Commands, createCommands } from "../background/commands.ts";
import { askDesk } from "../permissions/ask-desk.ts";
import { type FileInTree, fileInTree } from "../permissions/file-in-tree.ts";
import type { Granted } from "../permissions/grants.ts";
import { guardDisk } from "../permissions/guard.ts";
import { homeNotice, isHome } from "../permissions/home.ts";
import { whyHidden, whyNotInstructed } from "../permissions/instructions.ts";
import { interruptedNotices } from "../permissions/interrupted-commands.ts";
import { changedMode, type ModeChange, nextMode } from "../permissions/mode-change.ts";
import type { Ask } from "../permissions/permit.ts";
import { planDesk } from "../permissions/plan-desk.ts";
import { type PermissionMode, type Policy, rulesIn, type SandboxState } from "../permissions/policy.ts";
import { hidesByName, pathClasses } from "../permissions/sandbox-view.ts";
import { type WrittenFile, writtenFiles } from "../permissions/written-files.ts";
import { redactingDisk } from "../secrets/redaction/redacting-disk.ts";
import { redactingOutputs } from "../secrets/redaction/redacting-outputs.ts";
import type { LoadedSettings } from "../settings/files.ts";
import { commandReader, type ReadCommand } from "../shell/walk/command-reader.ts";
import { askUserTool } from "../tools/ask-user.ts";
import type { Disk } from "../tools/disk.ts";
import { fileTools, readOnlyTools } from "../tools/set.ts";
import type { Shell } from "../tools/shell.ts";
import { submitPlanTool } from "../tools/submit-plan.ts";
import { todoWriteTool } from "../tools/todo-write.ts";
import type { AnyTool } from "../tools/tool.ts";
import { webFetchTool } from "../tools/web-fetch.ts";
import { environmentText } from "./environment.ts";
import type { Input } from "./events.ts";
import { type Instructions, loadInstructions, type SkippedInstructions } from "./instructions.ts";
import type { OutboundFilter } from "./outbound-filter.ts";
import type { Permit, ToolCall } from "./permit.ts";
import type { FileVersions } from "./rewind/file-versions.ts";
import { keepingDisk } from "./rewind/keeping-disk.ts";
import type { KeptFiles } from "./rewind/rewind.ts";
import { callPermits } from "./workspace/call-permits.ts";
import { gitView } from "./workspace/git-view.ts";
import { openPolicy } from "./workspace/open-policy.ts";
import { knownSandbox, lazySandbox, sandboxOfStarted } from "./workspace/open-sandbox.ts";
import { openSecrets, type WorkspaceSecrets } from "./workspace/open-secrets.ts";
import { openShells, type ShellParts } from "./workspace/open-shells.ts";
import type { SettingsChanges } from "./workspace/settings-changes.ts";
import {
  environmentOf,
  isOfSameSession,
  type Shared,
  sandboxesOf,
  stateFolderOf,
  type WorkspaceRequest,
} from "./workspace/workspace-request.ts";
import { whileCommandsRun } from "./workspace/writes-meanwhile.ts";
import type { WorkspacePorts } from "./workspace-ports.ts";

/** The tools for files and commands, behind the guard, and what decides whether a call may run. */
export type Workspace = {
  tools: AnyTool[];
  /** Without `ask` there is nobody to ask, and what needs an answer is refused. `onNotice`: reports to the user how an answer was applied. */
  permit: (ask: Ask | undefined, onNotice?: (text: string) => void) => Permit;
  /** Takes secrets out of results and messages, and keeps them out of commits. */
  filter: OutboundFilter;
  /** A text that is no result and that nobody typed, as it may be sent. */
  redacted: (text: string) => Promise<string>;
  /** How many secrets a text has that is sent as it is. */
  secretsIn: (text: string) => number;
  /** The combined settings of all scopes here, and what waits for trust. */
  settings: () => LoadedSettings;
  /** The person is about to add or remove this rule in this session, and is not asked about it again. */
  own: SettingsChanges["own"];
  /** Loads what the first call needs; to be called while the model thinks. */
  prepare(): void;
  /** The permission mode now: a plan that is approved changes it, and so does the person. */
  mode: () => PermissionMode;
  /** Switches to the named mode, or to the next one, from the next decision on. */
  changeMode: (wanted?: string) => ModeChange;
  /** How an agent in the mode plan submits its plan; among the tools from the start in a session that begins in it. */
  planTool: AnyTool;
  /**
   * Takes over what others have changed in the settings and in the team's grants, and with a signal asks about what gives agents more; before
   * each call that is done by itself.
   */
  refresh(signal?: AbortSignal): Promise<void>;
  /** What the user has granted beyond a single call since this session began. */
  granted: () => readonly Granted[];
  /** Revokes such an answer; false when there is none. */
  revoke: (rule: string) => boolean;
  /** Instruction files that may be read, the most general first, and those that are there and may not. */
  instructions(): Promise<{ found: Instructions[]; skipped: SkippedInstructions[] }>;
  /** The rule that keeps a file from the agent, if there is one; the second half of a sentence. */
  whyHidden(path: string): Promise<string | undefined>;
  /** Whether this agent could give the file to a worker to change. */
  fileInTree(path: string): Promise<FileInTree>;
  /** The files that the call says it writes. */
  writtenFiles(call: ToolCall): Promise<WrittenFile[]>;
  /**
   * Allows only what these rules name, within existing rights, until `widen`. An invalid rule allows nothing. A sub-agent keeps the limits that it
   * began with.
   */
  narrow(skill: string, tools: readonly string[]): void;
  widen(): void;
  /** Files below the working directory that may be read, for completion. */
  paths(): Promise<string[]>;
  /** The description of the environment, collected once at the first call, which does not wait for anything else. */
  environmentInput(): Promise<Input>;
  /** The operating system, for the model. */
  platform: string;
  /** Whether commands are sandboxed now, at a lead those of its teammates: for what a person is shown. */
  sandbox(): Promise<SandboxState>;
  /** The environment of programs that the person has configured: the person's own, without provider keys and other values withheld from commands. */
  environment(): Record<string, string>;
  /** For what the person runs: their own rights and environment, without a sandbox and without a question. */
  personsShell: Shell;
  /** Runs the harness's own commands like the agent's, but without a question. `sandbox()` says whether they are confined. */
  harnessShell: Shell;
  /** Background commands: the agent's own, and those of all the session's agents. */
  commands: { own: AgentCommands; all: Commands };
  /** What a rewind needs; undefined if nothing is kept. */
  kept: KeptFiles | undefined;
  /** For the work of a sub-agent. */
  shared: Shared;
  /** Ends what commands left running. */
  endAll(): Promise<void>;
};

/** The parts from which an agent's tools are made. */
type Parts = ShellParts & { secrets: WorkspaceSecrets; read: ReadCommand };

/** The reason is the first invalid rule: applying only some of the rules would not be what the user wrote. */
export async function openWorkspace(
  request: WorkspaceRequest,
  ports: WorkspacePorts,
): Promise<{ ok: true; work: Workspace } | { ok: false; reason: string }> {
  const opened = await openPolicy(request, ports);
  if (!opened.ok) return opened;
  const { store } = opened;
  const policy = store.current;
  const untold = request.child ? [] : [...(isHome(policy) ? [homeNotice] : []), ...(await leftByInterrupted(request, policy, ports))];
  const read = commandReader();
  const secrets = openSecrets(request, ports, read);
  const repositories = gitView(store, { stateFolder: stateFolderOf(request), scanner: secrets.scanner, read }, ports);
  const sandbox = lazySandbox(request, { store, ports, repositories });
  const onNewRules = async () => (await sandbox.made())?.onNewRules();
  const permits = callPermits(request, { store, ports, onNewRules });
  return { ok: true, work: composeWorkspace({ request, ports, store, secrets, sandbox, permits, repositories, read }, untold) };
}

/** `untold`: a message that the person must be told when one is present. */
function composeWorkspace(parts: Parts, untold: string[]): Workspace {
  const { request, ports, store, secrets, sandbox, permits, repositories } = parts;
  const { current: policy } = store;
  const { redactor, scanner, filter } = secrets;
  const versions = versionsOf(request);
  const real = versions ? keepingDisk(ports.files(), versions) : ports.files();
  const disk = redactingDisk(guardDisk(real, policy), redactor);
  const shells = openShells(parts);
  const outputs = request.outputs && redactingOutputs(request.outputs, redactor);
  const allCommands =
    request.child?.parent.commands ?? createCommands({ records: request.commands, now: ports.now, monotonicMs: ports.monotonicMs });
  const background = allCommands.forAgent({ agent: request.owner, outputs, redacted: redactor.now });
  const planTool = submitPlanTool(planDesk(store, permits.asked));
  const askTool = askUserTool(askDesk(policy, permits.asked));
  // A fork continues from the very tools of its parent.
  const isSolo = isOfSolo(request);
  return {
    tools: request.readOnly
      ? [...readOnlyTools(disk), askTool]
      : toolsOf(parts, { askTool, disk, shell: shells.agents, outputs, background, planTool, isSolo }),
    filter,
    environmentInput: environmentInput(parts),
    redacted: async (text) => (await redactor.text(text)).text,
    secretsIn: redactor.secretsIn,
    settings: permits.settings,
    own: permits.own,
    platform: ports.platform,
    instructions: () => instructionsOf(parts),
    whyHidden: async (path) => whyHidden({ written: path, real: await real.real(path) }, policy),
    fileInTree: (path) => fileInTree(path, policy, real),
    writtenFiles: async (call) => writtenFiles(call, call.tool === "Bash" ? await parts.read(commandIn(call.input)) : undefined),
    narrow: (skill, tools) => store.narrow({ skill, only: rulesIn(tools, policy) }),
    widen: store.widen,
    async paths() {
      const walked = await disk.walk(".", ports.timeLimit(longestWalkMs));
      return walked.kind === "files" ? walked.paths : [];
    },
    permit(ask, onNotice) {
      for (const text of untold.splice(0)) onNotice?.(text);
      permits.askThrough(ask, onNotice);
      return permitOf(parts, allCommands);
    },
    prepare: () => void permits.prepare(),
    mode: () => policy.mode,
    changeMode: (wanted) => changeMode(parts, wanted),
    planTool,
    environment: () => environmentOf(request, request.settings.effective),
    personsShell: shells.persons,
    harnessShell: shells.agents,
    refresh: permits.refresh,
    commands: { own: background, all: allCommands },
    kept: versions && { disk: real, versions },
    shared: { policy, redactor, scanner, commands: allCommands, versions, isSolo },
    granted: () => policy.grants.given,
    revoke: policy.grants.revoke,
    async sandbox() {
      if (request.readOnly) return sandboxOfStarted(request);
      await sandbox.get();
      return policy.sandbox;
    },
    async endAll() {
      await background.close();
      // It may exist before any command has run in it: a decision or the status line may have opened it.
      void sandbox.made()?.then((opened) => opened.close());
      repositories.close();
      await shells.endAll();
    },
  };
}

/** Changes of an agent in its own working tree are not the session's. */
function versionsOf({ versions, cwd, child }: WorkspaceRequest): FileVersions | undefined {
  if (!child) return versions;
  return child.parent.policy.cwd === cwd ? child.parent.versions : undefined;
}

type ToolParts = {
  disk: Disk;
  shell: Shell;
  outputs: ReturnType<typeof redactingOutputs> | undefined;
  background: AgentCommands;
  planTool: AnyTool;
  askTool: AnyTool;
  isSolo: boolean;
};

function toolsOf({ ports, permits }: Parts, { disk, shell, outputs, background, planTool, askTool, isSolo }: ToolParts): AnyTool[] {
  const fetch = webFetchTool(ports.web(), async (url, signal) => {
    const from = ports.monotonicMs();
    const permission = await permits.decide({ tool: "WebFetch", input: { url } }, signal);
    return { ...permission, askedMs: ports.monotonicMs() - from };
  });
  const nowMs = () => ports.now().getTime();
  return [
    ...fileTools({ disk, shell, outputs, background, fetch }),
    ...(isSolo ? [todoWriteTool()] : []),
    askTool,
    bashOutputTool({ commands: background, matchingLines: ports.matchingLines, nowMs }),
    killBashTool({ commands: background }),
    // Present from the start, because a change of the mode must not change the head of the requests.
    planTool,
  ];
}

const isOfSolo = ({ child, teamGrants }: WorkspaceRequest) => (child ? child.parent.isSolo : !teamGrants);

/** Gathered once. */
function environmentInput({ request, ports, store, sandbox }: Parts): Workspace["environmentInput"] {
  let described: Promise<string> | undefined;
  /** Without opening one for it: that is for the first command. */
  const sandboxKnown = async () => {
    if (!sandbox.made()) return knownSandbox(request);
    await sandbox.get();
    return store.current.sandbox;
  };
  return async () => {
    described ??= environmentText(
      { policy: store.current, commands: !request.readOnly, brief: !isOfSolo(request) && !request.readOnly },
      { ...ports, repository: ports.repositoryState, sandbox: sandboxKnown },
    );
    return { source: { kind: "environment" }, text: await described, shown: "" };
  };
}

async function instructionsOf({ ports, store, secrets }: Parts): ReturnType<Workspace["instructions"]> {
  const { current: policy } = store;
  const files = ports.instructionFiles((at) => whyNotInstructed(at, policy));
  const { found, skipped } = await loadInstructions(files, policy);
  const safe = found.map(async (file) => ({ ...file, text: (await secrets.redactor.text(file.text, { path: file.path })).text }));
  return { found: await Promise.all(safe), skipped };
}

function permitOf({ ports, store, sandbox, permits, repositories, read }: Parts, commands: Commands): Permit {
  return async (call, signal) => {
    await permits.refresh(signal);
    // the decision, and the meaning of /tmp, depend on whether commands are sandboxed
    if (call.tool === "Bash" || JSON.stringify(call.input)?.includes("/tmp")) await sandbox.get();
    const command = call.tool === "Bash" ? commandIn(call.input) : undefined;
    if (command !== undefined) await repositories.survey(command);
    const writes = { policy: store.current, real: ports.files().real, commands: commands.list };
    const obstacle = async () => (await whileCommandsRun(call, writes)) ?? call.obstacle?.();
    return permits.decide({ ...call, obstacle, ...(command !== undefined && { analysis: await read(command) }) }, signal);
  };
}

const commandIn = (input: unknown) => (typeof input === "object" && input !== null && "command" in input ? String(input.command) : "");

function changeMode({ store, permits }: Parts, wanted: string | undefined): ModeChange {
  const { managedMode } = permits.settings().effective;
  const change = wanted === undefined ? nextMode(store.current.mode, managedMode) : changedMode(wanted, managedMode);
  if (change.ok) store.changeMode(change.mode);
  return change;
}

/** What commands of processes that were killed had left, and was put aside only now. */
async function leftByInterrupted(request: WorkspaceRequest, policy: Policy, ports: WorkspacePorts): Promise<string[]> {
  const folder = sandboxesOf(request);
  const found = await ports.putAsideInterrupted(folder, {
    writable: [policy.cwd, ...policy.directories],
    classOf: pathClasses(policy),
    packages: hidesByName(policy),
  });
  if (!request.followsLead) await ports.sweepSandboxes(folder, isOfSameSession(request)); // a killed teammate is restarted beside others
  return interruptedNotices(found);
}

const longestWalkMs = 5_000;
