// The parameters of a workspace, and what follows from them alone.

import type { CommandRecords } from "../../background/command-file.ts";
import type { Commands } from "../../background/commands.ts";
import type { PatientDisk } from "../../board/disk.ts";
import type { Policy, SandboxFinding } from "../../permissions/policy.ts";
import { commandEnvironment } from "../../secrets/environment.ts";
import type { Redactor } from "../../secrets/redaction/redactor.ts";
import type { Scanner } from "../../secrets/secrets.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { SettingsLook } from "../../settings/live-settings.ts";
import type { Effective } from "../../settings/scopes.ts";
import type { ReadVersions } from "../../tools/files/versions.ts";
import type { OutputStore } from "../../tools/output.ts";
import type { ChildLimits } from "../child-policy.ts";
import type { OpenTexts } from "../ports/open-texts.ts";
import type { FileVersions } from "../rewind/file-versions.ts";
import type { SessionsWork } from "../rewind/open-unsaved-work.ts";
import type { Missing } from "./bounded-shell.ts";
import type { SessionServers } from "./open-servers.ts";
import type { AcceptedGrowth } from "./settings-changes.ts";

export type WorkspaceRequest = {
  cwd: string;
  configDir: string;
  env: Record<string, string | undefined>;
  /** `<session>:<agent>`, the marker of everything that commands start. */
  owner: string;
  /** A lead reads and changes nothing. */
  readOnly: boolean;
  /** Commands cannot write the repository's git folder if the working directory is a worktree: the harness commits. */
  repositoryFixed?: boolean;
  /** The root of the person's tree if the working directory is a worktree beside it: agents neither read nor change it. */
  apartFrom?: string | undefined;
  /** Other agents with processes of their own work in the same tree. */
  sharedTree?: boolean;
  /** The sandbox that the first process of this session or team found; undefined in that process. */
  sandboxFound: SandboxFinding | undefined;
  /** A teammate: settings that give more than before are asked for at the lead. */
  followsLead?: boolean;
  /** At a place, where files of settings have no say: what home has sent since the last look. */
  sentSettings?: () => SettingsLook;
  /** The growth that the person has accepted for all members. */
  acceptedGrowth?: AcceptedGrowth;
  /** The person's current grants to the whole team, each rule as displayed. Absent: there is no team. */
  teamGrants?: () => { rule: string; since: string }[];
  /** Loaded for this working directory. */
  settings: LoadedSettings;
  /** Repeats what the disk refuses for a temporary reason. Absent: nothing is repeated. */
  untilDone?: PatientDisk["untilDone"];
  /** Versions of files that the agent has read or written in earlier processes. */
  seen?: ReadVersions;
  /** The highest number of a placeholder in what the session has said already. */
  lastPlaceholder?: number;
  /** Where the full text of long output is kept. */
  outputs?: OutputStore;
  /** Where what runs in the background is kept beyond this process; a sub-agent's is kept with its parent's. */
  commands?: CommandRecords;
  /** Where earlier contents of files that Write and Edit change are kept for a rewind; a sub-agent's are kept with its parent's. */
  versions?: FileVersions;
  /** For a session with an agent definition: the tools that it gives and removes. */
  definition?: Pick<ChildLimits, "tools" | "disallowedTools" | "mcpServers" | "mode">;
  /** The editor that shows the session, if it says what stands in it. */
  editor?: OpenTexts;
  /** Absent: it is nobody's sub-agent. */
  child?: ChildRights;
};

/** The bounds of a sub-agent: never more than the agent that started it. */
export type ChildRights = ChildLimits & {
  parent: Shared;
  /** The branch that was made for the worktree in which it works. */
  branch?: string;
  /** A command that ran needs a permission for more than it did, and nobody can be asked. */
  onMissing?: (tool: string, permission: Missing) => void;
};

/** The parts that sub-agents share with their parent. */
export type Shared = {
  policy: Policy;
  redactor: Redactor;
  scanner: Scanner;
  commands: Commands;
  versions: FileVersions | undefined;
  unsaved: SessionsWork | undefined;
  servers: SessionServers | undefined;
  /** What the person has been told of lost sandboxes: each agent has one of its own, and all are lost for one reason. */
  lossesTold: Set<string>;
  isSolo: boolean;
};

/** Whether it is of a solo session, or of a sub-agent of one: a fork continues from the very tools of its parent. */
export const isOfSolo = ({ child, teamGrants }: WorkspaceRequest): boolean => (child ? child.parent.isSolo : !teamGrants);

/** The environment of commands: without keys of the provider and what else is held back. */
export function environmentOf({ env, owner }: Pick<WorkspaceRequest, "env" | "owner">, settings: Effective): Record<string, string> {
  return commandEnvironment({ ...env, ...settings.env }, owner, [...settings.keepEnvironment, ...Object.keys(settings.env)]);
}

/** Where commands look for programs. */
export function searchPathOf({ env, owner, settings }: Pick<WorkspaceRequest, "env" | "owner" | "settings">): string {
  return environmentOf({ env: { PATH: env["PATH"] }, owner }, settings.effective)["PATH"] ?? "";
}

/** Where the sandboxes of all agents keep what they need. */
export const sandboxesOf = ({ configDir }: Pick<WorkspaceRequest, "configDir">) => `${configDir}/sandbox`;

/** Where the sandbox of this agent keeps what it needs. */
export const stateFolderOf = ({ configDir, owner }: Pick<WorkspaceRequest, "configDir" | "owner">) =>
  `${sandboxesOf({ configDir })}/${folderNameOf(owner)}`;

/** Whether the folder of that name is of this agent or another of its session or team, which may be restarted and go on with it. */
export function isOfSameSession({ owner }: Pick<WorkspaceRequest, "owner">): (name: string) => boolean {
  const [session = ""] = owner.split(":");
  return (name) => name === folderNameOf(owner) || name.startsWith(`${folderNameOf(session)}-`);
}

const folderNameOf = (owner: string) => owner.replaceAll(/[^\w-]/g, "-");
