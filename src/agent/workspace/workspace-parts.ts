// The parts of one agent's workspace, from which its tools, its permit and its first message are made.

import type { ReadCommand } from "../ports/command-reader.ts";
import type { FileVersions } from "../rewind/file-versions.ts";
import type { SessionsWork } from "../rewind/open-unsaved-work.ts";
import type { WorkspaceSecrets } from "./open-secrets.ts";
import type { SessionServers } from "./open-servers.ts";
import type { ShellParts } from "./open-shells.ts";

export type WorkspaceParts = ShellParts & {
  secrets: WorkspaceSecrets;
  read: ReadCommand;
  servers: SessionServers | undefined;
  /** Absent: nothing is kept for a rewind. */
  kept: { versions: FileVersions; unsaved: SessionsWork } | undefined;
};
