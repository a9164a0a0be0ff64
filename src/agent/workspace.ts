// What an agent can do in a working directory, and what limits it: settings, rules, the guard, the sandbox, secrets.
import { type AgentCommands, type Commands, createCommands } from "../background/commands.ts";
import type { Connection } from "../mcp/connections.ts";
import type { Granted } from "../permissions/grants.ts";
import { guardDisk } from "../permissions/guard.ts";
import { whyHidden } from "../permissions/paths/hidden.ts";
import { homeFolder } from "../permissions/paths/places.ts";
import type { Ask } from "../permissions/permit.ts";
import { type PermissionMode, type Policy, rulesIn, type SandboxState } from "../permissions/policy.ts";
import { hidesByName, pathClasses } from "../permissions/sandbox/sandbox-view.ts";
import type { HandsFacts } from "../places/hands-facts.ts";
import { redactingDisk } from "../secrets/redaction/redacting-disk.ts";
import { redactingOutputs } from "../secrets/redaction/redacting-outputs.ts";
import type { LoadedSettings } from "../settings/files.ts";
import { askUserTool } from "../tools/ask-user.ts";
import type { Disk } from "../tools/disk.ts";
import { readOnlyTools } from "../tools/set.ts";
import type { Shell } from "../tools/shell.ts";
import { submitPlanTool } from "../tools/submit-plan.ts";
import type { AnyTool, ToolResult } from "../tools/tool.ts";
import type { Input } from "./events.ts";
import { type FileInTree, fileInTree } from "./file-in-tree.ts";
import type { Instructions, SkippedInstructions } from "./instructions.ts";
import { changedMode, type ModeChange, nextMode } from "./mode-change.ts";
import { commandReader } from "./ports/command-reader.ts";
import type { OutboundFilter } from "./ports/outbound-filter.ts";
import type { Permit, ToolCall } from "./ports/permit.ts";
import type { WorkspacePorts } from "./ports/workspace-ports.ts";
import { keepingDisk } from "./rewind/keeping-disk.ts";
import { keepingShell, workOf } from "./rewind/keeping-shell.ts";
import { openUnsavedWork } from "./rewind/open-unsaved-work.ts";
import type { KeptFiles } from "./rewind/rewind.ts";
import { agentTools } from "./workspace/agent-tools.ts";
import { callPermits } from "./workspace/call-permits.ts";
import { askDesk, planDesk } from "./workspace/desks.ts";
import { editorsDisk } from "./workspace/editors-disk.ts";
import { environmentInput, instructionsOf } from "./workspace/first-message.ts";
import { gitView } from "./workspace/git-view.ts";
import { interruptedNotices } from "./workspace/interrupted-commands.ts";
import { openNetwork } from "./workspace/network/network-desk.ts";
import { openPolicy } from "./workspace/open-policy.ts";
import { lazySandbox, sandboxOfStarted } from "./workspace/open-sandbox.ts";
import { openSecrets } from "./workspace/open-secrets.ts";
import { openServers, serversOf } from "./workspace/open-servers.ts";
import { openShells } from "./workspace/open-shells.ts";
import type { SettingsChanges } from "./workspace/settings-changes.ts";
import type { WorkspaceParts } from "./workspace/workspace-parts.ts";
import { commandIn, workspacePermit } from "./workspace/workspace-permit.ts";
import {
  environmentOf,
  isOfSameSession,
  isOfSolo,
  type Shared,
  sandboxesOf,
  stateFolderOf,
  type WorkspaceRequest,
} from "./workspace/workspace-request.ts";
import { type WrittenFile, writtenFiles } from "./workspace/written-files.ts";

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
  /** Opens a folder to this session for the person, until it ends. Returns its real path; throws why it cannot be one. */
  addFolder(given: string): Promise<string>;
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
  /** The MCP servers that it may use. */
  servers: readonly Connection[];
  /** A resource of one of them by `server:uri`, for the person; undefined if there is no such server. */
  resource(named: string, signal: AbortSignal): Promise<ToolResult | undefined>;
  /** What they say to the model while the session runs; returns a function that stops listening. */
  onServerNote(listener: (text: string) => void): () => void;
  /** For the work of a sub-agent. */
  shared: Shared;
  /** Where its hands are, if they are at a place. */
  hands?: () => HandsFacts | undefined;
  /** Their working directory there; undefined without hands. */
  handsCwd?: () => string | undefined;
  /** Ends what commands left running. */
  endAll(): Promise<void>;
};

/** The reason is the first invalid rule: applying only some of the rules would not be what the user wrote. */
export async function openWorkspace(
  request: WorkspaceRequest,
  ports: WorkspacePorts,
): Promise<{ ok: true; work: Workspace } | { ok: false; reason: string }> {
  const opened = await openPolicy(request, ports);
  if (!opened.ok) return opened;
  const { store } = opened;
  const policy = store.current;
  const untold = request.child
    ? []
    : [...(homeFolder(policy) !== undefined ? [homeNotice(policy)] : []), ...(await leftByInterrupted(request, policy, ports))];
  const read = commandReader();
  const secrets = openSecrets(request, ports, read);
  const repositories = gitView(store, { stateFolder: stateFolderOf(request), scanner: secrets.scanner, read }, ports);
  const onNewRules = async () => (await sandbox.made())?.onNewRules();
  const permits = callPermits(request, { store, ports, onNewRules });
  const network = openNetwork(request, { store, ports, permits });
  const sandbox = lazySandbox(request, { store, ports, repositories, network, say: permits.say });
  const servers = await openServers(request, ports);
  return {
    ok: true,
    work: composeWorkspace(
      { request, ports, store, secrets, sandbox, permits, repositories, read, network, servers, kept: keptBy(request, policy, ports) },
      untold,
    ),
  };
}

/** `untold`: a message that the person must be told when one is present. */
function composeWorkspace(parts: WorkspaceParts, untold: string[]): Workspace {
  const { request, ports, store, secrets, sandbox, permits, repositories, servers, kept } = parts;
  const { current: policy } = store;
  const { redactor, filter } = secrets;
  const { versions, unsaved } = kept ?? {};
  const files = request.editor ? editorsDisk(ports.files(), request.editor) : ports.files();
  const real = versions ? keepingDisk(files, versions, unsaved) : files;
  const disk = redactingDisk(guardDisk(real, policy), redactor, ports.matchingLines);
  const shells = openShells(parts);
  const shell = keepingShell(shells.agents, parts);
  const outputs = request.outputs && redactingOutputs(request.outputs, redactor);
  const allCommands =
    request.child?.parent.commands ?? createCommands({ records: request.commands, now: ports.now, monotonicMs: ports.monotonicMs });
  const background = allCommands.forAgent({ agent: request.owner, outputs, redacted: redactor.now });
  const planTool = submitPlanTool(planDesk(store, permits.asked));
  const desk = askDesk(policy, permits.asked);
  const askTool = askUserTool(desk);
  const ownServers = serversOf(request, servers);
  return {
    tools: request.readOnly
      ? [...readOnlyTools(disk), askTool]
      : agentTools(parts, {
          askTool,
          disk,
          shell,
          outputs,
          background,
          planTool,
          serverTools: servers?.toolsFor(ownServers.servers, desk) ?? [],
        }),
    filter,
    environmentInput: environmentInput(parts),
    redacted: async (text) => (await redactor.text(text)).text,
    secretsIn: redactor.secretsIn,
    settings: permits.settings,
    own: permits.own,
    addFolder: async (given) => (await import("./add-folder.ts")).addFolder(given, parts),
    platform: ports.platform,
    instructions: () => instructionsOf(parts),
    whyHidden: async (path) => whyHidden({ written: path, real: await real.real(path) }, policy),
    fileInTree: (path) => fileInTree(path, policy, real),
    writtenFiles: async (call) => writtenFiles(call, call.tool === "Bash" ? await parts.read(commandIn(call.input)) : undefined),
    narrow: (skill, tools) => store.narrow({ skill, only: rulesIn(tools, policy) }),
    widen: store.widen,
    paths: () => readablePaths(disk, ports),
    permit(ask, onNotice) {
      for (const text of untold.splice(0)) onNotice?.(text);
      permits.askThrough(ask, onNotice);
      return workspacePermit(parts, allCommands);
    },
    prepare: () => void permits.prepare(),
    mode: () => policy.mode,
    changeMode: (wanted) => changeMode(parts, wanted),
    planTool,
    environment: () => environmentOf(request, request.settings.effective),
    personsShell: shells.persons,
    harnessShell: shell,
    refresh: permits.refresh,
    commands: { own: background, all: allCommands },
    kept: versions && { disk: real, versions, ...(unsaved && { settleInterrupted: unsaved.settleInterrupted }) },
    shared: sharedOf(parts, allCommands),
    granted: () => policy.grants.given,
    revoke: policy.grants.revoke,
    async sandbox() {
      if (request.readOnly) return sandboxOfStarted(request);
      await sandbox.get();
      return policy.sandbox;
    },
    ...ownServers,
    async endAll() {
      if (!request.child) await servers?.close();
      await background.close();
      if (!request.child) unsaved?.close();
      // It may exist before any command has run in it: a decision or the status line may have opened it.
      void sandbox.made()?.then((opened) => opened.close());
      repositories.close();
      await shells.endAll();
    },
  };
}

function sharedOf({ request, store, secrets, sandbox, kept, servers }: WorkspaceParts, commands: Commands): Shared {
  const { redactor, scanner } = secrets;
  const { lossesTold } = sandbox;
  const unsaved = workOf({ kept, request });
  return {
    policy: store.current,
    redactor,
    scanner,
    commands,
    versions: kept?.versions,
    unsaved,
    servers,
    lossesTold,
    isSolo: isOfSolo(request),
  };
}

/** Changes of an agent in its own working tree are not the session's. */
function keptBy(request: WorkspaceRequest, policy: Policy, ports: WorkspacePorts): WorkspaceParts["kept"] {
  const { versions: own, cwd, configDir, child } = request;
  if (!child)
    return (
      own && {
        versions: own,
        unsaved: openUnsavedWork(own, policy, { ...ports, inTeam: !isOfSolo(request), repositories: `${configDir}/repositories` }),
      }
    );
  const { versions, unsaved, policy: above } = child.parent;
  return above.cwd === cwd && versions && unsaved ? { versions, unsaved } : undefined;
}

function changeMode({ store, permits }: WorkspaceParts, wanted: string | undefined): ModeChange {
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
    ownFolders: policy.ownFolders,
  });
  if (!request.followsLead) await ports.sweepSandboxes(folder, isOfSameSession(request)); // a killed teammate is restarted beside others
  return interruptedNotices(found);
}

async function readablePaths(disk: Disk, { timeLimit }: WorkspacePorts): Promise<string[]> {
  const walked = await disk.walk(".", timeLimit(longestWalkMs));
  return walked.kind === "files" ? walked.paths : [];
}

const longestWalkMs = 5_000;

/** What a person is told who works in the home directory. */
function homeNotice(policy: Policy): string {
  const folder = homeFolder(policy);
  const where = folder === undefined || folder === policy.home ? "your home directory" : `${folder}, which contains your home directory`;
  return `You work in ${where}. ${homeReasons}`;
}

const homeReasons =
  "It holds many files that programs run or read as settings, and few of them are protected by name, so you are asked about each command that no rule allows, and no rules with wildcards are offered. Start in the folder of a project.";
